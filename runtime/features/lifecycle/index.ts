import type { Feature } from '../../http/feature.js'
import { RequestError } from '../../errors/request-error.js'
import { RETRY_AFTER } from '../../http/active-request.js'
import type { CreateLifecycle } from '../../http/lifecycle.js'
import { pathAfterPrefix } from '../../http/routing/mount-path.js'
import { createHealthCheck } from './health-check.js'
import { parseLifecycleOptions } from './parse-lifecycle-options.js'
import { withTimeout } from './with-timeout.js'

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
