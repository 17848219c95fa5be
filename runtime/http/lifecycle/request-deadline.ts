import type { RequestError } from '../../errors/request-error.js'
import { clientClosedError, timeoutError } from './lifecycle-errors.js'

/**
 * Checks that a request is still active. Called before a query.
 * @throws RequestError if the client has disconnected or the request has timed out
 */
export type AssertActive = () => void

/** The deadline for a request's queries. */
export interface RequestDeadline {
  /**
   * Called before each query.
   * @param writes whether the query may change data
   * @throws RequestError in the same cases as {@link AssertActive}
   */
  begin(writes: boolean): void
  /** Returns the remaining time in milliseconds, at least 1. */
  left(): number
}

/** A {@link RequestDeadline} with the functions that enforce it. */
export interface DeadlineControl extends RequestDeadline {
  readonly assertActive: AssertActive
  /** Creates the error response for a timeout. */
  timeout(): RequestError
}

/** Creates a check that passes until the client disconnects. */
export function activeUntilAborted(request: Pick<Request, 'signal'>): AssertActive {
  return () => {
    if (request.signal.aborted) throw clientClosedError()
  }
}

/**
 * Starts the deadline of a request.
 * @param timeout in milliseconds
 */
export function startDeadline(request: Pick<Request, 'signal'>, timeout: number): DeadlineControl {
  const end = performance.now() + timeout
  const assertConnected = activeUntilAborted(request)
  let hasWritten = false
  const expiredError = () => timeoutError(hasWritten)
  const assertActive = () => {
    assertConnected()
    if (performance.now() >= end) throw expiredError()
  }
  return {
    assertActive,
    begin(writes) {
      assertActive()
      hasWritten ||= writes
    },
    left: () => Math.max(1, Math.floor(end - performance.now())),
    timeout: expiredError,
  }
}
