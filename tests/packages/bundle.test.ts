import { readFileSync } from 'node:fs'

import { beforeAll, describe, expect, it } from 'vitest'

import { type Bundle, measureBundles, PAGE, readTable, formatTable } from '../../scripts/bundle-table.js'

/** Maximum size of the blog's API without features, Hono, zod and superjson, compressed, in bytes. */
const BUDGETS = {
  both: 70_600,
  REST: 51_600,
  RPC: 41_300,
  'REST, only `list` and `get`': 38_900,
  'both, with all features': 90_000,
}

/** Maximum size that `openApi()` adds to it, compressed. */
const OPENAPI_BUDGET = 38_900

/** Returns the relative error of a documented number. */
const off = (documented: number, right: number): number => (right === documented ? 0 : Math.abs(documented / right - 1))

let rows: readonly Bundle[]
beforeAll(async () => {
  rows = await measureBundles()
  console.log(await formatTable(rows))
})

describe('worker bundle of the blog', () => {
  const sizeOf = (wanted: string) => rows.find(({ name }) => name === wanted)

  it.each(Object.entries(BUDGETS))('%s: stays within its size budget', (name, budget) => {
    expect(sizeOf(`${name}, without Hono, zod and superjson`)?.gzip).toBeLessThanOrEqual(budget)
  })

  it('contains only a part of zod with `openApi()`', () => {
    const added = (sizeOf('both, with `openApi()`')?.gzip ?? 0) - (sizeOf('both')?.gzip ?? 0)
    expect(added).toBeGreaterThan(0)
    expect(added).toBeLessThanOrEqual(OPENAPI_BUDGET)
  })

  it('does not contain the code of an API style that the app does not mount', () => {
    const generated = sizeOf('RPC, with REST also generated')?.gzip ?? Infinity
    expect(generated).toBeLessThanOrEqual(1.02 * (sizeOf('RPC')?.gzip ?? 0))
  })

  it('does not contain superjson with only REST', () => {
    expect(sizeOf('REST')?.packages).toContain('hono')
    expect(sizeOf('REST')?.packages).not.toContain('superjson')
  })

  it('matches docs/performance.md (update with `npm run bundle-table`)', () => {
    const documentedRows = new Map(readTable(readFileSync(PAGE, 'utf8')).map((row) => [row.name, row]))
    expect([...documentedRows.keys()].sort()).toEqual(rows.map(({ name }) => name).sort())
    for (const { name, minified, gzip = 0 } of rows) {
      const documented: Bundle = documentedRows.get(name) ?? { name, minified: 0 }
      expect(off(documented.minified, minified), name).toBeLessThanOrEqual(0.05)
      expect(off(documented.gzip ?? 0, gzip), `${name}, gzip`).toBeLessThanOrEqual(0.05)
    }
  })
})
