import type { Hono, Handler } from 'hono'
import type { RouterRoute } from 'hono/types'

import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../handler-types.js'

/** A route of a model's router, with the operation that it performs. */
export interface Route extends RouteAction {
  readonly method: string
  /** The pattern below the model's name. */
  readonly path: string
}

/** Returns the routes of a router, without middleware and without routes that do not declare an operation. */
export function listRoutes(router: Hono<ApiEnv> | undefined): readonly Route[] {
  return (router?.routes ?? []).flatMap((route) => {
    const action = getAction(route)
    return action && isRouteMethod(route.method) ? [{ method: route.method, path: route.path, ...action }] : []
  })
}

/** The operation that a handler performs. OpenAPI documents, telemetry and transactions read it from the routes of a router. */
export interface RouteAction {
  /** The name of the operation in REST or RPC, for example `list` or `findMany`. */
  readonly operation: string
  /** The relation that the route refers to. */
  readonly relation?: string | undefined
}

/** A Hono handler that declares its operation. */
export interface ActionHandler<A extends RouteAction = RouteAction> extends Handler<ApiEnv> {
  readonly action: A
}

/** Adds the operation that a handler performs to the handler. */
export function withAction<A extends RouteAction>(action: A, handler: Handler<ApiEnv>): ActionHandler<A> {
  return Object.assign(handler, { action })
}

/** Returns the operation of a route, or undefined for middleware and for handlers that do not declare one. */
export function getAction({ handler }: { readonly handler: unknown }): RouteAction | undefined {
  return (handler as Partial<ActionHandler>).action
}

/** Whether a method registered on a router belongs to a route. Hono registers middleware under `ALL`. */
export function isRouteMethod(method: string): boolean {
  return method !== 'ALL'
}

/** Returns the methods that a router has routes for. */
export function listMethods(router: Hono<ApiEnv>): readonly string[] {
  return [...new Set(router.routes.map((route) => route.method))].filter(isRouteMethod)
}

/**
 * Returns the methods that have a route at a path.
 * @param methods the result of {@link listMethods}
 */
export function methodsForPath(app: Hono<ApiEnv>, methods: readonly string[], path: string): readonly string[] {
  return methods.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => isRouteMethod(route.method)),
  )
}

/** Returns the route of a router that matches a request. If several match, returns the last one. */
export function findRoute(router: Hono<ApiEnv> | undefined, method: string, path: string): RouterRoute | undefined {
  const found = router?.router.match(method === 'HEAD' ? 'GET' : method, path)[0].map(([[, route]]) => route)
  return found?.findLast((route) => isRouteMethod(route.method))
}

/**
 * Returns the response for a method that a path does not support: 405 with `Allow`. For OPTIONS, the response is a 204 with the same
 * header.
 * @param possible the supported methods; GET implies HEAD
 * @param fail renders an error in the format of REST or RPC
 */
export function methodNotAllowed(
  method: string,
  possible: readonly string[],
  fail: (error: RequestError) => Response,
): Response {
  const allowed = new Set(possible)
  if (allowed.has('GET')) allowed.add('HEAD')
  const allow = [...allowed].sort().join(', ')
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
  const detail = `${method} is not allowed here. Allowed: ${allow || 'none'}.`
  return fail(new RequestError({ code: 'method-not-allowed', detail }, { Allow: allow }))
}

// Mutable, because Hono's `on` does not accept readonly arrays.

/** The methods of an RPC read. `POST` is for arguments that are too long for a URL (design, section 5). Used by the emitted `rpc.ts`. */
export const READ_METHODS: ['GET', 'POST'] = ['GET', 'POST']

/** The methods of an update. Both change only the fields in the request (contract 4.1, rule 1; 4.3). Used by the emitted routers. */
export const UPDATE_METHODS: ['PATCH', 'PUT'] = ['PATCH', 'PUT']
