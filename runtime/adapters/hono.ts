import { type Context, Hono } from 'hono'
import { baseRoutePath, matchedRoutes } from 'hono/route'

import { readableRequest } from '../http/body.js'
import type { OnResponse } from '../http/telemetry.js'
import { respondWithContextHeaders } from '../http/merge-headers.js'
import {
  type AdapterOptions,
  createRequestContext,
  joinPath,
  mountPath,
  urlPath,
  requestIdFromHeader,
  type WithHandler,
} from '../http/adapter-options.js'
import { setRoutePath } from './hono/route-path.js'

/** Options of the emitted `createHonoHandler`; `context` and `getOrm` receive Hono's context. */
export type HonoHandlerOptions<O, C = unknown> = AdapterOptions<O, [c: Context], C>

/**
 * A Hono app that serves a handler, to be mounted with `app.route(path, …)` or served as it is. What middleware has set is kept, headers
 * and variables, and behind the handler `routePath(c)` is the route that has answered: `/api/post/:id`.
 * @param options see {@link HonoHandlerOptions}
 */
export function honoHandler<O, C>(options: WithHandler<O, HonoHandlerOptions<O, C>, C>): Hono {
  const { handler, onResponse } = options
  const below = joinPath(options.prefix)
  const app = new Hono()
  app.all(`${below}/*`, (c) => {
    const mount = joinPath(baseRoutePath(c), below)
    // Without middleware nobody has set a header, and nobody asks for the route.
    const isAlone = matchedRoutes(c).length === 1
    const known = {
      // From the URL itself: Hono's own path is decoded, and what stands below the mount must not be.
      prefix: mountPath(urlPath(c.req.raw.url), mount),
      mount,
      variables: c.var,
      requestId: () => requestIdOf(c),
      onResponse: isAlone ? undefined : naming(c, onResponse),
    }
    const context = createRequestContext(options, known, c)
    const request = readableRequest(c.req)
    const answer =
      request instanceof Promise
        ? request.then((shared) => handler.fetch(shared, context))
        : handler.fetch(request, context)
    return isAlone ? answer : answer.then((response) => respondWithContextHeaders(c, response))
  })
  return app
}

/** Tells Hono the route before the app. */
function naming(c: Context, onResponse: OnResponse | undefined): OnResponse {
  return (facts) => {
    if (facts.route !== undefined) setRoutePath(c, facts.route)
    return onResponse?.(facts)
  }
}

/** The id that the middleware `requestId` has set. */
function requestIdOf(c: Context): unknown {
  return c.get('requestId') ?? requestIdFromHeader(c.req.raw)
}
