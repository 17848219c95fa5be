import type { ApiHandler } from '../api-handler.js'
import { pathAfterPrefix } from '../adapter-options.js'
import { createHealthCheck, type HealthStyle } from './health.js'
import { activeUntilAborted } from './deadline.js'
import type { LifecycleSettings } from './options.js'
import { shuttingDownError, overloadedError } from './errors.js'
import { type FetchResponse, withTimeout, type WrapWithDeadline } from './timeout.js'

/** What a style adds. */
export interface LifecycleStyle extends HealthStyle {
  readonly watch: WrapWithDeadline
}

/**
 * Makes the handler of what answers requests: it counts them, ends them by their time, refuses those that are too many, and can be drained.
 * @param answer never rejects
 */
export function withLifecycle<O, C>(
  answer: FetchResponse<O, C>,
  { timeout, maxInFlight, health }: LifecycleSettings,
  style: LifecycleStyle,
): ApiHandler<O, C> {
  const { watch, fail } = style
  let inFlight = 0
  let isClosed = false
  /** Set when the end has begun. */
  let drained: Promise<void> | undefined
  let close = () => {}
  const leave = () => {
    inFlight--
    if (drained && inFlight === 0) close()
  }
  const given = (response: Response): Response => (drained ? closing(response) : response)
  const ended = (response: Response): Response => {
    leave()
    return given(response)
  }
  const failed = (error: unknown): never => {
    leave()
    throw error
  }
  const asked = health && createHealthCheck<O, C>(health, style)
  return {
    fetch(request, context) {
      if (asked && pathAfterPrefix(request.url, context.prefix) === health.path) {
        return asked(request, context, drained !== undefined).then(given)
      }
      if (isClosed) return Promise.resolve(closing(fail(shuttingDownError(), context)))
      if (inFlight >= maxInFlight) return Promise.resolve(given(fail(overloadedError(), context)))
      inFlight++
      if (timeout === undefined) return answer(request, context, activeUntilAborted(request)).then(ended, failed)
      const begun = withTimeout(request, context, timeout, { answer, watch, fail })
      // A slot is free when the work is done: the database does not have more to do at once because answers came early.
      begun.work.then(leave, leave)
      return begun.answer.then(given)
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

/** An answer after which the connection is closed. Servers leave the header out in HTTP/2, which does not have it. */
function closing(response: Response): Response {
  try {
    response.headers.set('Connection', 'close')
    return response
  } catch {
    // The headers of what a route of the app's own has fetched cannot be changed.
    const own = new Response(response.body, response)
    own.headers.set('Connection', 'close')
    return own
  }
}
