import type { HonoRequest } from 'hono'

import { RequestError } from '../errors/request-error.js'
import { limitMessage } from '../limits.js'

/** Nothing is left of a body: the app's own mistake, so a 500 and a line in the log. */
class BodyIsGone extends Error {}

/** Whether a `Content-Type` is JSON in UTF-8. Any other charset is rejected in both styles, because bodies are decoded as UTF-8. */
export function isJsonType(type: string): boolean {
  return /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(type)
}

/** Says that nothing is left of a body to answer with. */
export function bodyConsumedError(options?: ErrorOptions): Error {
  return new BodyIsGone(
    'The body of this request was read before it came here. ' +
      'Where your framework does not keep what it reads, let the reader in front take a copy: `await request.clone().json()`.',
    options,
  )
}

/**
 * A request of Hono's whose body can be read: what a reader in front has read, Hono has kept, so that readers share it.
 * @param req of the context at hand
 * @returns a promise only where it was read
 */
export function readableRequest(req: HonoRequest): Request | Promise<Request> {
  const { raw, method, bodyCache } = req
  if (method !== 'GET' && method !== 'HEAD') for (const _ in bodyCache) return shared(req)
  return raw
}

async function shared(req: HonoRequest): Promise<Request> {
  const { raw, method } = req
  const headers = new Headers(raw.headers)
  // They describe the bytes that came over the wire, which may be others.
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  const init = { method, headers, signal: raw.signal }
  try {
    return new Request(raw.url, { ...init, body: await req.arrayBuffer() })
  } catch {
    // A reader in front may not have minded: whoever reads it next is told.
    const body = new ReadableStream({ start: (controller) => controller.error(bodyAbortedError()) })
    const half: RequestInit & { readonly duplex: 'half' } = { ...init, body, duplex: 'half' }
    return new Request(raw.url, half)
  }
}

/**
 * Reads the bytes of a request's body, no further than shows that there are too many.
 * @param most how many there may be
 * @throws RequestError 413
 * @throws Error where it was read before
 */
export function readBytes(request: Readable, most: number): Promise<Uint8Array> {
  const { headers } = request
  const length = headers.get('Content-Length')
  if (Number(length ?? 0) > most) throw bodyTooLargeError(most)
  return isOfKnownLength(length, headers) ? readWhole(request, most) : readStream(request, most)
}

/** What is asked of a request to read its body. */
type Readable = Pick<Request, 'headers' | 'body' | 'bodyUsed' | 'arrayBuffer'>

/** Whether a body was read before is asked where it cannot be read: to ask first takes as long as to check the rest of a request. */
async function readWhole(request: Readable, most: number): Promise<Uint8Array> {
  let bytes: ArrayBuffer
  try {
    bytes = await request.arrayBuffer()
  } catch (cause) {
    const wasRead = request.bodyUsed && cause instanceof Error && cause.name === 'TypeError'
    throw wasRead ? bodyConsumedError({ cause }) : unreadable(cause)
  }
  if (bytes.byteLength > most) throw bodyTooLargeError(most)
  return new Uint8Array(bytes)
}

async function readStream(request: Readable, most: number): Promise<Uint8Array> {
  if (request.bodyUsed) throw bodyConsumedError()
  const chunks: Uint8Array[] = []
  let total = 0
  const reader = request.body?.getReader()
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      total += read.value.byteLength
      if (total > most) throw bodyTooLargeError(most)
      chunks.push(read.value)
    }
  } catch (error) {
    await reader?.cancel().catch(() => undefined)
    throw unreadable(error)
  }
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

/**
 * A request whose body fails when more of it is read than there may be, whoever reads it.
 * @param most how many bytes there may be
 * @param excess what it fails with
 */
export function limitBody(request: Request, most: number, excess: unknown): Request {
  const { body, bodyUsed, headers } = request
  if (!body || bodyUsed) return request
  const length = headers.get('Content-Length')
  if (isOfKnownLength(length, headers) && Number(length) <= most) return request
  let total = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.byteLength
      if (total > most) controller.error(excess)
      else controller.enqueue(chunk)
    },
  })
  const { signal } = request
  const init: RequestInit & { readonly duplex: 'half' } = { body: body.pipeThrough(count), duplex: 'half', signal }
  return new Request(request, init)
}

/** The error of a body whose connection ended before it did. Nobody is there to read the answer, and nothing has to be mended. */
export function bodyAbortedError(): RequestError {
  return new RequestError({ code: 'invalid-arguments', detail: 'The connection ended before the body did.' })
}

/**
 * What a failure to read a body is answered with: each server and each runtime has other words for a connection that ended, and what lies
 * between it and us refuses a body in ours.
 */
function unreadable(error: unknown): Error {
  return error instanceof RequestError || error instanceof BodyIsGone ? error : bodyAbortedError()
}

/** Tells by the error alone whether a body was not all there, for what others have read: in the words of Node and of Hono's server. */
export function isAbortedBody(error: unknown): RequestError | undefined {
  if (!(error instanceof Error)) return undefined
  const isNodes = error.message === 'aborted' && Reflect.get(error, 'code') === 'ECONNRESET'
  return isNodes || error.message === 'Client connection prematurely closed.' ? bodyAbortedError() : undefined
}

/** The error of a body that is too large. */
export function bodyTooLargeError(most: number): RequestError {
  const detail = limitMessage('bodyBytes', `The body must not be larger than ${most} bytes.`)
  return new RequestError({ code: 'body-too-large', detail })
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a body.
 * @throws TypeError where it is not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes)
}

/**
 * Whether a body is as long as its headers say: servers see to that, where nothing unpacks it on the way. Then it can be read at
 * once, for which servers like `@hono/node-server` need make no stream.
 */
function isOfKnownLength(length: string | null, headers: Headers): boolean {
  if (length === null || !/^\d+$/.test(length)) return false
  return !headers.has('Content-Encoding') && !headers.has('Transfer-Encoding')
}
