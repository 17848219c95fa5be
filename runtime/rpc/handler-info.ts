import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-middleware.js'
import type { Route } from '../http/route.js'
import type { Limits } from '../limits.js'
import type { Dialect } from '../orm/dialect.js'
import type { Model } from '../schema/schema.js'

/** What an RPC handler tells of itself, to be described. */
export interface RpcHandlerInfo {
  readonly limits: Limits
  readonly dialect: Dialect
  /** The routes of each model that is served. */
  readonly routes: ReadonlyMap<Model, readonly Route[]>
  /** Whether a model is served at paths that begin with this segment. */
  readonly isTaken: (segment: string) => boolean
  /** Whether several operations may be sent at once. */
  readonly hasTransactions: boolean
  /** Whether hooks may refuse requests. */
  readonly hasHooks: boolean
  /** Undefined where it takes no idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Describes an RPC handler, as `openApi` of `@routewright/runtime/openapi` does. */
export interface DescribeRpc {
  /** The description, and a page to read it, by their paths below the prefix. */
  readonly rpc: (facts: RpcHandlerInfo) => StaticEndpoints
}
