import type { Request, RequestHandler } from 'express'

import { type AdapterOptions, type WithHandler, createRequestContext } from '../http/create-request-context.js'
import { joinPath, createMountMatcher } from '../http/routing/mount-path.js'
import { nodeRequestId, requestPath } from '../node-http/node-request.js'
import { handleNodeRequest, serveNode } from '../node-http/serve-node.js'

/** Options of the emitted `createExpressHandler`. */
export type ExpressHandlerOptions<O, C = unknown> = AdapterOptions<O, [req: Request], C> & {
  /**
   * If `false`, no response is sent. Instead, the properties of {@link ExpressResult} are added to `res.locals`, and the next middleware is
   * called. Default: true.
   */
  readonly sendResponse?: boolean
}

/** The properties that `sendResponse: false` adds to `res.locals`. */
export interface ExpressResult {
  readonly status: number
  /** For `res.set(…)`. `set-cookie` is a list. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** The parsed value if the body is JSON, otherwise a Buffer. Undefined if the response has no body. */
  readonly body: unknown
}

/**
 * Creates middleware for Express 5 and 4. The path where it is mounted is prepended to `prefix`. Requests outside this path are passed to
 * the next middleware. Works with and without preceding body parsers.
 * Called by the emitted `createExpressHandler`.
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
    const adapterRequest = { prefix, mount: base + pattern, requestId: () => nodeRequestId(req) }
    const context = createRequestContext(options, adapterRequest, req)
    if (sendResponse) return serveNode(handler, context, req, res).catch(next)
    return handleNodeRequest(handler, context, req, toExpressResult)
      .then((result) => Object.assign(res.locals, result))
      .then(() => next(), next)
  }
}

async function toExpressResult(response: Response, isHead: boolean): Promise<ExpressResult> {
  const headers: Record<string, string | string[]> = Object.fromEntries(response.headers)
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (isHead) await response.body?.cancel()
  const bytes = Buffer.from(isHead ? new ArrayBuffer(0) : await response.arrayBuffer())
  return { status: response.status, headers, body: bodyOf(bytes, response.headers.get('content-type') ?? '') }
}

function bodyOf(bytes: Buffer, type: string): unknown {
  if (bytes.length === 0) return undefined
  return /^application\/([^;]+\+)?json\s*(;|$)/i.test(type) ? JSON.parse(bytes.toString()) : bytes
}
