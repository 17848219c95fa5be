import type { IncomingMessage, ServerResponse } from 'node:http'

import { type AdapterOptions, joinPath, type WithHandler } from '../mount.js'
import { fail, serveNode } from '../node-http/serve.js'

/** A request of an API route: a `NextApiRequest` is one. */
export interface NextApiRequestLike extends IncomingMessage {
  readonly query: Readonly<Record<string, string | string[] | undefined>>
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** Options of the emitted `createNextHandler` for the app directory. */
export interface NextAppOptions<O, R extends Request = Request> extends AdapterOptions<O, [request: R]> {
  /** Makes route handlers, for `app/<prefix>/[...path]/route.ts`. */
  readonly useAppDir: true
}

/** Options of the emitted `createNextHandler` for the pages directory. */
export interface NextPagesOptions<O, R extends NextApiRequestLike = NextApiRequestLike> extends AdapterOptions<
  O,
  [req: R]
> {
  /** Makes an API route, for `pages/<prefix>/[...path].ts`. */
  readonly useAppDir?: false
}

/** The methods that a file of route handlers can export. */
export type NextMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What `route.ts` exports: `export const { GET, HEAD, POST, PUT, PATCH, DELETE } = createNextHandler(…)`. */
export type NextRouteHandlers<R extends Request = Request> = Readonly<
  Record<NextMethod, (request: R) => Promise<Response>>
>

/** What a file below `pages/api` exports by default. */
export type NextApiRoute<R extends NextApiRequestLike = NextApiRequestLike> = (
  req: R,
  res: ServerResponse,
) => Promise<void>

/**
 * Route handlers for the app directory. `prefix` is the path of the route's folder; the app's `basePath` comes before it.
 * @param options see {@link AdapterOptions}
 */
export function nextRouteHandlers<O, R extends Request>(
  options: WithHandler<O, NextAppOptions<O, R>>,
): NextRouteHandlers<R> {
  const { handler, getOrm } = options
  const serve = (request: R) =>
    handler.fetch(request, { getOrm: () => getOrm(request), prefix: joinPath(basePath(request), options.prefix) })
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve }
}

/**
 * An API route for the pages directory, with Next's body parser or without. `prefix` is the path of the route's folder.
 * @param options see {@link AdapterOptions}
 */
export function nextApiRoute<O, R extends NextApiRequestLike>(
  options: WithHandler<O, NextPagesOptions<O, R>>,
): NextApiRoute<R> {
  const { handler, getOrm } = options
  const prefix = joinPath(options.prefix)
  return async (req, res) => {
    try {
      await serveNode(handler, { getOrm: () => getOrm(req), prefix }, req, res)
    } catch {
      fail(res)
    }
  }
}

/** The `basePath` of the app, which a NextRequest knows. */
function basePath(request: Request & { readonly nextUrl?: { readonly basePath?: string } }): string | undefined {
  return request.nextUrl?.basePath
}
