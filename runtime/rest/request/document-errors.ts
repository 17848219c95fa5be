import type { ErrorCode } from '../../errors/error-codes.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'

/** Returns an error with a pointer into the body. */
export function errorAt(code: ErrorCode, pointer: string, detail: string): ErrorDetail {
  return { code, detail, source: { pointer } }
}

/** Returns a 400 error for a body that is not a valid JSON:API document. */
export function malformedDocument(detail: string, pointer?: string): RequestError {
  return new RequestError({
    code: 'malformed-document',
    detail,
    ...(pointer === undefined ? {} : { source: { pointer } }),
  })
}
