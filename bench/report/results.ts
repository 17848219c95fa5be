import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'

import { format } from 'prettier'

import { type Provider, ROOT } from '../../scripts/prepare-fixtures.js'
import type { Spread } from '../measure.js'
import type { Part } from '../options.js'
import type { Measured } from '../run/samples.js'
import { chart } from './bar-chart.js'
import { lineChart, type Series } from './line-chart.js'

/** The results of all contenders, by operation. */
export type ByOperation = Readonly<Record<string, readonly Measured[]>>

export type OperationResults = Readonly<Partial<Record<Provider, ByOperation>>>

/** The latency of requests over HTTP at a number of connections, in microseconds. */
export interface Load {
  readonly contender: string
  readonly connections: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
}

/** A list with access rules, relative to the same list without rules. */
export interface PolicyRow {
  readonly list: string
  readonly rules: Spread
  /** The ratio for an empty client extension that is created for each request. */
  readonly emptyExtension: Spread
}

/** The cold starts of an app, in milliseconds from process start. */
export interface StartRow {
  readonly models: number
  readonly packaging: 'installed' | 'bundled'
  readonly app: 'bare' | 'routes'
  readonly loaded: Spread
  readonly firstResponseMs: Spread
  readonly cpu: Spread
}

/** The time of `prisma generate` for a schema. The least of all runs. */
export interface GenerationRow {
  readonly models: number
  readonly run: 'client' | 'nothing' | 'cold' | 'unchanged' | 'routes'
  readonly wallMs: number
  readonly cpuMs: number
  readonly prismaMb: number
  readonly routesMb: number
}

/** The time of type checks and of ZenStack's generator. */
export interface TypecheckRow {
  readonly models: number
  readonly clientReadMs: number
  readonly clientCheckMs: number
  readonly routesCheckMs: number
  readonly zenstackMs?: number | undefined
}

/** The CPU time of a command. The least of all runs. */
export interface CommandRow {
  readonly models: number
  readonly schema: 'unchanged' | 'with a new field'
  readonly command: string
  readonly cpuMs: number
}

/** A request and its cost. Without the cost if it exceeded the timeout. */
export interface RequestRow {
  readonly database: string
  readonly request: string
  readonly ms?: number
  readonly cpuMs?: number
  readonly mebibytes?: number
}

/** The results of each part. */
export interface ResultsByPart {
  readonly operations: OperationResults
  readonly allocation: OperationResults
  readonly http: OperationResults
  readonly growth: Readonly<
    Partial<Record<Provider, { readonly series: readonly Series[]; readonly load: readonly Load[] }>>
  >
  readonly policy: readonly PolicyRow[]
  readonly start: readonly StartRow[]
  readonly generate: { readonly runs: readonly GenerationRow[]; readonly typechecks: readonly TypecheckRow[] }
  readonly changes: readonly CommandRow[]
  readonly worst: {
    readonly accepted: Readonly<Record<string, number>>
    readonly longest: readonly RequestRow[]
    readonly largest: readonly RequestRow[]
  }
}

/** The conditions of a measurement. */
export interface Conditions {
  readonly date: string
  /** The commit, followed by `+` if files have changed since then. */
  readonly commit: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly versions: Readonly<Record<string, string>>
  /** The arguments of the command. */
  readonly args: readonly string[]
}

/** The content of a file with results. */
export interface ResultFile<P extends Part> {
  readonly part: P
  readonly conditions: Conditions
  readonly results: ResultsByPart[P]
}

const PACKAGES = ['prisma', '@prisma/client', 'hono', 'zod', 'superjson', '@hono/node-server', 'typescript', 'esbuild']
/** Packages that are installed in separate folders. */
const PEER_PACKAGES = {
  'bench/trpc': '@trpc/server',
  'bench/zenstack': '@zenstackhq/server',
}

/** Writes the results of a part, and its charts. */
export async function writeResults<P extends Part>(folder: string, part: P, results: ResultsByPart[P]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const file: ResultFile<P> = { part, conditions: conditions(), results }
  const text = await format(JSON.stringify(file, round), { parser: 'json', printWidth: 140 })
  writeFileSync(join(folder, `${part}.json`), text)
  for (const [name, svg] of charts(file)) writeFileSync(join(folder, `${name}.svg`), svg)
}

/** Reads the results of a part. Returns undefined if it has not been measured. */
export function readResults<P extends Part>(folder: string, part: P): ResultFile<P> | undefined {
  const path = join(folder, `${part}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as ResultFile<P>) : undefined
}

function* charts({ part, results }: ResultFile<Part>): Iterable<readonly [name: string, svg: string]> {
  if (part === 'operations') {
    for (const [provider, operations] of Object.entries(results as OperationResults)) {
      yield [provider, chart(provider, operations)]
    }
  }
  if (part === 'growth') {
    for (const [provider, { series }] of Object.entries(results as ResultsByPart['growth'])) {
      for (const one of series) yield [`${provider}-${one.name}`, lineChart(one, provider)]
    }
  }
  if (part === 'start') yield ['start', lineChart(startSeries(results as ResultsByPart['start']), 'CPU time')]
}

/** Converts the cold starts to lines. */
export function startSeries(rows: readonly StartRow[]): Series {
  return {
    name: 'start',
    title: 'from process start to the first response',
    x: 'models',
    unit: 'ms',
    lines: (['installed', 'bundled'] as const).flatMap((packaging) =>
      (['bare', 'routes'] as const).flatMap((app) => {
        const points = rows
          .filter((row) => row.packaging === packaging && row.app === app)
          .map(({ models, cpu }) => ({ x: models, ...cpu }))
        const name = `${app === 'bare' ? 'Hono with Prisma' : 'with routes'}, ${packaging}`
        return points.length > 0 ? [{ name, points }] : []
      }),
    ),
  }
}

function conditions(): Conditions {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const changes = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/results')
  const [cpu] = cpus()
  const driverFolder = process.env['BENCH_BETTER_SQLITE3']
  const installed = [
    ...(driverFolder === undefined ? [] : [['better-sqlite3', driverFolder] as const]),
    ...PACKAGES.map((name) => [name, ROOT] as const),
    ...Object.entries(PEER_PACKAGES).map(([folder, name]) => [name, join(ROOT, folder)] as const),
  ]
  const versions = installed.flatMap(([name, folder]) => {
    const version = packageVersion(name, folder)
    return version === undefined ? [] : [[name, version] as const]
  })
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: `${git('rev-parse', '--short=12', 'HEAD')}${changes === '' ? '' : '+'}`,
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    versions: { node: process.versions.node, ...Object.fromEntries(versions) },
    args: process.argv.slice(2),
  }
}

function packageVersion(name: string, folder: string): string | undefined {
  try {
    const paths = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? []
    const path = paths.map((one) => join(one, name, 'package.json')).find((one) => existsSync(one))
    return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
  } catch {
    return undefined
  }
}

/** Rounds numbers to four digits. */
function round(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
