import { isObject } from '../values/is-object.js'

/** Tells that an answer was given before. */
const REPLAYED = 'Idempotent-Replayed'

const LINE_END = 10

/** An answer as it is kept: a line of JSON with its status and headers, and its body behind it. */
export function encodeResponse({ status, headers }: Response, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify({ status, headers: [...headers] })}\n`)
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return all
}

/** An answer that was kept, with a header that says so. */
export function replayResponse(kept: Uint8Array): Response {
  const end = kept.indexOf(LINE_END)
  const head: unknown = JSON.parse(new TextDecoder().decode(kept.subarray(0, end)))
  if (!isObject(head) || typeof head['status'] !== 'number' || !Array.isArray(head['headers'])) {
    throw new Error('What is kept with an idempotency key is no answer.')
  }
  const { status, headers: sent } = head
  const headers = new Headers()
  for (const [name, value] of sent) headers.append(String(name), String(value))
  headers.set(REPLAYED, 'true')
  return toResponse(kept.slice(end + 1), { status, headers })
}

/** A response of bytes. Where there are none, it has no body: of some statuses it must not have one. */
export function toResponse(body: Uint8Array<ArrayBuffer>, init: ResponseInit): Response {
  return new Response(body.length > 0 ? body : null, init)
}
