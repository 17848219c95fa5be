import type { Hono } from 'hono'
import type { RouterRoute } from 'hono/types'

import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from './api-handler.js'

/** Whether something on a router answers a method, and is no middleware, which Hono keeps under `ALL`. */
export function isRoute(method: string): boolean {
  return method !== 'ALL'
}

/** The methods that a router has routes for. */
export function listMethods(router: Hono<ApiEnv>): readonly string[] {
  return [...new Set(router.routes.map((route) => route.method))].filter(isRoute)
}

/**
 * The methods that have a route at a path.
 * @param methods those of {@link methodsOf}
 */
export function methodsForPath(app: Hono<ApiEnv>, methods: readonly string[], path: string): readonly string[] {
  return methods.filter((method) => app.router.match(method, path)[0].some(([[, route]]) => isRoute(route.method)))
}

/** The route that a router has for a request; its last, where it has several. */
export function findRoute(router: Hono<ApiEnv> | undefined, method: string, path: string): RouterRoute | undefined {
  const found = router?.router.match(method === 'HEAD' ? 'GET' : method, path)[0].map(([[, route]]) => route)
  return found?.findLast((route) => isRoute(route.method))
}

/**
 * The answer to a method that a path does not have: 405 with `Allow`, and the same list for OPTIONS.
 * @param possible the methods that it has; with GET it has HEAD
 * @param fail the style's error format
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
  const detail = `${method} is not possible here. Possible: ${allow || 'nothing'}.`
  return fail(new RequestError({ code: 'method-not-allowed', detail }, { Allow: allow }))
}
