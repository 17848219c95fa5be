import { describe, expect, it } from 'vitest'

import { OPERATIONS, PRISMA_OPERATIONS } from '../../generator/model/api-model.js'
import { parseAnnotations } from '../../generator/model/annotations/read-annotations.js'
import { ADAPTERS, readOptions } from '../../generator/options.js'
import { ERROR_STATUSES } from '../../runtime/errors/codes.js'
import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { FUNCTIONS } from '../../runtime/rest/request/filter/ast.js'
import { operatorsForField } from '../../runtime/rest/request/operators.js'
import { restHandler } from '../../runtime/rest/handler.js'
import { blocksOfKind } from './support/kinds.js'
import { tableWith } from './support/pages.js'

/** The first cells of a table, taken apart where they hold several names. */
function names(marker: string): string[] {
  return tableWith(marker)
    .flatMap(([name = '']) => name.split(', '))
    .sort()
}

describe('the tables of the pages', () => {
  it('name every option of the generator, and no other', () => {
    const options = readOptions({ name: 'routes', config: {}, output: '/routes', file: '/schema.prisma' })
    expect(names('options')).toEqual(Object.keys(options).sort())
  })

  it('name every option of RestApiHandler, and no other', () => {
    const unknown = { endpoint: 'https://example.com', nothing: 1 }
    const known = messageOf(() => restHandler({}, unknown, { provider: 'sqlite' })).replace(/^.*There are: |\.$/g, '')
    expect(names('rest options')).toEqual(known.split(', ').sort())
  })

  it('name every adapter', () => {
    expect(names('adapters')).toEqual([...ADAPTERS].sort())
  })

  it('name every annotation, on what it may stand', () => {
    const rows = tableWith('annotations').map(([comment = '', on = '']) => [comment, on.split(', ')] as const)
    for (const [comment, places] of rows) {
      const written = comment.replace('<chain>', 'min(1)').replace(/\(list.*\)/, '(list)')
      for (const place of ['model', 'field', 'relation', 'enum'] as const) {
        const problems: unknown[] = []
        parseAnnotations(written, place, (problem) => problems.push(problem))
        const isPossible = places.includes(place) || (place === 'field' && places.includes('scalar field'))
        expect(problems.length === 0, `${written} on a ${place}`).toBe(isPossible)
      }
    }
    for (const place of ['model', 'field', 'relation'] as const) {
      const known = messageOf(() => {
        parseAnnotations('@api.nothing', place, ({ mend }) => {
          throw new Error(mend)
        })
      })
      for (const word of known.replace(/^Possible: |\.$/g, '').split(', ')) {
        expect(
          rows.some(([comment]) => comment.startsWith(`@api.${word}`)),
          word,
        ).toBe(true)
      }
    }
    expect(rows.map(([comment]) => comment)).toContain(`@api.operations(${OPERATIONS.join(', ')})`)
  })

  it('name every operation of RPC', () => {
    const shown = names('operations').filter((name) => name !== 'the same')
    expect(shown).toEqual([...Object.keys(PRISMA_OPERATIONS), 'exists', 'check'].sort())
  })

  it('name every operator of a filter', () => {
    const fields = [
      { type: 'String', optional: true },
      { type: 'String', list: true },
    ] as const
    expect(names('operators')).toEqual([...new Set(fields.flatMap(operatorsForField))].sort())
  })

  it('have every function of a filter expression in their grammar', () => {
    const words = blocksOfKind('grammar').flatMap(({ text }) =>
      [...text.matchAll(/"([A-Za-z]+)"/g)].map((one) => one[1]),
    )
    expect([...new Set(words)].sort()).toEqual([...FUNCTIONS, 'count', 'null'].sort())
  })

  it('name every error code with its status', () => {
    expect(tableWith('errors').map(([status, name]) => [name, Number(status)])).toEqual(
      Object.entries(ERROR_STATUSES).map(([name, status]) => [name, status]),
    )
  })

  it('name every limit with its default', () => {
    expect(tableWith('limits').map(([name, value]) => [name, Number(value?.replaceAll(' ', ''))])).toEqual(
      Object.entries(DEFAULT_LIMITS),
    )
  })
})

function messageOf(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('nothing was thrown')
}
