import type { RequestOf } from '../operations.js'

const ORIGIN = 'http://localhost'

/** The request of an operation, as a client sends it. */
export function requestOf({ method, path, body }: RequestOf): Request {
  if (body === undefined) return new Request(ORIGIN + path)
  return new Request(ORIGIN + path, {
    method,
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
}
