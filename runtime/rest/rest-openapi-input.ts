import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-types.js'
import type { Route } from '../http/route.js'
import type { RestContext } from './rest-context.js'
import type { RestModel } from './rest-model.js'

/** The data about a REST handler that `openApi` needs to describe its API. */
export interface RestOpenApiInput {
  readonly context: RestContext
  /** The routes of each exposed model. */
  readonly routes: ReadonlyMap<RestModel, readonly Route[]>
  /** Whether paths that start with this segment belong to a model or another endpoint. */
  readonly isReserved: (segment: string) => boolean
  /** The path of atomic operations, if they are enabled. */
  readonly operations: string | undefined
  /** Whether hooks may reject requests. */
  readonly hasHooks: boolean
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Describes a REST handler. Created by `openApi` from `@routewright/runtime/openapi`. */
export interface DescribeRest {
  /** Returns the API description and the page that renders it, by their paths relative to the prefix. */
  readonly rest: (info: RestOpenApiInput) => StaticEndpoints
}
