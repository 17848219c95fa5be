import { shuttingDownError, activeUntilAborted } from './active-request.js'
import type { ApiHandler, FetchResponse, RenderError } from './handler-types.js'
import type { Lifecycle } from './lifecycle.js'

/**
 * Creates a handler that counts requests and can be drained.
 * @param fetchResponse must not reject
 * @param lifecycle limits the duration and the number of requests, and serves the health check
 */
export function withDrain<O, C>(
  fetchResponse: FetchResponse<O, C>,
  fail: RenderError,
  lifecycle?: Lifecycle,
): ApiHandler<O, C> {
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
  return {
    fetch(request, context) {
      const health = lifecycle?.checkHealth(request, context, drained !== undefined)
      if (health) return health.then(closeIfDraining)
      if (isClosed) return Promise.resolve(withConnectionClose(fail(shuttingDownError(), context)))
      const rejection = lifecycle?.rejectOverload(context, inFlight)
      if (rejection) return Promise.resolve(closeIfDraining(rejection))
      inFlight++
      const timed = lifecycle?.startTimed(request, context, fetchResponse)
      if (!timed) return fetchResponse(request, context, activeUntilAborted(request)).then(finish, rethrow)
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
