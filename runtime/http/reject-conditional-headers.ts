import { RequestError } from '../errors/request-error.js'

/**
 * Rejects conditional headers of a write that does not support them. If they were ignored, the write could overwrite another change.
 * @param fix what the caller should do instead
 * @throws RequestError 400 if the request has `If-Match` or `If-None-Match`
 */
export function rejectConditionalHeaders(headers: Headers, fix: string): void {
  const header = ['If-Match', 'If-None-Match'].find((name) => headers.has(name))
  if (header === undefined) return
  throw new RequestError({ code: 'bad-request', detail: `${header} is not supported. ${fix}`, source: { header } })
}
