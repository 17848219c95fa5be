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

/** The header of errors for which a retry may succeed, on this server or another one. In seconds. */
export const RETRY_AFTER = { 'Retry-After': '1' }

/** Creates the error for requests to a drained handler. */
export function shuttingDownError(): RequestError {
  return new RequestError(
    { code: 'shutting-down', detail: 'The server is shutting down. Retry the request.' },
    RETRY_AFTER,
  )
}
