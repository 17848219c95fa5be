import type { ErrorCode } from '../errors/error-codes.js'
import { RequestError } from '../errors/request-error.js'

/**
 * Rejects conditional headers of a write that does not support them. If they were ignored, the write could overwrite another change.
 * @param fix what the caller should do instead
 * @throws RequestError with the given code if the request has `If-Match` or `If-None-Match`
 */
export function rejectConditionalHeaders(headers: Headers, fix: string, code: ErrorCode = 'bad-request'): void {
  const header = ['If-Match', 'If-None-Match'].find((name) => headers.has(name))
  if (header === undefined) return
  throw new RequestError({ code, detail: `${header} is not supported. ${fix}`, source: { header } })
}
