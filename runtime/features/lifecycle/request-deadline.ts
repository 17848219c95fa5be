import { RequestError } from '../../errors/request-error.js'
import { RETRY_AFTER, activeUntilAborted, type AssertActive } from '../../http/active-request.js'

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

/**
 * Creates the error for a timeout.
 * @param hasWritten whether a query that may change data has started
 */
function timeoutError(hasWritten: boolean): RequestError {
  const outcome = hasWritten ? 'It may have changed something: check before you retry it.' : 'Nothing was changed.'
  return new RequestError({ code: 'timeout', detail: `The request took too long. ${outcome}` }, RETRY_AFTER)
}
