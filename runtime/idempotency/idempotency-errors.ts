import { RequestError } from '../errors/request-error.js'
import { KEY_HEADER } from './parse-idempotency-key.js'

const source = { header: KEY_HEADER }

/** Creates the error for a key whose request is still running. */
export function keyInUseError(): RequestError {
  const detail = 'A request with this key is still running. Retry later to get its response.'
  return new RequestError(
    { code: 'conflict', appCode: 'idempotency-key-in-use', detail, source },
    { 'Retry-After': '1' },
  )
}

/** Creates the error for a key that was sent with a different request. */
export function keyReusedError(): RequestError {
  const detail = 'This key was sent with a different request. Use a new key for each change.'
  return new RequestError({ code: 'invalid-value', appCode: 'idempotency-key-reused', detail, source })
}

/** Creates the error for a request that was executed, but whose response was not stored. */
export function responseNotStoredError(): RequestError {
  const detail = 'The request with this key succeeded, but its response was too long to store. Read the changed data.'
  return new RequestError({ code: 'conflict', appCode: 'idempotency-response-lost', detail, source })
}
