import type { RequestOf } from '../operations.js'

const ORIGIN = 'http://localhost'

/** Creates the request of an operation with a `Content-Length`, like a request from a server. */
export function toRequest({ method, path, body }: RequestOf): Request {
  if (body === undefined) return new Request(ORIGIN + path)
  const text = JSON.stringify(body)
  return new Request(ORIGIN + path, {
    method,
    body: text,
    headers: { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(text)}` },
  })
}
