import { readFileSync } from 'node:fs'
import path from 'node:path'

import { createTwoFilesPatch } from 'diff'
import { describe, expect, it } from 'vitest'

import { ROOT } from '../../scripts/prepare-fixtures.js'
import { SCHEMA_HEAD } from '../support/generate.js'
import { documentsOf } from './support/documents.js'

describe('Diff of the OpenAPI documents after a schema change', () => {
  const shop = (field = '') => `${SCHEMA_HEAD.replace('./routes', '../src/routes')}
model Customer {
  id     Int     @id @default(autoincrement())
  email  String  @unique
  name   String?
  orders Order[]
  ${field}
}
model Order {
  id         Int      @id @default(autoincrement())
  placedAt   DateTime @default(now())
  customer   Customer @relation(fields: [customerId], references: [id])
  customerId Int
}
model Ticket {
  id   Int    @id @default(autoincrement())
  text String
}
`

  it('limits a new scalar field to the schemas and paths of its model', async () => {
    const [before, after] = [await documentsOf(shop()), await documentsOf(shop('nickname String?'))]
    for (const style of ['rest', 'rpc'] as const) {
      const patch = createTwoFilesPatch('a', 'b', before[style], after[style], '', '', { context: 0 })
      const changed = patch.split('\n').filter((line) => /^[-+] /.test(line))
      expect(changed.length).toBeGreaterThan(10)
      expect(changed.length, patch).toBeLessThanOrEqual(BUDGET[style])
      const elsewhere = diffPaths(JSON.parse(before[style]), JSON.parse(after[style])).filter(
        (path) => !/^(paths \/customer\b|components \w+ Customer)/.test(path),
      )
      expect(elsewhere).toEqual([])
    }
  })

  const BUDGET = { rest: 40, rpc: 45 }
})

describe('OpenAPI documents of the issue tracker', () => {
  // Without an optional text, the first one would also add the filters of its type.
  const tracker = (field = '', hint = '') => {
    const text = readFileSync(path.join(ROOT, 'examples/issue-tracker/prisma/schema.prisma'), 'utf8')
    return text
      .replace('"../server/routes"', '"../src/routes"')
      .replace(/^ {2}(policy|files) .*\n/gm, '')
      .replace('  dueOn ', `  ${field}\n  dueOn `)
      .replace('  text      String\n', (line) => `${line}  ${hint}\n`)
  }

  it('limits the size of both documents', async () => {
    const { rest, rpc } = await documentsOf(tracker())
    expect(rest.length).toBeLessThanOrEqual(260_000)
    expect(rpc.length).toBeLessThanOrEqual(492_000)
  })

  it.each([
    ['DateTime?', { rest: 15, rpc: 10 }],
    ['String?', { rest: 13, rpc: 10 }],
    ['Int?', { rest: 15, rpc: 13 }],
  ])('%s: limits the lines that a new field of a model changes', async (type, budget) => {
    const before = await documentsOf(tracker('', 'hint String?'))
    const after = await documentsOf(tracker(`added ${type}`, 'hint String?'))
    for (const style of ['rest', 'rpc'] as const) {
      const patch = createTwoFilesPatch('a', 'b', before[style], after[style], '', '', { context: 0 })
      const changed = patch.split('\n').filter((line) => /^[-+] /.test(line))
      expect(changed.length, `${style}: ${patch}`).toBeLessThanOrEqual(budget[style])
      expect(changed.length).toBeGreaterThan(5)
    }
  })
})

/** Returns the paths at which two documents differ, at most three names long. */
function diffPaths(left: unknown, right: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(left) === JSON.stringify(right)) return []
  if (path.length === 3 || !isObject(left) || !isObject(right)) return [path.join(' ')]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].flatMap((name) => diffPaths(left[name], right[name], [...path, name]))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
