import { type Context, Hono } from 'hono'
import { baseRoutePath, matchedRoutes } from 'hono/route'

import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { respondWithContextHeaders } from '../http/response-headers.js'
import { joinPath, mountPath, urlPath } from '../http/routing/mount-path.js'
import { readableRequest } from '../http/read-body.js'
import type { OnResponse } from '../http/telemetry.js'

/** Options of the emitted `createHonoHandler`. `context` and `getOrm` receive Hono's context. */
export type HonoHandlerOptions<O, C = unknown> = AdapterOptions<O, [c: Context], C>

/**
 * Creates a Hono app that serves a handler. Mount it with `app.route(path, …)`, or serve it directly. Headers and variables set by
 * middleware are preserved. After the handler has run, `routePath(c)` returns the route that handled the request: `/api/post/:id`.
 * Called by the emitted `createHonoHandler`.
 * @param options see {@link HonoHandlerOptions}
 */
export function honoHandler<O, C>(options: WithHandler<O, HonoHandlerOptions<O, C>, C>): Hono {
  const { handler, onResponse } = options
  const prefix = joinPath(options.prefix)
  const app = new Hono()
  app.all(`${prefix}/*`, (c) => {
    const mount = joinPath(baseRoutePath(c), prefix)
    // If no other route matches, no middleware has set headers or will read the route path.
    const isOnlyRoute = matchedRoutes(c).length === 1
    const adapterRequest = {
      // The URL is used because Hono decodes its path, and the path below the mount point must stay encoded.
      prefix: mountPath(urlPath(c.req.raw.url), mount),
      mount,
      variables: c.var,
      requestId: () => requestIdOf(c),
      onResponse: isOnlyRoute ? undefined : withRoutePath(c, onResponse),
    }
    const context = createRequestContext(options, adapterRequest, c)
    const request = readableRequest(c.req)
    const pending =
      request instanceof Promise
        ? request.then((readable) => handler.fetch(readable, context))
        : handler.fetch(request, context)
    return isOnlyRoute ? pending : pending.then((response) => respondWithContextHeaders(c, response))
  })
  return app
}

/** Sets Hono's route path before the app's `onResponse` is called. */
function withRoutePath(c: Context, onResponse: OnResponse | undefined): OnResponse {
  return (telemetry) => {
    if (telemetry.route !== undefined) setRoutePath(c, telemetry.route)
    return onResponse?.(telemetry)
  }
}

/** Returns the id set by Hono's `requestId` middleware, or the header's. */
function requestIdOf(c: Context): unknown {
  return c.get('requestId') ?? requestIdFromHeader(c.req.raw)
}

/**
 * Makes `routePath(c)` and `c.req.routePath` return the route that handled a request instead of `/api/*`, for middleware that reads them
 * afterwards. Hono itself only knows `/api/*`, because handlers have their own routers.
 * @param path the pattern of the route, with the mount point
 */
function setRoutePath({ req }: Context, path: string): void {
  const { routeIndex } = req
  // Hono stores the matched routes of a request under a symbol that it does not export. The list may be shared with other requests, so it
  // is copied.
  for (const key of Object.getOwnPropertySymbols(Object.getPrototypeOf(req))) {
    const matched: unknown = Reflect.get(req, key)
    if (!isList(matched)) continue
    const [found, ...params] = matched
    const entry = isList(found) ? found[routeIndex] : undefined
    if (!isList(found) || !isList(entry)) continue
    const [handled, ...names] = entry
    if (!isList(handled)) continue
    const [handler, route] = handled
    const updatedEntry = [[handler, Object.assign({}, route, { path })], ...names]
    const routes = found.map((other, index) => (index === routeIndex ? updatedEntry : other))
    Object.defineProperty(req, key, { value: [routes, ...params], configurable: true })
  }
  Object.defineProperty(req, 'routePath', { value: path, configurable: true })
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
