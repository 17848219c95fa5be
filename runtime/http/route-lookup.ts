import type { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'

import type { ApiEnv } from './handler-types.js'

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
