import { parsePositive, assertKnownKeys } from '../../limits.js'
import { parseEndpointPath } from '../endpoint-path.js'

/** What a handler does about slow requests, too many of them, and those who ask whether it is well: options of both styles. */
export interface LifecycleOptions {
  /**
   * How long a request may take, in milliseconds. Then it is answered with 504, and no further query begins. Writes in transactions of
   * ours get what is left as the limit of the transaction. Default: as long as it takes.
   */
  readonly timeout?: number
  /**
   * How many requests may be answered at once. Beyond it a request is answered with 503 before anything of it is read. Counted until the
   * work on a request has ended, which may be after its answer. Default: any number.
   */
  readonly maxInFlight?: number
  /**
   * Answers `GET` and `HEAD` of a path below the prefix with 200 where the database answers, with 503 where it does not and while the
   * handler drains. `true` is the path `/health`. Default: no such path.
   */
  readonly health?: boolean | string | HealthOptions
}

/** What is asked where someone asks whether all is well. */
export interface HealthOptions {
  /** The path below the prefix. Default: `/health`. */
  readonly path?: string
  /**
   * Gives the client to ask, for an app whose `getOrm` needs to know who asks: nobody does here. Default: the adapter's `getOrm`.
   */
  readonly getOrm?: () => object | Promise<object>
  /** How long the database may take, in milliseconds. Default 1000. */
  readonly timeout?: number
}

/** {@link LifecycleOptions}, checked. */
export interface LifecycleSettings {
  readonly timeout: number | undefined
  readonly maxInFlight: number
  readonly health: HealthSettings | undefined
}

/** {@link HealthOptions}, checked, with the defaults. */
export interface HealthSettings {
  readonly path: string
  readonly getOrm: HealthOptions['getOrm']
  readonly timeout: number
}

/** The names of {@link LifecycleOptions}. */
export const LIFECYCLE_OPTIONS = [
  'timeout',
  'maxInFlight',
  'health',
] as const satisfies readonly (keyof LifecycleOptions)[]

/** Beyond it, timers fire at once. */
const LONGEST = 2 ** 31 - 1

const DEFAULT_HEALTH: HealthSettings = { path: '/health', getOrm: undefined, timeout: 1000 }

const HEALTH_PATH = { option: 'health', byDefault: DEFAULT_HEALTH.path, instead: '/-/health', deep: true } as const

/**
 * Checks the options.
 * @param isTaken whether something else is served at paths that begin with a segment
 * @throws Error that says what is wrong, and what would be right
 */
export function parseLifecycleOptions(
  { timeout = Infinity, maxInFlight = Infinity, health }: LifecycleOptions,
  isTaken: (segment: string) => boolean,
): LifecycleSettings {
  return {
    timeout: parsePositive('timeout', timeout) === Infinity ? undefined : Math.min(timeout, LONGEST),
    maxInFlight: parsePositive('maxInFlight', maxInFlight),
    health: readHealth(health, isTaken),
  }
}

function readHealth(
  given: LifecycleOptions['health'],
  isTaken: (segment: string) => boolean,
): HealthSettings | undefined {
  const own: HealthOptions = typeof given === 'object' && given !== null ? given : {}
  assertKnownKeys('option of health', own, Object.keys(DEFAULT_HEALTH))
  const { path: asked = true, getOrm: orm, timeout = DEFAULT_HEALTH.timeout } = own
  const path = parseEndpointPath(own === given ? asked : given, { ...HEALTH_PATH, isTaken })
  if (path === undefined) return undefined
  if (orm !== undefined && typeof orm !== 'function') throw new Error('health.getOrm must be a function.')
  return { path, getOrm: orm, timeout: Math.min(parsePositive('health.timeout', timeout), LONGEST) }
}
