import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-types.js'
import type { Route } from '../http/route.js'
import type { Limits } from '../limits.js'
import type { Dialect } from '../prisma/dialect.js'
import type { Model } from '../schema/model.js'

/** The data about an RPC handler that its API description is generated from. */
export interface RpcOpenApiInput {
  readonly limits: Limits
  readonly dialect: Dialect
  /** The routes of each exposed model. */
  readonly routes: ReadonlyMap<Model, readonly Route[]>
  /** Whether paths that start with this segment belong to a model. */
  readonly isReserved: (segment: string) => boolean
  /** Whether the handler supports transactions. */
  readonly hasTransactions: boolean
  /** Whether hooks may reject requests. */
  readonly hasHooks: boolean
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Describes an RPC handler. Implemented by `openApi` from `@routewright/runtime/openapi`. */
export interface DescribeRpc {
  /** Returns the API description and the page that renders it, by their paths relative to the prefix. */
  readonly rpc: (info: RpcOpenApiInput) => StaticEndpoints
}
