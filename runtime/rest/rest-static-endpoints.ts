import type { Hono } from 'hono'

import type { ApiEnv } from '../http/handler-types.js'
import { listRoutes } from '../http/route.js'
import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-types.js'
import type { RestContext } from './rest-context.js'
import { entryPoint } from './entry-point.js'
import type { DescribeRest } from './rest-openapi-input.js'
import type { RestModel } from './rest-model.js'

/** The data about a handler that its static endpoints need. */
export interface StaticEndpointOptions {
  readonly context: RestContext
  readonly routers: ReadonlyMap<RestModel, Hono<ApiEnv>>
  readonly isReserved: (segment: string) => boolean
  readonly hasHooks: boolean
  readonly keys: IdempotencyInfo | undefined
  /** The path of atomic operations, if they are enabled. */
  readonly operations: string | undefined
}

/**
 * Creates the static endpoints of a REST handler: the entry point and, if configured, the API description.
 * @throws Error if a path of the description is already in use
 */
export function restStaticEndpoints(
  openapi: DescribeRest | undefined,
  { routers, ...info }: StaticEndpointOptions,
): StaticEndpoints {
  const routes = new Map([...routers].map(([model, router]) => [model, listRoutes(router)]))
  const described: StaticEndpoints = openapi?.rest({ ...info, routes }) ?? new Map()
  const [describedBy] = described.keys()
  return new Map([['', entryPoint(routers.keys(), info.context.settings, describedBy)], ...described])
}
