import type { Request, RequestHandler } from 'express'

import {
  type AdapterOptions,
  createRequestContext,
  joinPath,
  createMountMatcher,
  type WithHandler,
} from '../http/adapter-options.js'
import { nodeRequestId, requestPath } from '../node-http/request.js'
import { handleNodeRequest, serveNode } from '../node-http/serve.js'

/** Options of the emitted `createExpressHandler`. */
export type ExpressHandlerOptions<O, C = unknown> = AdapterOptions<O, [req: Request], C> & {
  /**
   * With `false`, nothing is sent: the answer, an {@link ExpressAnswer}, is put into `res.locals`, and the next middleware is
   * called. Default: true.
   */
  readonly sendResponse?: boolean
}

/** What `sendResponse: false` adds to `res.locals`. */
export interface ExpressResult {
  readonly status: number
  /** For `res.set(…)`. Cookies are a list. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** JSON is parsed, other bodies are a Buffer. Undefined where the answer has none. */
  readonly body: unknown
}

/**
 * Middleware for Express 5 and 4. The path it is mounted at comes before `prefix`; a request outside both goes on to the
 * next middleware. Works with body parsers before it and without.
 * @param options see {@link AdapterOptions}
 */
export function expressHandler<O, C>(options: WithHandler<O, ExpressHandlerOptions<O, C>, C>): RequestHandler {
  const { handler, sendResponse = true } = options
  const pattern = joinPath(options.prefix)
  const mountIn = createMountMatcher(pattern)
  return (req, res, next) => {
    const [path, base] = [requestPath(req), joinPath(req.baseUrl)]
    const mount = path.startsWith(base) ? mountIn(path.slice(base.length)) : undefined
    if (mount === undefined) return next()
    const prefix = base + mount
    const known = { prefix, mount: base + pattern, requestId: () => nodeRequestId(req) }
    const context = createRequestContext(options, known, req)
    if (sendResponse) return serveNode(handler, context, req, res).catch(next)
    return handleNodeRequest(handler, context, req, answerOf)
      .then((answer) => Object.assign(res.locals, answer))
      .then(() => next(), next)
  }
}

async function answerOf(response: Response, head: boolean): Promise<ExpressResult> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (head) await response.body?.cancel()
  const bytes = Buffer.from(head ? new ArrayBuffer(0) : await response.arrayBuffer())
  return { status: response.status, headers, body: bodyOf(bytes, response.headers.get('content-type') ?? '') }
}

function bodyOf(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return undefined
  return /^application\/([^;]+\+)?json\s*(;|$)/i.test(type) ? JSON.parse(bytes.toString()) : bytes
}
