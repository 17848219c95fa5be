import { RequestError } from './request-error.js'

/** The header of errors for which a retry may succeed, on this server or another one. In seconds. */
export const RETRY_AFTER = { 'Retry-After': '1' }

/** Creates the error for requests to a drained handler. */
export function shuttingDownError(): RequestError {
  return new RequestError(
    { code: 'shutting-down', detail: 'The server is shutting down. Retry the request.' },
    RETRY_AFTER,
  )
}
