import type { HonoRequest } from 'hono'

import { RequestError } from '../errors/request-error.js'
import { limitMessage } from '../limits.js'

/** Thrown if the body was already consumed. This is a mistake in the app, so it results in a 500 and a log line. */
class BodyConsumedError extends Error {}

/** Whether a `Content-Type` is JSON in UTF-8. Any other charset is rejected in REST and RPC, because bodies are decoded as UTF-8. */
export function isJsonType(type: string): boolean {
  return /^\s*application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?$/i.test(type)
}

/** Creates the error for a body that was consumed before it reached the handler. */
export function bodyConsumedError(options?: ErrorOptions): Error {
  return new BodyConsumedError(
    'The body of this request was already read. ' +
      'Code that reads it before the handler must read a copy: `await request.clone().json()`.',
    options,
  )
}

/**
 * Returns a request whose body can be read. Hono caches a body that middleware has read, so the handler can share it.
 * @returns a promise only if the body was already read
 */
export function readableRequest(req: HonoRequest): Request | Promise<Request> {
  const { raw, method, bodyCache } = req
  if (method !== 'GET' && method !== 'HEAD') for (const _ in bodyCache) return shared(req)
  return raw
}

async function shared(req: HonoRequest): Promise<Request> {
  const { raw, method } = req
  const headers = new Headers(raw.headers)
  // These headers describe the bytes sent over the wire, which may differ from the cached body.
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  const init = { method, headers, signal: raw.signal }
  try {
    return new Request(raw.url, { ...init, body: await req.arrayBuffer() })
  } catch {
    // Middleware may have ignored the read error, so the next reader must see it.
    const body = new ReadableStream({ start: (controller) => controller.error(bodyAbortedError()) })
    const half: RequestInit & { readonly duplex: 'half' } = { ...init, body, duplex: 'half' }
    return new Request(raw.url, half)
  }
}

/**
 * Reads the bytes of a request's body and stops when the limit is exceeded.
 * @throws RequestError 413 if the body is larger than `maxBytes`
 * @throws Error if the body was already consumed
 */
export function readBytes(request: Readable, maxBytes: number): Promise<Uint8Array> {
  const { headers } = request
  const length = headers.get('Content-Length')
  if (Number(length ?? 0) > maxBytes) throw bodyTooLargeError(maxBytes)
  return hasReliableLength(length, headers) ? readWhole(request, maxBytes) : readStream(request, maxBytes)
}

/** The parts of a request that are needed to read its body. */
type Readable = Pick<Request, 'headers' | 'body' | 'bodyUsed' | 'arrayBuffer'>

/** Checks `bodyUsed` only after an error, because reading this property takes as long as all other checks of a request. */
async function readWhole(request: Readable, maxBytes: number): Promise<Uint8Array> {
  let bytes: ArrayBuffer
  try {
    bytes = await request.arrayBuffer()
  } catch (cause) {
    const isConsumed = request.bodyUsed && cause instanceof Error && cause.name === 'TypeError'
    throw isConsumed ? bodyConsumedError({ cause }) : unreadable(cause)
  }
  if (bytes.byteLength > maxBytes) throw bodyTooLargeError(maxBytes)
  return new Uint8Array(bytes)
}

async function readStream(request: Readable, maxBytes: number): Promise<Uint8Array> {
  if (request.bodyUsed) throw bodyConsumedError()
  const chunks: Uint8Array[] = []
  let total = 0
  const reader = request.body?.getReader()
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      total += read.value.byteLength
      if (total > maxBytes) throw bodyTooLargeError(maxBytes)
      chunks.push(read.value)
    }
  } catch (error) {
    await reader?.cancel().catch(() => undefined)
    throw unreadable(error)
  }
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(total)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Returns a request whose body fails with `tooLargeError` once more than `maxBytes` bytes are read from it. */
export function limitBody(request: Request, maxBytes: number, tooLargeError: unknown): Request {
  const { body, bodyUsed, headers } = request
  if (!body || bodyUsed) return request
  const length = headers.get('Content-Length')
  if (hasReliableLength(length, headers) && Number(length) <= maxBytes) return request
  let total = 0
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.byteLength
      if (total > maxBytes) controller.error(tooLargeError)
      else controller.enqueue(chunk)
    },
  })
  const { signal } = request
  const init: RequestInit & { readonly duplex: 'half' } = { body: body.pipeThrough(count), duplex: 'half', signal }
  return new Request(request, init)
}

/** Creates the error for a body that was cut off because the connection ended. No client receives it, so its message contains no fix. */
export function bodyAbortedError(): RequestError {
  return new RequestError({
    code: 'invalid-arguments',
    detail: 'The connection ended before the whole body was received.',
  })
}

/**
 * Converts an error that occurred while a body was read. The runtime's own errors are returned unchanged. All others are treated as an
 * ended connection, which servers and platforms report with different messages.
 */
function unreadable(error: unknown): Error {
  return error instanceof RequestError || error instanceof BodyConsumedError ? error : bodyAbortedError()
}

/**
 * Recognizes a cut-off body by its error, for code that reads the body itself. Covers the messages of Node and `@hono/node-server`.
 * @returns undefined for any other error
 */
export function isAbortedBody(error: unknown): RequestError | undefined {
  if (!(error instanceof Error)) return undefined
  const isNodeError = error.message === 'aborted' && Reflect.get(error, 'code') === 'ECONNRESET'
  return isNodeError || error.message === 'Client connection prematurely closed.' ? bodyAbortedError() : undefined
}

/** Creates the error for a body that is too large. */
export function bodyTooLargeError(maxBytes: number): RequestError {
  const detail = limitMessage('bodyBytes', `The body must not be larger than ${maxBytes} bytes.`)
  return new RequestError({ code: 'body-too-large', detail })
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Decodes the bytes of a body.
 * @throws TypeError if they are not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes)
}

/**
 * Whether the `Content-Length` of a body is reliable. Servers enforce it unless they decode the body. A body with a reliable length can be
 * read in one call, so that servers like `@hono/node-server` do not have to create a stream.
 */
function hasReliableLength(length: string | null, headers: Headers): boolean {
  if (length === null || !/^\d+$/.test(length)) return false
  return !headers.has('Content-Encoding') && !headers.has('Transfer-Encoding')
}
