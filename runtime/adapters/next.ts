import type { NextApiHandler, NextApiRequest } from 'next'
import type { NextRequest } from 'next/server.js'

import { drainBody } from '../http/read-body.js'
import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { joinPath, createMountMatcherOrPattern, urlPath } from '../http/routing/mount-path.js'
import { nodeListener } from '../node-http/serve-node.js'

/** The second argument that Next passes to a route handler. */
export interface NextRouteContext {
  /** The parameters of the route's path, for example `{ tenant, path }` for `app/t/[tenant]/api/[...path]`. */
  readonly params: Promise<Readonly<Record<string, string | string[] | undefined>>>
}

/** Options of the emitted `createNextHandler` for the app directory. */
export type NextAppOptions<O, C = unknown> = AdapterOptions<O, [request: NextRequest, route: NextRouteContext], C> & {
  /** Creates route handlers for `app/<prefix>/[...path]/route.ts`. */
  readonly useAppDir: true
}

/** Options of the emitted `createNextHandler` for the pages directory. */
export type NextPagesOptions<O, C = unknown> = AdapterOptions<O, [req: NextApiRequest], C> & {
  /** Creates an API route for `pages/<prefix>/[...path].ts`. */
  readonly useAppDir?: false
}

/** The methods that a file of route handlers can export. */
export type NextMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** The exports of `route.ts`: `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createNextHandler(…)`. */
export type NextRouteHandlers = Readonly<
  Record<NextMethod, (request: NextRequest, context: NextRouteContext) => Promise<Response>>
>

/**
 * Creates route handlers for the app directory. `prefix` is the path of the route's folder, without the app's `basePath`.
 * Called by the emitted `createNextHandler`.
 * @param options see {@link AdapterOptions}
 */
export function nextRouteHandlers<O, C>(options: WithHandler<O, NextAppOptions<O, C>, C>): NextRouteHandlers {
  const { handler } = options
  const mountIn = createMountMatcherOrPattern(options.prefix)
  const pattern = joinPath(options.prefix)
  const serve = (request: NextRequest, route: NextRouteContext) => {
    const base = joinPath(request.nextUrl.basePath)
    const prefix = base + mountIn(urlPath(request.url).slice(base.length))
    const received = drainBody(request)
    const adapterRequest = { prefix, mount: base + pattern, requestId: () => requestIdFromHeader(request) }
    const context = createRequestContext(options, adapterRequest, request, route)
    return handler.fetch(received.request, context).finally(received.release)
  }
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve }
}

/**
 * Creates an API route for the pages directory, with or without Next's body parser. `prefix` is the path of the route's folder.
 * Called by the emitted `createNextHandler`.
 * @param options see {@link AdapterOptions}
 */
export function nextApiRoute<O, C>(options: WithHandler<O, NextPagesOptions<O, C>, C>): NextApiHandler {
  return nodeListener(options)
}
