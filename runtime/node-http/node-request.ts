import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'

/** A request of Node's `http`, `https` and `http2` servers, with properties that frameworks add. */
export interface NodeRequest extends Readable {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly httpVersionMajor?: number
  /** The connection. In HTTP/2, concurrent requests share it. */
  readonly socket?: NodeSocket | null
  /**
   * Whether the client disconnected before the request was received completely. In HTTP/2, this is also true if it disconnected afterwards.
   */
  readonly aborted?: boolean
  /** The original URL, if a router has removed its mount path from `url`. */
  readonly originalUrl?: string
  /** The body, if a body parser has read it. */
  readonly body?: unknown
  /** The bytes of the body, if a body parser has kept them. */
  readonly rawBody?: unknown
}

/** The parts of a connection that are needed to detect its end. */
export interface NodeSocket {
  readonly destroyed?: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** Returns the path and query of a request as they were sent, for all forms of the request line. */
export function requestPath(req: Pick<NodeRequest, 'originalUrl' | 'url'>): string {
  const target = (req.originalUrl ?? req.url ?? '/').replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  return target.startsWith('/') ? target : `/${target}`
}

/** Returns the request id set by middleware such as `pino-http`, or the id that the client sent. */
export function nodeRequestId({ id, headers }: NodeRequest & { readonly id?: unknown }): unknown {
  return id ?? headers['x-request-id']
}

/** A web request with a function that releases its body. */
export interface IncomingRequest {
  readonly request: Request
  /** Discards the rest of the body, so that the connection can be reused. */
  readonly release: () => void
}
