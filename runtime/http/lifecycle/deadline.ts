import type { RequestError } from '../../errors/request-error.js'
import { clientClosedError, timeoutError } from './errors.js'

/**
 * Called before a query.
 * @throws RequestError where nobody waits for the answer any more
 */
export type AssertActive = () => void

/** A request with a time limit, as far as its queries have to know. */
export interface RequestDeadline {
  /**
   * Called before each query.
   * @param writes whether it may change anything
   * @throws RequestError as {@link Alive}
   */
  begin(writes: boolean): void
  /** How many milliseconds are left; at least 1. */
  left(): number
}

/** A {@link Life}, for who ends it. */
export interface DeadlineControl extends RequestDeadline {
  readonly alive: AssertActive
  /** What the request is answered with when its time is over. */
  timeout(): RequestError
}

/** Lets queries begin as long as the client waits. */
export function activeUntilAborted(request: Pick<Request, 'signal'>): AssertActive {
  return () => {
    if (request.signal.aborted) throw clientClosedError()
  }
}

/**
 * Begins the time of a request.
 * @param timeout how long it has, in milliseconds
 */
export function startDeadline(request: Pick<Request, 'signal'>, timeout: number): DeadlineControl {
  const end = performance.now() + timeout
  const waits = activeUntilAborted(request)
  let hasWritten = false
  const over = () => timeoutError(hasWritten)
  const alive = () => {
    waits()
    if (performance.now() >= end) throw over()
  }
  return {
    alive,
    begin(writes) {
      alive()
      hasWritten ||= writes
    },
    left: () => Math.max(1, Math.floor(end - performance.now())),
    timeout: over,
  }
}
