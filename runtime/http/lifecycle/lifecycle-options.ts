import { parsePositive, assertAllowedKeys } from '../../option-checks.js'
import { parseEndpointPath } from '../endpoint-path.js'

/** Options of REST and RPC for slow requests, overload and health checks. */
export interface LifecycleOptions {
  /**
   * Maximum duration of a request in milliseconds. A request that takes longer gets a 504 response and starts no further query. The
   * runtime's write transactions use the remaining time as their timeout. Default: unlimited.
   */
  readonly timeout?: number
  /**
   * Maximum number of concurrent requests. Further requests are rejected with a 503 before their body is read. A request counts until its
   * work has ended, which may be after its response. Default: unlimited.
   */
  readonly maxInFlight?: number
  /**
   * Serves a health check for `GET` and `HEAD` at a path below the prefix: 200 if the database responds, 503 if it does not or while the
   * handler drains. `true` means the path `/health`. Default: no health check.
   */
  readonly health?: boolean | string | HealthOptions
}

/** Options of the health check. */
export interface HealthOptions {
  /** The path below the prefix. Default: `/health`. */
  readonly path?: string
  /**
   * Returns the client to check, for apps whose `getOrm` needs an authenticated caller. Health checks have none. Default: the adapter's
   * `getOrm`.
   */
  readonly getOrm?: () => object | Promise<object>
  /** Maximum response time of the database in milliseconds. Default: 1000. */
  readonly timeout?: number
}

/** Checked {@link LifecycleOptions}. */
export interface LifecycleSettings {
  readonly timeout: number | undefined
  readonly maxInFlight: number
  readonly health: HealthSettings | undefined
}

/** Checked {@link HealthOptions} with defaults. */
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

/** The maximum delay of timers. Longer timers fire immediately. */
const MAX_DELAY = 2 ** 31 - 1

const DEFAULT_HEALTH: HealthSettings = { path: '/health', getOrm: undefined, timeout: 1000 }

const HEALTH_PATH = { option: 'health', fallback: DEFAULT_HEALTH.path, example: '/-/health', deep: true } as const

/**
 * Checks the lifecycle options.
 * @param isReserved whether another endpoint is served at paths that begin with this segment
 * @throws Error if an option is invalid, with a description of valid values
 */
export function parseLifecycleOptions(
  { timeout = Infinity, maxInFlight = Infinity, health }: LifecycleOptions,
  isReserved: (segment: string) => boolean,
): LifecycleSettings {
  return {
    timeout: parsePositive('timeout', timeout) === Infinity ? undefined : Math.min(timeout, MAX_DELAY),
    maxInFlight: parsePositive('maxInFlight', maxInFlight),
    health: parseHealth(health, isReserved),
  }
}

function parseHealth(
  input: LifecycleOptions['health'],
  isReserved: (segment: string) => boolean,
): HealthSettings | undefined {
  const options: HealthOptions = typeof input === 'object' && input !== null ? input : {}
  assertAllowedKeys('option of health', options, Object.keys(DEFAULT_HEALTH))
  const { path: pathOption = true, getOrm: orm, timeout = DEFAULT_HEALTH.timeout } = options
  const path = parseEndpointPath(options === input ? pathOption : input, { ...HEALTH_PATH, isReserved })
  if (path === undefined) return undefined
  if (orm !== undefined && typeof orm !== 'function') throw new Error('health.getOrm must be a function.')
  return { path, getOrm: orm, timeout: Math.min(parsePositive('health.timeout', timeout), MAX_DELAY) }
}
