import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { parseOptions, PARTS } from '../../bench/options.js'
import { firstBend, lineChart, type Series } from '../../bench/report/line-chart.js'
import { renderPage, versionTable } from '../../bench/report/performance-page.js'
import { type ResultsByPart, writeResults } from '../../bench/report/results.js'
import { summarize } from '../../bench/run/samples.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'
import { replaceTable, tableCells } from '../../scripts/page-table.js'

const results = mkdtempSync(join(tmpdir(), 'routewright-results-'))
const folder = join(results, 'node-24')
afterAll(() => rmSync(results, { recursive: true, force: true }))

const line = (name: string, medians: readonly number[]) => ({
  name,
  points: medians.map((median, index) => ({ x: 10 ** index, q1: median, median, q3: median })),
})
const SERIES: Series = {
  name: 'cursor',
  title: 'time of a page',
  x: 'page',
  unit: 'µs',
  lines: [line('generated', [10, 11, 12]), line('by offset', [10, 12, 120])],
}

describe('cost growth', () => {
  it('firstBend: returns the number at which the first line starts to bend', () => {
    expect(firstBend(SERIES)).toEqual({ line: 'by offset', x: 10 })
    expect(firstBend({ ...SERIES, lines: [line('flat', [5, 5, 6])] })).toBeUndefined()
  })

  it('lineChart: draws one line per contender, lower for lower values', () => {
    const lines = [...lineChart(SERIES, 'SQLite').matchAll(/<polyline points="([^"]+)"/g)].map(([, points = '']) =>
      points.split(' ').map((point) => Number(point.split(',')[1])),
    )
    expect(lines).toHaveLength(2)
    const [flat = [], steep = []] = lines
    expect(flat[0]).toBe(steep[0])
    expect(flat[2]).toBeGreaterThan(steep[2] ?? Infinity)
  })
})

it('summarize: relates each contender to the generated code in the same round, and omits metrics without values', () => {
  const [, byHand] = summarize([
    { contender: 'emitted', wall: [12, 120], cpu: [1, 1], bytes: [] },
    { contender: 'by hand', wall: [10, 100], cpu: [2, 2], bytes: [] },
  ])
  expect(byHand?.emittedRatio).toEqual({
    wall: { q1: 1.2, median: 1.2, q3: 1.2 },
    cpu: { q1: 0.5, median: 0.5, q3: 0.5 },
  })
})

describe('benchmark options', () => {
  it('selects all parts by default, in the order of the benchmark', () => {
    expect(parseOptions([], {}).parts).toEqual(PARTS)
    expect(parseOptions(['changes', 'growth'], {}).parts).toEqual(['growth', 'changes'])
  })

  it('rejects unknown parts and databases without a server', () => {
    expect(() => parseOptions(['lists'], {})).toThrow('Unknown part "lists". Available parts: operations,')
    expect(() => parseOptions(['--database', 'postgresql'], {})).toThrow('PostgreSQL needs TEST_POSTGRES_URL.')
  })
})

describe('tables of pages', () => {
  it('replaceTable: inserts a table below its marker', () => {
    expect(replaceTable('# A\n\n<!-- t -->\n\nText.\n', '<!-- t -->', '| a |')).toBe(
      '# A\n\n<!-- t -->\n\n| a |\n\nText.\n',
    )
  })

  it('replaceTable: replaces a table, and rejects a page without the marker', () => {
    expect(replaceTable('<!-- t -->\n\n| old |\n\nText.\n', '<!-- t -->', '| a |')).toBe(
      '<!-- t -->\n\n| a |\n\nText.\n',
    )
    expect(() => replaceTable('# A\n', '<!-- t -->', '| a |')).toThrow('no line <!-- t -->')
  })
})

describe('performance page', () => {
  const template = readFileSync(join(ROOT, 'bench/report/performance-page.md'), 'utf8')
  const current = readFileSync(join(ROOT, 'docs/performance.md'), 'utf8')
  const ratio = (median: number) => ({ q1: median - 0.1, median, q3: median + 0.1 })
  const measured = (name: 'emitted' | 'by hand' | 'trpc', wall: number) => ({
    contender: name,
    values: { wall: ratio(100), cpu: ratio(90) },
    emittedRatio: { wall: ratio(wall), cpu: ratio(1) },
  })
  const inProcess = {
    get: [measured('emitted', 1), measured('by hand', 1.25)],
    atomic: [measured('emitted', 1), measured('by hand', 1.5)],
    'rpc-create': [measured('trpc', 0.5)],
  }
  const RESULTS: ResultsByPart = {
    operations: { sqlite: inProcess },
    allocation: { sqlite: {} },
    http: { sqlite: {} },
    growth: {
      sqlite: {
        series: [SERIES],
        load: [{ contender: 'generated', connections: 4, requestsPerSecond: 900, p50: 1500, p99: 9900 }],
      },
    },
    policy: [{ list: 'REST list', rules: ratio(1.1), emptyExtension: ratio(1.05) }],
    start: (['bare', 'routes'] as const).map((app) => ({
      models: 6,
      packaging: 'bundled',
      app,
      loaded: ratio(50),
      firstResponseMs: ratio(app === 'bare' ? 100 : 121),
      cpu: ratio(app === 'bare' ? 90 : 100),
    })),
    generate: {
      runs: (['client', 'cold', 'unchanged', 'nothing'] as const).map((run, index) => ({
        models: 100,
        run,
        wallMs: 4000 + index * 1000,
        cpuMs: 5000,
        prismaMb: 100,
        routesMb: 50,
      })),
      typechecks: [{ models: 100, clientReadMs: 1000, clientCheckMs: 3000, routesCheckMs: 2600 }],
    },
    changes: [{ models: 100, schema: 'unchanged', command: 'check', cpuMs: 1400 }],
    worst: {
      accepted: { 'sqlite:even': 2 },
      longest: [{ database: 'sqlite:even', request: 'GET /post', ms: 1900, cpuMs: 1800, mebibytes: 12 }],
      largest: [{ database: 'sqlite:even', request: 'GET /comment' }],
    },
  }

  it('fails if a part has no results, and names it', async () => {
    await writeResults(folder, 'operations', RESULTS.operations)
    expect(() => renderPage(template, folder, current)).toThrow(
      'no results for allocation, http, growth, policy, start, generate, changes, worst. Run `npm run bench -- allocation',
    )
  })

  it('contains the results of each part', async () => {
    for (const part of PARTS) await writeResults(folder, part, RESULTS[part])
    const page = replaceTable(renderPage(template, folder, current), '<!-- bench: versions -->', versionTable(results))
    const cells = (name: string) => tableCells(page, `<!-- bench: ${name} -->`)
    expect(cells('cost')).toContainEqual(['get by id', '1.25 (1.15 to 1.35)', '1.00 (0.90 to 1.10)', ''])
    // The size is that of the current page.
    const size: unknown = expect.stringMatching(/^\d\.\d kB$/)
    expect(cells('features')).toContainEqual(['`atomic`', '10 creates, atomic', '1.50 (1.40 to 1.60)', '', size])
    expect(cells('peers')).toContainEqual(['RPC create', '', '', '2.00', ''])
    expect(cells('load')).toEqual([['SQLite, generated', '4', '900', '1.5 ms', '9.9 ms']])
    expect(cells('growth')[0]).toEqual(['time of a page, SQLite', '1 to 100 page', '10 to 12 µs', 'by offset, at 10'])
    expect(cells('starts')).toEqual([['6 models, bundled', '100 ms', '121 ms', '21 ms', '10 ms', '25 ms']])
    expect(cells('generation')[0]?.slice(0, 4)).toEqual(['100', '1.0 s (goal: 3 s)', '0.0 s', '2.0 s (goal: 0.5 s)'])
    expect(cells('generation')[0]?.slice(5, 7)).toEqual(['3.0 s', '0.0 s'])
    expect(cells('typechecks')).toEqual([['100', '1.6 s', '1.0 s', '3.0 s']])
    expect(cells('commands')).toEqual([['`check`', 'unchanged', '100', '1.4 s']])
    expect(cells('worst')).toEqual([['`GET /post`', 'sqlite:even', '1.9 s', '1.8 s', '12 MiB']])
    expect(cells('memory')).toEqual([['`GET /comment`', 'sqlite:even', 'timeout', '', '']])
    expect(cells('conditions').map(([parts]) => parts)).toEqual([PARTS.join(', ')])
    expect(page).not.toMatch(/NaN|undefined/)
    expect(tableCells(page, '<!-- bundle -->')).toEqual(tableCells(current, '<!-- bundle -->'))
  })
})
