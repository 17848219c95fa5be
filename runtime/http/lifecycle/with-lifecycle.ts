import type { ApiHandler } from '../handler-types.js'
import { pathAfterPrefix } from '../mount-path.js'
import { createHealthCheck, type HealthStyle } from './health-check.js'
import { activeUntilAborted } from './request-deadline.js'
import type { LifecycleSettings } from './lifecycle-options.js'
import { shuttingDownError, overloadedError } from './lifecycle-errors.js'
import { withTimeout, type WrapWithDeadline } from './with-timeout.js'
import type { FetchResponse } from '../pipeline-types.js'

/** Functions of the lifecycle that differ between REST and RPC. */
export interface LifecycleStyle extends HealthStyle {
  readonly wrap: WrapWithDeadline
}

/**
 * Creates a handler that counts requests, enforces the timeout, rejects requests beyond the maximum, and can be drained.
 * @param fetchResponse must not reject
 */
export function withLifecycle<O, C>(
  fetchResponse: FetchResponse<O, C>,
  { timeout, maxInFlight, health }: LifecycleSettings,
  style: LifecycleStyle,
): ApiHandler<O, C> {
  const { wrap, fail } = style
  let inFlight = 0
  let isClosed = false
  /** Set when draining has started. */
  let drained: Promise<void> | undefined
  let close = () => {}
  const releaseSlot = () => {
    inFlight--
    if (drained && inFlight === 0) close()
  }
  const closeIfDraining = (response: Response): Response => (drained ? withConnectionClose(response) : response)
  const finish = (response: Response): Response => {
    releaseSlot()
    return closeIfDraining(response)
  }
  const rethrow = (error: unknown): never => {
    releaseSlot()
    throw error
  }
  const checkHealth = health && createHealthCheck<O, C>(health, style)
  return {
    fetch(request, context) {
      if (checkHealth && pathAfterPrefix(request.url, context.prefix) === health.path) {
        return checkHealth(request, context, drained !== undefined).then(closeIfDraining)
      }
      if (isClosed) return Promise.resolve(withConnectionClose(fail(shuttingDownError(), context)))
      if (inFlight >= maxInFlight) return Promise.resolve(closeIfDraining(fail(overloadedError(), context)))
      inFlight++
      if (timeout === undefined)
        return fetchResponse(request, context, activeUntilAborted(request)).then(finish, rethrow)
      const timed = withTimeout(request, context, timeout, { fetchResponse, wrap, fail })
      // The request counts until its work has ended, not only until its response is sent. Otherwise early responses would increase the load
      // on the database.
      timed.work.then(releaseSlot, releaseSlot)
      return timed.response.then(closeIfDraining)
    },
    drain() {
      if (drained) return drained
      drained = new Promise((resolve) => {
        close = () => {
          isClosed = true
          resolve()
        }
      })
      if (inFlight === 0) close()
      return drained
    },
  }
}

/** Adds `Connection: close` to a response. In HTTP/2, which does not have the header, servers omit it. */
function withConnectionClose(response: Response): Response {
  try {
    response.headers.set('Connection', 'close')
    return response
  } catch {
    // The headers of a response that a custom route has fetched are immutable.
    const copy = new Response(response.body, response)
    copy.headers.set('Connection', 'close')
    return copy
  }
}
