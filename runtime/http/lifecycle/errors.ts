import { RequestError } from '../../errors/request-error.js'

/** Goes with what may be better a moment later, here or on another server. In seconds. */
export const RETRY_AFTER = { 'Retry-After': '1' }

/** The error beyond `maxInFlight`. */
export function overloadedError(): RequestError {
  const detail = 'The server is handling too many requests.'
  return new RequestError({ code: 'overloaded', detail }, RETRY_AFTER)
}

/** The error of a handler that takes no requests any more. */
export function shuttingDownError(): RequestError {
  return new RequestError({ code: 'shutting-down', detail: 'This server is being shut down. Try again.' }, RETRY_AFTER)
}

/** What a request is answered with whose client has gone: nobody reads it, and the status is for logs. */
export function clientClosedError(): RequestError {
  return new RequestError({ code: 'client-closed-request', detail: 'The client disconnected.' })
}

/**
 * The error of a request whose time is over.
 * @param hasWritten whether anything was begun that may change something
 */
export function timeoutError(hasWritten: boolean): RequestError {
  const outcome = hasWritten ? 'It may have changed something: check before you repeat it.' : 'Nothing was changed.'
  return new RequestError({ code: 'timeout', detail: `The request took too long. ${outcome}` }, RETRY_AFTER)
}
