import type { HonoRequest } from 'hono'

import type { ErrorCode } from '../errors/error-codes.js'
import { RequestError } from '../errors/request-error.js'
import { limitMessage, type Limits } from '../limits.js'

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

/** Maximum number of bytes that are read only to be discarded. The connection is closed if a client sends more. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/** A request whose body is always read to its end, unless it is far too large. */
interface DrainedRequest {
  readonly request: Request
  /** Reads and discards the rest of the body, so that the connection can be reused. */
  readonly release: () => void
}

/**
 * Wraps a request for servers that wait until the body is read before they reuse the connection, even if the response (such as a 413) is
 * available earlier. The handler receives a separate stream, which it may abandon or cancel.
 */
export function drainBody(request: Request): DrainedRequest {
  // The handler reports bodies that were already consumed.
  if (!request.body || request.bodyUsed) return { request, release: () => {} }
  const reader = request.body.getReader()
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
  const { url, method, headers, signal } = request
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return { request: new Request(url, init), release: () => void discard(reader) }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    let left = MAX_DISCARDED_BYTES
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      left -= read.value.byteLength
      if (left < 0) return await reader.cancel()
    }
  } catch {
    // The client disconnected.
  }
}

/**
 * Checks that JSON is within `limits.depth` and `limits.nodes`, and that it has no member `__proto__`, which JavaScript may interpret as
 * the prototype. Must run before other code reads the JSON. Is not recursive itself, so deeply nested JSON cannot overflow the stack. A
 * list counts as a level only if it is directly in another list.
 * @param label the subject of the message: "The body"
 * @param code the error code for a member `__proto__`
 * @throws RequestError 400
 */
export function assertJsonShape(json: unknown, label: string, limits: Limits, code: ErrorCode): void {
  let level: unknown[] = [json]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = []
    const lists: unknown[] = []
    for (let queue = level; queue.length > 0; queue = lists.splice(0)) {
      for (const value of queue) {
        if (++nodes > limits.nodes)
          throw shapeLimitError('nodes', `${label} must not have more than ${limits.nodes} values.`)
        if (typeof value !== 'object' || value === null) continue
        if (depth > limits.depth)
          throw shapeLimitError('depth', `${label} must not nest deeper than ${limits.depth} levels.`)
        // If these lists did not count, nested lists would have no limit.
        if (Array.isArray(value)) for (const element of value) (Array.isArray(element) ? next : lists).push(element)
        else {
          for (const [key, member] of Object.entries(value)) {
            if (key === '__proto__') {
              throw new RequestError({ code, detail: `${label} must not have a member "__proto__".` })
            }
            next.push(member)
          }
        }
      }
    }
    level = next
  }
}

function shapeLimitError(limit: 'depth' | 'nodes', detail: string): RequestError {
  return new RequestError({ code: 'limit-exceeded', detail: limitMessage(limit, detail) })
}
