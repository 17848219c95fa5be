import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-types.js'
import type { Route } from '../http/route.js'
import type { Limits } from '../limits.js'
import type { Dialect } from '../orm/dialect.js'
import type { Model } from '../schema/model.js'

/** Information about an RPC handler, for its description. */
export interface RpcHandlerInfo {
  readonly limits: Limits
  readonly dialect: Dialect
  /** The routes of each exposed model. */
  readonly routes: ReadonlyMap<Model, readonly Route[]>
  /** Whether paths that begin with this segment belong to a model. */
  readonly isReserved: (segment: string) => boolean
  /** Whether the handler supports transactions. */
  readonly hasTransactions: boolean
  /** Whether hooks may reject requests. */
  readonly hasHooks: boolean
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Describes an RPC handler. Implemented by `openApi` of `@routewright/runtime/openapi`. */
export interface DescribeRpc {
  /** Returns the description and a page to read it, by path relative to the prefix. */
  readonly rpc: (info: RpcHandlerInfo) => StaticEndpoints
}
