import type { Hono } from 'hono'

import type { ApiEnv } from './handler-types.js'
import { getAction, type RouteAction } from './route-action.js'
import { isRouteMethod } from './route-lookup.js'

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
