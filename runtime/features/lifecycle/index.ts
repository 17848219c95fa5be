import type { Feature } from '../../http/feature.js'
import { RequestError } from '../../errors/request-error.js'
import { RETRY_AFTER } from '../../http/active-request.js'
import type { CreateLifecycle, HealthOptions, LifecycleOptions } from '../../http/lifecycle.js'
import { pathAfterPrefix } from '../../http/routing/mount-path.js'
import { createHealthCheck, type HealthSettings } from './health-check.js'
import { withTimeout } from './with-timeout.js'
import { parseEndpointPath } from '../../http/routing/endpoints.js'
import { assertAllowedKeys, parsePositive } from '../../option-checks.js'

/**
 * Enables timeouts, a limit on concurrent requests and a health check: the handler options `timeout`, `maxInFlight` and `health`.
 * Called by the emitted `index.ts`.
 */
export function lifecycle(): Feature<'lifecycle'> {
  return { name: 'lifecycle', implementation: createLifecycle }
}

/** Creates the timeout, the limit on concurrent requests and the health check of a handler. */
const createLifecycle: CreateLifecycle = (options, isReserved, style) => {
  const { timeout, maxInFlight, health } = parseLifecycleOptions(options, isReserved)
  const { fail } = style
  const respond = health && createHealthCheck(health, style)
  return {
    healthPath: health?.path,
    checkHealth(request, context, isDraining) {
      if (!respond || pathAfterPrefix(request.url, context.prefix) !== health.path) return undefined
      return respond(request, context, isDraining)
    },
    rejectOverload: (context, inFlight) => (inFlight < maxInFlight ? undefined : fail(overloadedError(), context)),
    startTimed(request, context, fetchResponse) {
      return timeout === undefined ? undefined : withTimeout(request, context, timeout, fetchResponse, fail)
    },
    addHealthRoute(matchRoute) {
      if (!health) return matchRoute
      const routeMatch = { route: health.path }
      return (method, path, isDelegated) => (path === health.path ? routeMatch : matchRoute(method, path, isDelegated))
    },
  }
}

function overloadedError(): RequestError {
  return new RequestError({ code: 'overloaded', detail: 'The server is handling too many requests.' }, RETRY_AFTER)
}

/** Checked {@link LifecycleOptions}. */
interface LifecycleSettings {
  readonly timeout: number | undefined
  readonly maxInFlight: number
  readonly health: HealthSettings | undefined
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
function parseLifecycleOptions(
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
