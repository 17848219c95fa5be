import { RequestError } from '../errors/request-error.js'

/**
 * Checks that a request is still active. Called before a query.
 * @throws RequestError if the client has disconnected or the request has timed out
 */
export type AssertActive = () => void

/** Creates a check that passes until the client disconnects. */
export function activeUntilAborted(request: Pick<Request, 'signal'>): AssertActive {
  return () => {
    if (request.signal.aborted) throw clientClosedError()
  }
}

/** Creates the error for a client that disconnected. The client does not receive it; the status is for logs. */
function clientClosedError(): RequestError {
  return new RequestError({ code: 'client-closed-request', detail: 'The client disconnected.' })
}
