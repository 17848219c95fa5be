import { parseEndpointPath } from '../../http/routing/endpoints.js'
import type { HealthOptions, LifecycleOptions } from '../../http/lifecycle.js'
import { assertAllowedKeys, parsePositive } from '../../option-checks.js'

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
