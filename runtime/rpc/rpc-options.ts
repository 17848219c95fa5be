import type { Hooks } from '../http/client-accessors.js'
import type { FeatureFactory, FeatureOption } from '../http/feature.js'
import type { Idempotency, IdempotencyInfo } from '../http/idempotency-types.js'
import type { LifecycleOptionsOf } from '../http/lifecycle.js'
import type { Route } from '../http/routing/route.js'
import type { StaticEndpoints } from '../http/routing/endpoints.js'
import type { Limits } from '../limits.js'
import type { Dialect } from '../prisma/dialect.js'
import type { ComputedNames } from '../schema/computed-names.js'
import type { Model } from '../schema/model.js'
import type { DeclaringRoutes } from '../http/routing/declaration-types.js'
import type { CustomRpcRoutes } from './custom/custom-rpc-routes.js'
import type { RpcFeatureName } from './rpc-features.js'
import type { RpcRouters } from './rpc-router.js'

/**
 * Options of the emitted `RPCApiHandler`. All of them are optional. `C` is the type of the app's context, and `F` the list of enabled
 * features.
 */
export interface RpcOptions<
  C = unknown,
  M extends RpcRouters = RpcRouters,
  F extends readonly FeatureFactory[] = readonly FeatureFactory<RpcFeatureName>[],
> extends LifecycleOptionsOf<F, 'rpc'> {
  /**
   * Computed fields of the client (`$extends({ result })`) by model name. Responses contain them, and requests can select them. The emitted
   * `exposeComputed` checks the names against a client. Requires `files = ["computed"]`. Default: none.
   */
  readonly computed?: FeatureOption<F, 'files', 'computed', ComputedNames<keyof M & string>>
  /**
   * Custom routes at paths relative to the prefix, created with the emitted `defineRpcRoutes`. They use the same client as the emitted
   * routes and are tried first. Requests that they do not handle, or pass to `next`, are handled by the emitted routes. Default: none.
   */
  readonly routes?: CustomRpcRoutes<C>
  /**
   * Whether to serve transactions at `POST /$transaction/sequential` under the prefix. A transaction is a list of operations that run in
   * order, all or nothing. Requires the feature `transactions`. Default: true.
   */
  readonly transactions?: FeatureOption<F, 'rpc', 'transactions', boolean> | false
  /**
   * Whether errors of CHECK constraints, exclusion constraints, check options and triggers contain the database's own message instead of a
   * fixed one. The message may name tables, columns and constraints. Default: false.
   */
  readonly databaseMessages?: boolean
  /** Limits for requests. Defaults: see {@link Limits}. */
  readonly limits?: Partial<Limits>
  /**
   * Serves an OpenAPI 3.1 description of the API at `/openapi.json` under the prefix, and optionally a page that renders it:
   * `openApi({ … })` from `@routewright/runtime/openapi`. Default: none.
   */
  readonly openapi?: DescribeRpc
  /**
   * Supports the header `Idempotency-Key`, so that callers can retry a write safely: `idempotency({ … })` from
   * `@routewright/runtime/idempotency`. Default: the header is ignored.
   */
  readonly idempotency?: Idempotency<C>
  /** The app's hooks around reads and writes, created with the emitted `defineHooks`. Default: none. */
  readonly hooks?: Hooks<C>
}

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
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
  /** The options of the handler. */
  readonly options: { readonly hooks?: unknown; readonly routes?: DeclaringRoutes }
}

/** Describes an RPC handler. Implemented by `openApi` from `@routewright/runtime/openapi`. */
export interface DescribeRpc {
  /** Returns the API description and the page that renders it, by their paths relative to the prefix. */
  readonly rpc: (info: RpcOpenApiInput) => StaticEndpoints
}
