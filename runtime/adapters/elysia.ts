import { type Context, Elysia } from 'elysia'

import { type AdapterOptions, joinPath, mountOf, pathOf, type WithHandler } from '../mount.js'

/** Options of the emitted `createElysiaHandler`. */
export type ElysiaHandlerOptions<O> = AdapterOptions<O, [context: Context]>

/**
 * A plugin for Elysia, for `app.use`. The prefix of the group or the instance that uses it comes before its own.
 * @param options see {@link AdapterOptions}
 */
export function elysiaHandler<O>(options: WithHandler<O, ElysiaHandlerOptions<O>>): Elysia {
  const { handler, getOrm } = options
  const app = new Elysia()
  const serve = (context: Context): Promise<Response> =>
    handler.fetch(context.request, {
      getOrm: () => getOrm(context),
      prefix: mountOf(pathOf(context.request.url), context.route.replace(/\/\*$/, '')),
    })
  app.all(`${joinPath(options.prefix)}/*`, serve, { parse: 'none' })
  return app
}
