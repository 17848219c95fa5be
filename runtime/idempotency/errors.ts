import { RequestError } from '../errors/request-error.js'
import { KEY_HEADER } from './key.js'

const source = { header: KEY_HEADER }

/** The error of a request that is being carried out with the same key. */
export function keyInUseError(): RequestError {
  const detail =
    'A request with this key is being carried out. Send the same again in a moment, to be given its answer.'
  return new RequestError(
    { code: 'conflict', appCode: 'idempotency-key-in-use', detail, source },
    { 'Retry-After': '1' },
  )
}

/** The error of a key that was sent with another request. */
export function keyReusedError(): RequestError {
  const detail = 'This key was sent with another request. Each change needs a key of its own.'
  return new RequestError({ code: 'invalid-value', appCode: 'idempotency-key-reused', detail, source })
}

/** The error of a request that was carried out, and whose answer nobody knows any more. */
export function responseNotStoredError(): RequestError {
  const detail = 'The request with this key was carried out. Its answer was too long to be kept: read what it changed.'
  return new RequestError({ code: 'conflict', appCode: 'idempotency-answer-lost', detail, source })
}
