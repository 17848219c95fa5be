import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

import { bodyAbortedError, bodyConsumedError, MAX_DISCARDED_BYTES } from '../http/read-body.js'
import { type NodeRequest, requestPath, type IncomingRequest } from './node-request.js'

// A placeholder, because links are built with the option `endpoint` and never with the host that the client sent.
const ORIGIN = 'http://localhost'

/** Methods that a web `Request` does not support. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * Converts a Node request to a web request. The path keeps its original percent-encoding. The body is streamed. If a parser has already
 * read it, the parsed value becomes the body.
 * @param parsed the body as a framework provides it: parsed, text, bytes or a stream. Default: `req.body`
 * @param target the path and query if they differ from `originalUrl` and `url`
 * @returns undefined if a web request does not support the method
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
  const parsedBody = method === 'GET' || method === 'HEAD' ? undefined : getParsedBody(req, parsed)
  if (parsedBody !== undefined) {
    // These headers describe the bytes sent over the wire, which differ from the new body.
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
    return withAbortSignal(req, new Request(url, { method, headers, body: parsedBody }), () => drain(req))
  }
  if (method === 'GET' || method === 'HEAD' || !isAnnounced(req)) {
    return withAbortSignal(req, new Request(url, { method, headers }), () => drain(req))
  }
  const source = isReadable(parsed) ? parsed : req
  const { stream, release } = streamOf(source)
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, body: stream, duplex: 'half' }
  return withAbortSignal(req, new Request(url, init), release)
}

/** The parts of a path that the web `URL` removes or rewrites: the segments `.` and `..`, and `\`. */
const REWRITTEN = /\\|\/(?:\.|%2e){1,2}(?=[/?#]|$)/i

/**
 * Replaces a path that the web `URL` would rewrite with a path that does not exist. Otherwise guards in front of the handler would check a
 * different path.
 */
function asSent(path: string): string {
  const end = path.search(/[?#]/)
  const [before, after] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end)]
  return REWRITTEN.test(before) ? `/${after}` : path
}

function headersOf(from: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(from)) {
    // HTTP/2 has pseudo-headers such as `:path` among the headers.
    if (value === undefined || name.startsWith(':')) continue
    for (const item of Array.isArray(value) ? value : [value]) headers.append(name, item)
  }
  return headers
}

/** Whether the request has a body. In HTTP/1, a header announces it. */
function isAnnounced(req: NodeRequest): boolean {
  if ((req.httpVersionMajor ?? 1) > 1) return true
  const length = req.headers['content-length']
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** Returns the body if it was already read, or undefined if it can still be read. */
function getParsedBody(req: NodeRequest, parsed: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  const read = req.readableDidRead || req.readableEnded
  if (isReadable(parsed) || (parsed === null && !isAnnounced(req))) return undefined
  if (read && isBytes(req.rawBody)) return req.rawBody
  // A parser that does not support the media type leaves the stream unread and may set the body to `{}`.
  if (parsed === undefined || (!read && isEmptyObject(parsed))) return read && !isAnnounced(req) ? '' : undefined
  return typeof parsed === 'string' || isBytes(parsed) ? parsed : JSON.stringify(parsed)
}

/** Creates a web stream with backpressure, which fails if the client disconnects. */
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
      // Must come before the `data` listener, which would start the stream.
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

/** Reads and discards the rest, up to a limit, so that the client can read the response. */
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

/**
 * Adds a signal to a request that aborts when the client disconnects. The signal is created lazily, because creating a request takes three
 * times as long with a signal.
 * @param release releases the body
 */
function withAbortSignal(req: NodeRequest, request: Request, release: () => void): IncomingRequest {
  let controller: AbortController | undefined
  const abort = () => controller?.abort()
  const signal = (): AbortSignal => {
    if (!controller) {
      controller = new AbortController()
      // An HTTP/2 connection carries many requests, and Node reports the end of each.
      if (isHttp2(req)) req.once('aborted', abort)
      else req.socket?.once('close', abort)
    }
    if (isDisconnected(req)) abort()
    return controller.signal
  }
  Object.defineProperty(request, 'signal', { get: signal, configurable: true })
  return {
    request,
    release() {
      if (controller && !isHttp2(req)) req.socket?.off('close', abort)
      release()
    },
  }
}

function isHttp2({ httpVersionMajor = 1 }: NodeRequest): boolean {
  return httpVersionMajor > 1
}

function isDisconnected(req: NodeRequest): boolean {
  return isHttp2(req) ? req.aborted === true : req.socket?.destroyed === true
}
