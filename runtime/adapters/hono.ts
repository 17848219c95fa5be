import { type Context, Hono } from 'hono'
import { baseRoutePath, matchedRoutes } from 'hono/route'

import { readable } from '../http/body.js'
import type { OnAnswer } from '../http/facts.js'
import { answerWithHeadersOf } from '../http/headers.js'
import {
  type AdapterOptions,
  contextOf,
  joinPath,
  mountOf,
  pathOf,
  sentRequestId,
  type WithHandler,
} from '../http/mount.js'
import { answeredAt } from './hono/answered-at.js'

/** Options of the emitted `createHonoHandler`; `context` and `getOrm` receive Hono's context. */
export type HonoHandlerOptions<O, C = unknown> = AdapterOptions<O, [c: Context], C>

/**
 * A Hono app that serves a handler, to be mounted with `app.route(path, …)` or served as it is. What middleware has set is kept, headers
 * and variables, and behind the handler `routePath(c)` is the route that has answered: `/api/post/:id`.
 * @param options see {@link HonoHandlerOptions}
 */
export function honoHandler<O, C>(options: WithHandler<O, HonoHandlerOptions<O, C>, C>): Hono {
  const { handler, onAnswer } = options
  const below = joinPath(options.prefix)
  const app = new Hono()
  app.all(`${below}/*`, (c) => {
    const mount = joinPath(baseRoutePath(c), below)
    // Without middleware nobody has set a header, and nobody asks for the route.
    const isAlone = matchedRoutes(c).length === 1
    const known = {
      // From the URL itself: Hono's own path is decoded, and what stands below the mount must not be.
      prefix: mountOf(pathOf(c.req.raw.url), mount),
      mount,
      variables: c.var,
      requestId: () => requestIdOf(c),
      onAnswer: isAlone ? undefined : naming(c, onAnswer),
    }
    const context = contextOf(options, known, c)
    const request = readable(c.req)
    const answer =
      request instanceof Promise
        ? request.then((shared) => handler.fetch(shared, context))
        : handler.fetch(request, context)
    return isAlone ? answer : answer.then((response) => answerWithHeadersOf(c, response))
  })
  return app
}

/** Tells Hono the route before the app. */
function naming(c: Context, onAnswer: OnAnswer | undefined): OnAnswer {
  return (facts) => {
    if (facts.route !== undefined) answeredAt(c, facts.route)
    return onAnswer?.(facts)
  }
}

/** The id that the middleware `requestId` has set. */
function requestIdOf(c: Context): unknown {
  return c.get('requestId') ?? sentRequestId(c.req.raw)
}
