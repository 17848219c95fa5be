import type { Hono } from 'hono'

import type { ApiEnv } from '../http/api-handler.js'
import { isRoute } from '../http/allowed-methods.js'
import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-middleware.js'
import type { RestContext } from './context.js'
import { entryPoint } from './entry-point.js'
import type { DescribeRest } from './handler-info.js'
import type { RestModel } from './model.js'

/** What a handler's pages tell of. */
export interface StaticEndpointOptions {
  readonly context: RestContext
  readonly routers: ReadonlyMap<RestModel, Hono<ApiEnv>>
  readonly isTaken: (segment: string) => boolean
  readonly hasHooks: boolean
  readonly keys: IdempotencyInfo | undefined
  /** Where atomic operations are served, if they are. */
  readonly operations: string | undefined
}

/**
 * What a REST handler serves beside its models: what there is, and its description where it has one.
 * @throws Error where the description's paths are taken
 */
export function restStaticEndpoints(
  openapi: DescribeRest | undefined,
  { routers, ...facts }: StaticEndpointOptions,
): StaticEndpoints {
  const routes = new Map(
    [...routers].map(([model, router]) => [model, router.routes.filter(({ method }) => isRoute(method))]),
  )
  const described: StaticEndpoints = openapi?.rest({ ...facts, routes }) ?? new Map()
  const [describedBy] = described.keys()
  return new Map([['', entryPoint(routers.keys(), facts.context.settings.endpoint, describedBy)], ...described])
}
