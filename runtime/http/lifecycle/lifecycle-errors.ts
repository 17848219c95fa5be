import { RequestError } from '../../errors/request-error.js'

/** The header of errors for which a retry may succeed, on this server or another one. In seconds. */
export const RETRY_AFTER = { 'Retry-After': '1' }

/** Creates the error for requests beyond `maxInFlight`. */
export function overloadedError(): RequestError {
  const detail = 'The server is handling too many requests.'
  return new RequestError({ code: 'overloaded', detail }, RETRY_AFTER)
}

/** Creates the error for requests to a drained handler. */
export function shuttingDownError(): RequestError {
  return new RequestError(
    { code: 'shutting-down', detail: 'The server is shutting down. Retry the request.' },
    RETRY_AFTER,
  )
}

/** Creates the error for a client that disconnected. The client does not receive it; the status is for logs. */
export function clientClosedError(): RequestError {
  return new RequestError({ code: 'client-closed-request', detail: 'The client disconnected.' })
}

/**
 * Creates the error for a timeout.
 * @param hasWritten whether a query that may change data has started
 */
export function timeoutError(hasWritten: boolean): RequestError {
  const outcome = hasWritten ? 'It may have changed something: check before you retry it.' : 'Nothing was changed.'
  return new RequestError({ code: 'timeout', detail: `The request took too long. ${outcome}` }, RETRY_AFTER)
}
