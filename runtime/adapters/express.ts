import type { Request, RequestHandler } from 'express'

import { type AdapterOptions, joinPath, mountFinder, type WithHandler } from '../http/mount.js'
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
  const mountIn = mountFinder(joinPath(options.prefix))
  return (req, res, next) => {
    const [path, base] = [requestPath(req), joinPath(req.baseUrl)]
    const mount = path.startsWith(base) ? mountIn(path.slice(base.length)) : undefined
    if (mount === undefined) return next()
    const prefix = base + mount
    return serveNode(handler, { getOrm: () => getOrm(req), prefix }, req, res).catch(next)
  }
}
