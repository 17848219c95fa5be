import { type Context, Hono } from 'hono'
import { basePath } from 'hono/route'

import type { ApiHandler } from '../handler.js'

/** Options of the emitted `createHonoHandler`. */
export interface HonoHandlerOptions<O> {
  /** Gives the Prisma client for a request; may differ by request, for example by its user. */
  readonly getOrm: (c: Context) => O | Promise<O>
  /** The path below which the handler is mounted, inside the app it is given to. */
  readonly prefix?: string
  /** The style to serve. Default: RPC, with no options. */
  readonly handler?: ApiHandler<O>
}

/**
 * A Hono app that serves a handler, to be mounted with `app.route(path, …)` or served as it is.
 * @param options see {@link HonoHandlerOptions}
 */
export function honoHandler<O>(options: HonoHandlerOptions<O> & { readonly handler: ApiHandler<O> }): Hono {
  const prefix = options.prefix?.replace(/^\/*|\/+$/g, (slashes, at) => (at === 0 ? '/' : '')) ?? ''
  const app = new Hono()
  const serve = (c: Context) =>
    options.handler.fetch(c.req.raw, {
      getOrm: () => options.getOrm(c),
      prefix: `${basePath(c).replace(/\/+$/, '')}${prefix}`,
    })
  app.all(prefix === '' || prefix === '/' ? '/*' : `${prefix}/*`, serve)
  return app
}
