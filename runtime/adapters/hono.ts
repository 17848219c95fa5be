import { type Context, Hono } from 'hono'
import { baseRoutePath } from 'hono/route'

import { readable } from '../http/body.js'
import { type AdapterOptions, joinPath, mountOf, pathOf, type WithHandler } from '../http/mount.js'

/** Options of the emitted `createHonoHandler`; `context` and `getOrm` receive Hono's context. */
export type HonoHandlerOptions<O, C = unknown> = AdapterOptions<O, [c: Context], C>

/**
 * A Hono app that serves a handler, to be mounted with `app.route(path, …)` or served as it is.
 * @param options see {@link HonoHandlerOptions}
 */
export function honoHandler<O, C>(options: WithHandler<O, HonoHandlerOptions<O, C>, C>): Hono {
  const { handler, getOrm, context: said } = options
  const below = joinPath(options.prefix)
  const app = new Hono()
  app.all(`${below}/*`, (c) => {
    // From the URL itself: Hono's own path is decoded, and what stands below the mount must not be.
    const mount = mountOf(pathOf(c.req.raw.url), joinPath(baseRoutePath(c), below))
    const context = {
      getOrm: (known: C) => getOrm(c, known),
      context: said && (() => said(c)),
      prefix: mount,
      variables: c.var,
    }
    const request = readable(c.req)
    if (request instanceof Promise) return request.then((shared) => handler.fetch(shared, context))
    return handler.fetch(request, context)
  })
  return app
}
