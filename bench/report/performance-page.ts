/**
 * Writes docs/performance.md from a template and the results: `npm run bench:page [-- --node 24]`. All figures come from the results, except
 * for the bundle sizes, which `npm run bundle-table` writes into the page.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

import { MARKER, PAGE, readTable } from '../../scripts/bundle-table.js'
import { markdownTable, replaceTable, tableText } from '../../scripts/page-table.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'
import { type Spread, spread } from '../measure.js'
import { OPERATIONS } from '../operations.js'
import { type Part, PARTS } from '../options.js'
import type { ContenderName } from '../run/samples.js'
import { firstBend } from './line-chart.js'
import {
  type ByOperation,
  type Conditions,
  type GenerationRow,
  type OperationResults,
  readResults,
  type ResultFile,
  startSeries,
} from './results.js'

const RESULTS = join(ROOT, 'bench/results')
const DATABASES = { sqlite: 'SQLite', postgresql: 'PostgreSQL', mysql: 'MySQL' } as const
/** Maximum time that routes add to a start, in milliseconds, by the number of models. */
const START_GOALS: Readonly<Record<number, number>> = { 6: 25, 100: 80 }
/** Maximum time that routes add to `prisma generate`, in seconds, by the number of models. */
const GENERATION_GOALS: Readonly<Record<number, Readonly<Partial<Record<GenerationRow['run'], number>>>>> = {
  100: { cold: 3, unchanged: 0.5 },
}

type Results = { readonly [P in Part]: ResultFile<P> }
type Metric = 'wall' | 'cpu' | 'bytes'

/**
 * Renders the page.
 * @param template contains a line `<!-- bench: name -->` for each table
 * @param folder the results of one version of Node
 * @param current the current page, which contains the table of bundle sizes
 * @throws Error if a part has not been measured
 */
export function renderPage(template: string, folder: string, current: string): string {
  const results = readAll(folder)
  const tables: Readonly<Record<string, string>> = {
    conditions: conditionTable(PARTS.map((part) => [part, results[part].conditions])),
    cost: costTable(results.operations.results, results.allocation.results),
    features: featureTable(results.operations.results, results.allocation.results, current),
    http: httpTable(results.http.results),
    peers: peerTable(results.operations.results),
    load: loadTable(results.growth.results),
    growth: growthTable(results.growth.results, results.start.results),
    policies: policyTable(results.policy.results),
    generation: generationTable(results.generate.results),
    typechecks: typecheckTable(results.generate.results),
    commands: commandTable(results.changes.results),
    starts: startTable(results.start.results),
    worst: worstTable(results.worst.results.longest),
    memory: worstTable(results.worst.results.largest),
  }
  let page = template
  for (const [name, table] of Object.entries(tables)) page = replaceTable(page, `<!-- bench: ${name} -->`, table)
  return replaceTable(page, MARKER, tableText(current, MARKER))
}

function readAll(folder: string): Results {
  const missing = PARTS.filter((part) => readResults(folder, part) === undefined)
  if (missing.length > 0) {
    throw new Error(
      `${folder} has no results for ${missing.join(', ')}. Run \`npm run bench -- ${missing.join(' ')}\`.`,
    )
  }
  const read = <P extends Part>(part: P) => readResults(folder, part) as ResultFile<P>
  return {
    operations: read('operations'),
    allocation: read('allocation'),
    http: read('http'),
    growth: read('growth'),
    policy: read('policy'),
    start: read('start'),
    generate: read('generate'),
    changes: read('changes'),
    worst: read('worst'),
  }
}

type Provider = keyof typeof DATABASES

function providersOf(results: OperationResults): readonly Provider[] {
  return Object.keys(results).filter((name): name is Provider => name in DATABASES)
}

function ratioToByHand(operations: ByOperation | undefined, operation: string, metric: Metric): string {
  const ratio = operations?.[operation]?.find(({ contender }) => contender === 'by hand')?.emittedRatio[metric]
  return ratio ? withQuartiles(ratio) : ''
}

/** Formats the generated code relative to the handwritten code, without the operations of features. */
function costTable(results: OperationResults, allocation: OperationResults): string {
  const providers = providersOf(results)
  const rows = OPERATIONS.filter(({ feature }) => !feature).map(({ name, label }) => [
    label,
    ...providers.flatMap((provider) => [
      ratioToByHand(results[provider], name, 'wall'),
      ratioToByHand(results[provider], name, 'cpu'),
      ratioToByHand(allocation[provider], name, 'bytes'),
    ]),
  ])
  return markdownTable(['', ...headFor(providers, ['time', 'CPU', 'memory'])], rows.filter(isMeasured))
}

function httpTable(results: OperationResults): string {
  const providers = providersOf(results)
  const rows = OPERATIONS.map(({ name, label }) => [
    label,
    ...providers.flatMap((provider) =>
      (['wall', 'cpu'] as const).map((metric) => ratioToByHand(results[provider], name, metric)),
    ),
  ])
  return markdownTable(['', ...headFor(providers, ['time', 'CPU'])], rows.filter(isMeasured))
}

function headFor(providers: readonly Provider[], metrics: readonly string[]): readonly string[] {
  return providers.flatMap((provider) => metrics.map((metric) => `${metric}, ${DATABASES[provider]}`))
}

/** Formats the operations of features, relative to handwritten code, and the size that each feature adds to a bundle. */
function featureTable(results: OperationResults, allocation: OperationResults, current: string): string {
  const providers = providersOf(results)
  const bundles = new Map(readTable(current).map(({ name, gzip }) => [name, gzip ?? 0]))
  const rows = OPERATIONS.flatMap(({ name, label, feature }) => {
    if (!feature) return []
    const size = bundles.get(`both, with \`${feature}\``)
    const added = size === undefined ? '' : `${((size - (bundles.get('both') ?? 0)) / 1000).toFixed(1)} kB`
    const ratios = providers.flatMap((provider) => [
      ratioToByHand(results[provider], name, 'wall'),
      ratioToByHand(allocation[provider], name, 'bytes'),
    ])
    return [[feature.startsWith('`') ? feature : `\`${feature}\``, label, ...ratios, added]]
  })
  return markdownTable(['feature', 'operation', ...headFor(providers, ['time', 'memory']), 'bundle, gzip'], rows)
}

/** Formats the generated code relative to calls without HTTP, and other servers relative to the generated code. */
function peerTable(results: OperationResults): string {
  const providers = providersOf(results)
  const rows = OPERATIONS.map(({ name, label }) => [
    label,
    ...providers.flatMap((provider) => {
      const ratioTo = (contender: ContenderName) =>
        results[provider]?.[name]?.find((one) => one.contender === contender)?.emittedRatio.wall?.median
      const peers = (['trpc', 'zenstack'] as const).map((peer) => {
        const ratio = ratioTo(peer)
        return ratio === undefined ? '' : (1 / ratio).toFixed(2)
      })
      const direct = (['prisma', 'driver'] as const).map((contender) => ratioTo(contender)?.toFixed(2) ?? '')
      return [...direct, ...peers]
    }),
  ])
  const head = headFor(providers, [
    'generated / Prisma',
    'generated / driver',
    'tRPC / generated',
    'ZenStack / generated',
  ])
  return markdownTable(['', ...head], rows.filter(isMeasured))
}

/** Whether a row has a value after its label. */
function isMeasured([, ...values]: readonly string[]): boolean {
  return values.some((value) => value !== '')
}

function loadTable(results: Results['growth']['results']): string {
  const rows = Object.entries(results).flatMap(([provider, { load }]) =>
    load.map(({ contender, connections, requestsPerSecond, p50, p99 }) => [
      `${DATABASES[provider as keyof typeof DATABASES]}, ${contender}`,
      String(connections),
      String(requestsPerSecond),
      `${(p50 / 1000).toFixed(1)} ms`,
      `${(p99 / 1000).toFixed(1)} ms`,
    ]),
  )
  return markdownTable(['', 'connections', 'requests per second', 'median latency', '99th percentile'], rows)
}

function growthTable(results: Results['growth']['results'], starts: Results['start']['results']): string {
  const all = [
    ...Object.entries(results).flatMap(([provider, { series }]) =>
      series
        .filter(({ name }) => name !== 'load')
        .map((one) => ({ database: DATABASES[provider as keyof typeof DATABASES], series: one })),
    ),
    { database: '', series: startSeries(starts) },
  ]
  return markdownTable(
    ['', 'from, to', 'growth', 'first bend'],
    all.map(({ database, series }) => {
      const [line] = series.lines
      const [first, last] = [line?.points[0], line?.points.at(-1)]
      const bend = firstBend(series)
      return [
        `${series.title}${database === '' ? '' : `, ${database}`}`,
        `${first?.x} to ${last?.x} ${series.x}`,
        `${Math.round(first?.median ?? 0)} to ${Math.round(last?.median ?? 0)} ${series.unit}`,
        bend ? `${bend.line}, at ${bend.x}` : 'none',
      ]
    }),
  )
}

function policyTable(rows: Results['policy']['results']): string {
  return markdownTable(
    ['list', 'rules', 'empty extension'],
    rows.map(({ list, rules, emptyExtension }) => [list, withQuartiles(rules), withQuartiles(emptyExtension)]),
  )
}

function generationTable({ runs }: Results['generate']['results']): string {
  const sizes = [...new Set(runs.map(({ models }) => models))]
  const rows = sizes.map((models) => {
    const find = (run: GenerationRow['run']) => runs.find((one) => one.models === models && one.run === run)
    const client = find('client')
    const added = (run: GenerationRow['run']) => {
      const seconds = ((find(run)?.wallMs ?? NaN) - (client?.wallMs ?? NaN)) / 1000
      const cpu = Math.max(0, ((find(run)?.cpuMs ?? NaN) - (client?.cpuMs ?? NaN)) / 1000)
      const goal = GENERATION_GOALS[models]?.[run]
      return [`${seconds.toFixed(1)} s${goal === undefined ? '' : ` (goal: ${goal} s)`}`, `${cpu.toFixed(1)} s`]
    }
    const memory = `${Math.round(find('cold')?.routesMb ?? 0)} MB, ${Math.round(find('unchanged')?.routesMb ?? 0)} MB`
    const total = `${((client?.wallMs ?? 0) / 1000).toFixed(1)} s`
    return [String(models), ...added('cold'), ...added('unchanged'), ...added('nothing'), memory, total]
  })
  const kinds = ['first run', 'unchanged schema', 'empty generator'].flatMap((kind) => [kind, 'CPU time'])
  const head = [...kinds, 'memory: first run, unchanged', 'client only']
  return markdownTable(['models', ...head], rows)
}

function typecheckTable({ typechecks }: Results['generate']['results']): string {
  const seconds = (ms: number | undefined) => (ms === undefined ? '' : `${(ms / 1000).toFixed(1)} s`)
  return markdownTable(
    ['models', 'routes', 'client, parsed only', 'client, checked'],
    typechecks.map(({ models, clientReadMs, clientCheckMs, routesCheckMs }) => [
      String(models),
      seconds(routesCheckMs - clientReadMs),
      seconds(clientReadMs),
      seconds(clientCheckMs),
    ]),
  )
}

function commandTable(rows: Results['changes']['results']): string {
  return markdownTable(
    ['command', 'schema', 'models', 'CPU time'],
    rows.map(({ command, schema, models, cpuMs }) => [
      `\`${command}\``.replace(/^`(\w+)(.*)`$/, '`$1`$2'),
      schema,
      String(models),
      `${(cpuMs / 1000).toFixed(1)} s`,
    ]),
  )
}

function startTable(rows: Results['start']['results']): string {
  const body = rows
    .filter(({ app }) => app === 'routes')
    .map((routes) => {
      const bare = rows.find(
        ({ app, models, packaging }) => app === 'bare' && models === routes.models && packaging === routes.packaging,
      )
      const added = routes.firstResponseMs.median - (bare?.firstResponseMs.median ?? NaN)
      const goal = START_GOALS[routes.models]
      const times = [bare?.firstResponseMs, routes.firstResponseMs].map((one) => `${Math.round(one?.median ?? NaN)} ms`)
      const limit = goal === undefined ? '' : `${goal} ms`
      return [
        `${routes.models} models, ${routes.packaging}`,
        ...times,
        `${Math.round(added)} ms`,
        `${Math.round(routes.cpu.median - (bare?.cpu.median ?? NaN))} ms`,
        limit,
      ]
    })
  return markdownTable(['', 'Hono with Prisma', 'with routes', 'added', 'added CPU time', 'goal'], body)
}

function worstTable(rows: Results['worst']['results']['longest']): string {
  return markdownTable(
    ['request', 'database', 'time', 'CPU time', 'memory'],
    rows.map(({ request, database, ms, cpuMs, mebibytes }) => [
      `\`${request.trim().replaceAll('|', '\\|')}\``,
      database,
      ms === undefined ? 'timeout' : `${(ms / 1000).toFixed(1)} s`,
      cpuMs === undefined ? '' : `${(cpuMs / 1000).toFixed(1)} s`,
      mebibytes === undefined ? '' : `${Math.round(mebibytes)} MiB`,
    ]),
  )
}

/** Formats the conditions of all parts. Parts with the same conditions share a row. */
function conditionTable(all: readonly (readonly [part: Part, Conditions])[]): string {
  const parts = new Map<string, Part[]>()
  for (const [part, { date, commit, cpu, cores, memoryGb, system, versions }] of all) {
    const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
    const machine = `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}`
    const key = [date, commit, machine, packages.join(', ')].join(' | ')
    parts.set(key, [...(parts.get(key) ?? []), part])
  }
  const rows = [...parts].map(([key, names]) => [names.join(', '), key])
  return [
    '| parts | date | commit | machine | versions |',
    '|:--|:--|:--|:--|:--|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')
}

function withQuartiles({ q1, median, q3 }: Spread): string {
  return `${median.toFixed(2)} (${q1.toFixed(2)} to ${q3.toFixed(2)})`
}

/** Formats the median ratio of the generated to the handwritten code, for each version of Node with results. */
export function versionTable(results: string): string {
  const folders = existsSync(results) ? readdirSync(results).filter((name) => name.startsWith('node-')) : []
  const rows = folders.flatMap((folder) => {
    const file = readResults(join(results, folder), 'operations')
    if (!file) return []
    return providersOf(file.results).map((provider) => {
      const medians = (metric: Metric) =>
        Object.values(file.results[provider] ?? {}).flatMap((all) => {
          const ratio = all.find(({ contender }) => contender === 'by hand')?.emittedRatio[metric]
          return ratio ? [ratio.median] : []
        })
      const { versions } = file.conditions
      return [
        `Node ${versions['node']}, ${DATABASES[provider]}`,
        ...(['wall', 'cpu'] as const).map((metric) => withQuartiles(spread(medians(metric)))),
      ]
    })
  })
  return markdownTable(['', 'time', 'CPU time'], rows)
}

function main(): void {
  const { values } = parseArgs({ options: { node: { type: 'string', default: '24' } } })
  const template = readFileSync(join(import.meta.dirname, 'performance-page.md'), 'utf8')
  const page = renderPage(template, join(RESULTS, `node-${values.node}`), readFileSync(PAGE, 'utf8'))
  writeFileSync(PAGE, replaceTable(page, '<!-- bench: versions -->', versionTable(RESULTS)))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main()
