import { describe, expect, it } from 'vitest'

import { OPERATIONS, PRISMA_OPERATIONS } from '../../generator/model/api-model.js'
import { parseAnnotations } from '../../generator/model/annotations/read-annotations.js'
import { ADAPTERS, OPTION_NAMES } from '../../generator/options.js'
import { ERROR_STATUSES } from '../../runtime/errors/error-codes.js'
import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { FUNCTIONS } from '../../runtime/features/expressions/comparison-functions.js'
import { operatorsForField } from '../../runtime/rest/request/filter/filter-operators.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { blocksOfKind } from './support/kinds.js'
import { tableWith } from './support/pages.js'

/** Returns the first cells of a table, split if they contain several names. */
function names(marker: string): string[] {
  return tableWith(marker)
    .flatMap(([name = '']) => name.split(', '))
    .sort()
}

describe('docs tables', () => {
  it('list exactly the generator options', () => {
    expect(names('options')).toEqual(['output', ...OPTION_NAMES].sort())
  })

  it('list exactly the options of RestApiHandler', () => {
    const unknown = { endpoint: 'https://example.com', nothing: 1 }
    const available = messageOf(() => restHandler({}, unknown, { provider: 'sqlite' })).replace(
      /^.*Available: |\.$/g,
      '',
    )
    expect(names('rest options')).toEqual(available.split(', ').sort())
  })

  it('list every adapter', () => {
    expect(names('adapters')).toEqual([...ADAPTERS].sort())
  })

  it('list every annotation with its allowed targets', () => {
    const rows = tableWith('annotations').map(([comment = '', on = '']) => [comment, on.split(', ')] as const)
    for (const [comment, targets] of rows) {
      const written = comment.replace('<chain>', 'min(1)').replace(/\(list.*\)/, '(list)')
      for (const target of ['model', 'field', 'relation', 'enum'] as const) {
        const problems: unknown[] = []
        parseAnnotations(written, target, (problem) => problems.push(problem))
        const isPossible = targets.includes(target) || (target === 'field' && targets.includes('scalar field'))
        expect(problems.length === 0, `${written} on a ${target}`).toBe(isPossible)
      }
    }
    for (const target of ['model', 'field', 'relation'] as const) {
      const available = messageOf(() => {
        parseAnnotations('@api.nothing', target, ({ hint }) => {
          throw new Error(hint)
        })
      })
      for (const word of available.replace(/^Available: |\.$/g, '').split(', ')) {
        expect(
          rows.some(([comment]) => comment.startsWith(`@api.${word}`)),
          word,
        ).toBe(true)
      }
    }
    expect(rows.map(([comment]) => comment)).toContain(`@api.operations(${OPERATIONS.join(', ')})`)
  })

  it('list every RPC operation', () => {
    const documented = names('operations').filter((name) => name !== 'the same')
    expect(documented).toEqual([...Object.keys(PRISMA_OPERATIONS), 'exists', 'check'].sort())
  })

  it('list every filter operator', () => {
    const fields = [
      { type: 'String', optional: true },
      { type: 'String', list: true },
    ] as const
    expect(names('operators')).toEqual([...new Set(fields.flatMap(operatorsForField))].sort())
  })

  it('list every function of the filter grammar', () => {
    const words = blocksOfKind('grammar').flatMap(({ text }) =>
      [...text.matchAll(/"([A-Za-z]+)"/g)].map((one) => one[1]),
    )
    expect([...new Set(words)].sort()).toEqual([...FUNCTIONS, 'count', 'null'].sort())
  })

  it('list every error code with its status', () => {
    expect(tableWith('errors').map(([status, name]) => [name, Number(status)])).toEqual(
      Object.entries(ERROR_STATUSES).map(([name, status]) => [name, status]),
    )
  })

  it('list every limit with its default', () => {
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
