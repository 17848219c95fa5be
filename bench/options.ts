import { parseArgs } from 'node:util'

import type { DataSet } from './data-set/data-set.js'
import { postgresql } from './data-set/postgresql.js'
import { sqlite } from './data-set/sqlite.js'

/** The parts of the benchmark, in the order in which they run. */
export const PARTS = [
  'operations',
  'allocation',
  'http',
  'growth',
  'policy',
  'start',
  'generate',
  'changes',
  'worst',
] as const

export type Part = (typeof PARTS)[number]

/** The options of a run. */
export interface Options {
  readonly parts: readonly Part[]
  /** The version of Node to install and use. Default: the current one. */
  readonly node: string | undefined
  /** The folder for the results. */
  readonly out: string | undefined
  readonly dataSets: readonly DataSet[]
  readonly sqliteDriver: string
  /** Names of operations or growth series. Default: all. */
  readonly only: string
  /** Whether ZenStack and tRPC are measured. */
  readonly peers: boolean
  /** Number of rounds in process, over HTTP and of growth. */
  readonly rounds: { readonly inProcess: number; readonly http: number; readonly growth: number }
  /** Maximum duration of a contender's warm-up in milliseconds. Default: 6000. */
  readonly warmUp: string | undefined
  /** Sizes of schemas, in models. Default: those of the part. */
  readonly models: readonly number[] | undefined
  /** Number of runs of commands and processes. Default: that of the part. */
  readonly runs: number | undefined
  readonly worst: {
    /** Number of generated requests. */
    readonly generated: number
    readonly seed: number
    /** Timeout in seconds. */
    readonly limit: number
    /** Measures only every nth family of requests. */
    readonly every: number
  }
}

/**
 * Parses the arguments of the command.
 * @throws Error for an unknown part or database
 */
export function parseOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    allowNegative: true,
    options: {
      node: { type: 'string' },
      out: { type: 'string' },
      database: { type: 'string' },
      'sqlite-driver': { type: 'string', default: 'better-sqlite3' },
      only: { type: 'string', default: '' },
      peers: { type: 'boolean', default: true },
      rounds: { type: 'string', default: '101' },
      'http-rounds': { type: 'string', default: '25' },
      'growth-rounds': { type: 'string', default: '21' },
      'warm-up': { type: 'string' },
      models: { type: 'string' },
      runs: { type: 'string' },
      generated: { type: 'string', default: '200' },
      seed: { type: 'string', default: '20261122' },
      limit: { type: 'string', default: '20' },
      every: { type: 'string', default: '1' },
    },
  })
  const unknown = positionals.find((name) => !PARTS.some((part) => part === name))
  if (unknown !== undefined) throw new Error(`Unknown part "${unknown}". Available parts: ${PARTS.join(', ')}.`)
  const { TEST_POSTGRES_URL: server } = environment
  const dataSets = [sqlite, ...(server ? [postgresql(server)] : [])].filter(
    ({ provider }) => values.database === undefined || values.database === provider,
  )
  if (dataSets.length === 0)
    throw new Error(`There is no database "${values.database}". PostgreSQL needs TEST_POSTGRES_URL.`)
  return {
    parts: PARTS.filter((part) => positionals.length === 0 || positionals.includes(part)),
    node: values.node,
    out: values.out,
    dataSets,
    sqliteDriver: values['sqlite-driver'],
    only: values.only,
    peers: values.peers,
    rounds: {
      inProcess: Number(values.rounds),
      http: Number(values['http-rounds']),
      growth: Number(values['growth-rounds']),
    },
    warmUp: values['warm-up'],
    models: values.models?.split(',').map(Number),
    runs: values.runs === undefined ? undefined : Number(values.runs),
    worst: {
      generated: Number(values.generated),
      seed: Number(values.seed),
      limit: Number(values.limit),
      every: Number(values.every),
    },
  }
}
