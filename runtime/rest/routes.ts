import type { Hono } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import type { ModelName, TypeMap } from '../orm/client-types.js'
import type { Resource } from '../schema/resource.js'
import type { RestApi } from './api.js'

/** One model's REST routes, as the emitted `rest.ts` exports them; mounted by the emitted `RestApiHandler`. */
export interface RestRoutes<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (api: RestApi<T, N>) => Hono<ApiEnv>
}

/**
 * Ties a model's REST routes to its resource.
 * @param resource what the model looks like on the wire
 * @param build makes the router; called once per handler, with the runtime's side of the work bound to the resource
 */
export function restRoutes<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R,
  build: (api: RestApi<T, N>) => Hono<ApiEnv>,
): RestRoutes<R, T, N> {
  return { resource, build }
}
