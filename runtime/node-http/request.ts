import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { bodyAbortedError, bodyConsumedError } from '../http/body.js'
import { MAX_DISCARDED_BYTES } from '../http/drain-body.js'
import { withAbortSignal } from './abort-signal.js'

/** A request as Node's `http`, `https` and `http2` servers give it, and what frameworks add to it. */
export interface NodeRequest extends Readable {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly httpVersionMajor?: number
  /** The connection; that of HTTP/2 has many requests at once. */
  readonly socket?: NodeSocket | null
  /** Whether the client has gone before all of the request was here; in HTTP/2 also afterwards. */
  readonly aborted?: boolean
  /** The URL as the client sent it, where a router has cut its mount point from `url`. */
  readonly originalUrl?: string
  /** The body, where a body parser has read it. */
  readonly body?: unknown
  /** The bytes of the body, where a body parser has kept them. */
  readonly rawBody?: unknown
}

/** A connection, as far as it tells its end. */
export interface NodeSocket {
  readonly destroyed?: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** A request for a handler, and the way to let go of its body. */
export interface IncomingRequest {
  readonly request: Request
  /** Discards what the handler has not read of the body, so that the connection can take the next request. */
  readonly release: () => void
}

// Links are built with `endpoint`, never with what a client says the host is.
const ORIGIN = 'http://localhost'

/** Methods that the web's Request cannot have. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * Makes a web request of one of Node's. The path and its percent-encoding stay as they were sent. The body is streamed; where
 * a parser has read it before, what the parser made of it is the body.
 * @param req Node's request
 * @param parsed the body as a framework holds it: parsed, text, bytes, or a stream of its own. Default: `req.body`
 * @param target the path and query, where `originalUrl` and `url` are not what is meant
 * @returns undefined for a method that no web request can have
 */
export function toWebRequest(
  req: NodeRequest,
  parsed: unknown = req.body,
  target: string | undefined = req.originalUrl ?? req.url,
): IncomingRequest | undefined {
  const method = req.method ?? 'GET'
  if (FORBIDDEN_METHODS.has(method.toUpperCase())) return undefined
  const url = ORIGIN + asSent(requestPath({ url: target }))
  const headers = headersOf(req.headers)
  const given = method === 'GET' || method === 'HEAD' ? undefined : givenBody(req, parsed)
  if (given !== undefined) {
    // They describe the bytes that came over the wire, which are not these.
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
    return withAbortSignal(req, new Request(url, { method, headers, body: given }), () => drain(req))
  }
  if (method === 'GET' || method === 'HEAD' || !isAnnounced(req)) {
    return withAbortSignal(req, new Request(url, { method, headers }), () => drain(req))
  }
  const source = isReadable(parsed) ? parsed : req
  const { stream, release } = streamOf(source)
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, body: stream, duplex: 'half' }
  return withAbortSignal(req, new Request(url, init), release)
}

/** What the web's URL takes out of a path, or makes something else of: `.` and `..` as segments, and `\`. */
const REWRITTEN = /\\|\/(?:\.|%2e){1,2}(?=[/?#]|$)/i

/** A path that would not stay as it was sent names nothing: guards in front of the handler have seen another one than it would. */
function asSent(path: string): string {
  const end = path.search(/[?#]/)
  const [before, after] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end)]
  return REWRITTEN.test(before) ? `/${after}` : path
}

/** The path and query of a request as they were sent, whatever form the request line had. */
export function requestPath(req: Pick<NodeRequest, 'originalUrl' | 'url'>): string {
  const target = (req.originalUrl ?? req.url ?? '/').replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return target.startsWith('/') ? target : `/${target}`
}

/** The id that middleware as `pino-http` has given a request, or that it came with. */
export function nodeRequestId({ id, headers }: NodeRequest & { readonly id?: unknown }): unknown {
  return id ?? headers['x-request-id']
}

function headersOf(from: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    // HTTP/2 keeps its pseudo-headers, as `:path`, among the others.
    if (value === undefined || name.startsWith(':')) continue
    for (const each of Array.isArray(value) ? value : [value]) headers.append(name, each)
  }
  return headers
}

/** HTTP/1 announces every body in a header. */
function isAnnounced(req: NodeRequest): boolean {
  if ((req.httpVersionMajor ?? 1) > 1) return true
  const length = req.headers['content-length']
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** The body that was read before, or undefined where it is still to be read. */
function givenBody(req: NodeRequest, parsed: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  const read = req.readableDidRead || req.readableEnded
  if (isReadable(parsed) || (parsed === null && !isAnnounced(req))) return undefined
  if (read && isBytes(req.rawBody)) return req.rawBody
  // A parser that does not know the media type leaves the stream alone and may leave `{}` in its place.
  if (parsed === undefined || (!read && isEmptyObject(parsed))) return read && !isAnnounced(req) ? '' : undefined
  return typeof parsed === 'string' || isBytes(parsed) ? parsed : JSON.stringify(parsed)
}

/** A web stream that reads only as fast as it is read, and fails where the client goes away. */
function streamOf(source: Readable): { readonly stream: ReadableStream<Uint8Array>; readonly release: () => void } {
  let release = () => drain(source)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const onData = (chunk: Uint8Array) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) source.pause()
      }
      const onEnd = () => {
        detach()
        controller.close()
      }
      const onFailure = () => {
        detach()
        controller.error(bodyAbortedError())
      }
      const detach = () => {
        release = () => drain(source)
        source.off('data', onData).off('end', onEnd).off('error', onFailure).off('close', onFailure)
      }
      release = () => {
        detach()
        drain(source)
      }
      // Before the listener for data, which would let the stream flow.
      source.pause()
      source.on('data', onData).on('end', onEnd).on('error', onFailure).on('close', onFailure)
      if (source.readableEnded) {
        detach()
        controller.error(bodyConsumedError())
      } else if (source.destroyed) onFailure()
    },
    pull() {
      source.resume()
    },
    cancel() {
      release()
    },
  })
  return { stream, release: () => release() }
}

/** Reads on, so that the client comes to read the answer, but not for ever. */
function drain(source: Readable): void {
  if (source.destroyed || source.readableEnded) return
  let left = MAX_DISCARDED_BYTES
  source.on('error', ignore)
  source.on('data', (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) source.destroy()
  })
  source.resume()
}

function ignore(): void {}

function isReadable(value: unknown): value is Readable {
  return typeof value === 'object' && value !== null && 'pipe' in value && typeof value.pipe === 'function'
}

function isBytes(value: unknown): value is Uint8Array<ArrayBuffer> {
  return value instanceof Uint8Array
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !isBytes(value) && Object.keys(value).length === 0
}
