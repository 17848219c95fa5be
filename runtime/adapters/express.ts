import type { Request, RequestHandler } from 'express'

import { type AdapterOptions, isBelow, joinPath, type WithHandler } from '../mount.js'
import { requestPath } from '../node-http/request.js'
import { serveNode } from '../node-http/serve.js'

/** Options of the emitted `createExpressHandler`. */
export type ExpressHandlerOptions<O> = AdapterOptions<O, [req: Request]>

/**
 * Middleware for Express 5 and 4. The path it is mounted at comes before `prefix`; a request outside both goes on to the
 * next middleware. Works with body parsers before it and without.
 * @param options see {@link AdapterOptions}
 */
export function expressHandler<O>(options: WithHandler<O, ExpressHandlerOptions<O>>): RequestHandler {
  const { handler, getOrm } = options
  return (req, res, next) => {
    const prefix = joinPath(req.baseUrl, options.prefix)
    if (!isBelow(requestPath(req), prefix)) return next()
    return serveNode(handler, { getOrm: () => getOrm(req), prefix }, req, res).catch(next)
  }
}
