import type { RequestOf } from '../operations.js'

const ORIGIN = 'http://localhost'

/** The request of an operation, as a server hands on what a client sent: with the length of its body. */
export function requestOf({ method, path, body }: RequestOf): Request {
  if (body === undefined) return new Request(ORIGIN + path)
  const text = JSON.stringify(body)
  return new Request(ORIGIN + path, {
    method,
    body: text,
    headers: { 'Content-Type': 'application/json', 'Content-Length': `${Buffer.byteLength(text)}` },
  })
}
