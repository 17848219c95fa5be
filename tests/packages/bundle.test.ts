import { readFileSync } from 'node:fs'

import { beforeAll, describe, expect, it } from 'vitest'

import { type Bundle, measureBundles, PAGE, readTable, tableOf } from '../../scripts/bundle-table.js'

/** What the blog's API may weigh in both styles, in bytes. */
const BUDGET = { minified: 302_000, gzip: 105_500 }

/** By how much a number is off, as a share of the right one. */
const off = (said: number, right: number): number => (right === said ? 0 : Math.abs(said / right - 1))

let rows: readonly Bundle[]
beforeAll(async () => {
  rows = await measureBundles()
  console.log(await tableOf(rows))
})

describe('the blog, bundled for a worker', () => {
  it('weighs no more than its budget', () => {
    const both = rows.find(({ name }) => name === 'both')
    expect(both?.minified).toBeLessThanOrEqual(BUDGET.minified)
    expect(both?.gzip).toBeLessThanOrEqual(BUDGET.gzip)
  })

  it('weighs what docs/performance.md says; `npm run bundle-table` writes it anew', () => {
    const shown = new Map(readTable(readFileSync(PAGE, 'utf8')).map((row) => [row.name, row]))
    expect([...shown.keys()].sort()).toEqual(rows.map(({ name }) => name).sort())
    for (const { name, minified, gzip = 0 } of rows) {
      const said: Bundle = shown.get(name) ?? { name, minified: 0 }
      expect(off(said.minified, minified), name).toBeLessThanOrEqual(0.05)
      expect(off(said.gzip ?? 0, gzip), `${name}, gzip`).toBeLessThanOrEqual(0.05)
    }
  })
})
