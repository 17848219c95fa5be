import { isObject } from '../values/is-object.js'

/** The header that marks a repeated response. */
const REPLAYED = 'Idempotent-Replayed'

const LINE_END = 10

/** Encodes a response: a line of JSON with the status and headers, followed by the body. */
export function encodeResponse({ status, headers }: Response, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify({ status, headers: [...headers] })}\n`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

/** Decodes a stored response and adds a header that marks it as repeated. */
export function replayResponse(stored: Uint8Array): Response {
  const end = stored.indexOf(LINE_END)
  const head: unknown = JSON.parse(new TextDecoder().decode(stored.subarray(0, end)))
  if (!isObject(head) || typeof head['status'] !== 'number' || !Array.isArray(head['headers'])) {
    throw new Error('The value stored with an idempotency key is not a response.')
  }
  const { status, headers: sent } = head
  const headers = new Headers()
  for (const [name, value] of sent) headers.append(String(name), String(value))
  headers.set(REPLAYED, 'true')
  return toResponse(stored.slice(end + 1), { status, headers })
}

/** Creates a response from bytes. Without bytes it has no body, because some statuses do not allow one. */
export function toResponse(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return new Response(body.length > 0 ? body : null, init)
}
