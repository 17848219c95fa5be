import type { Hooks } from '../http/client-accessors.js'
import type { FeatureFactory, FeatureOption } from '../http/feature.js'
import type { Idempotency, IdempotencyInfo } from '../http/idempotency-types.js'
import type { LifecycleOptionsOf } from '../http/lifecycle.js'
import type { DeclaringRoutes } from '../http/routing/declaration-types.js'
import type { Route } from '../http/routing/route.js'
import type { StaticEndpoints } from '../http/routing/endpoints.js'
import type { Limits } from '../limits.js'
import type { ComputedNames } from '../schema/computed-names.js'
import type { UniqueName } from '../schema/resource.js'
import type { CustomRestRoutes } from './custom/custom-rest-routes.js'
import type { Total } from './paging/paging.js'
import type { RestContext } from './rest-context.js'
import type { RestFeatureName } from './rest-features.js'
import type { RestModel } from './rest-model.js'
import type { RestRouters } from './rest-router.js'

/**
 * Options of the emitted `RestApiHandler`: the four of the contract (2.1) and Routewright's additions. `C` is the type of the app's
 * context, and `F` the list of enabled features.
 */
export interface RestOptions<
  M extends RestRouters = RestRouters,
  C = unknown,
  F extends readonly FeatureFactory[] = readonly FeatureFactory<RestFeatureName>[],
> extends LifecycleOptionsOf<F, 'rest'> {
  /** Base URL of the REST API: absolute, http or https. Every link starts with it. The request's own host is never used. */
  readonly endpoint: string
  /** Default page size of collections, related resources and relationships. `Infinity` disables pagination. Default: 100. */
  readonly pageSize?: number
  /** Maximum page size that a request may use. Larger sizes are rejected with a 400. Default: 1000, or `pageSize` if that is larger. */
  readonly maxPageSize?: number
  /**
   * The kind of pagination for requests that do not specify one: `offset`, or `cursor` as in the cursor pagination profile. A request
   * selects a kind with its page parameters or with `profile` in `Accept`. The value `cursor` requires the feature `cursors`. Default:
   * `offset`.
   */
  readonly pagination?: 'offset' | FeatureOption<F, 'rest', 'cursors', 'cursor'>
  /**
   * Whether collections include the total if a request does not set `page[total]`. With `none`, there is no count query, and `last` is
   * null. With cursors, pages include a total only on request. Default: `exact`.
   */
  readonly total?: Total
  /** Maps model names to path names, for example to plurals. If it contains any model, all models that it omits are hidden. */
  readonly modelNameMapping?: { readonly [K in keyof M]?: string }
  /**
   * Maps model names to the unique criterion (a field, or the name of a compound criterion in Prisma's `where`) that identifies resources
   * in URLs instead of the id.
   */
  readonly externalIdMapping?: { readonly [K in keyof M]?: UniqueName<M[K]['resource']> }
  /**
   * Whether to follow JSON:API where it differs from the contract. In strict mode, the `status` of an error is a string, and Prisma's code
   * is in `meta.ormCode`. A field named `type` becomes the attribute `<model>Type`, and leading and trailing underscores of field names are
   * removed. Types and relationships with invalid names are rejected instead, because they also appear in URLs. Default: false.
   */
  readonly strict?: boolean
  /**
   * Whether errors of CHECK constraints, exclusion constraints, check options and triggers contain the database's own message instead of a
   * fixed one. The message may name tables, columns and constraints. Default: false.
   */
  readonly databaseMessages?: boolean
  /**
   * Maps model names to computed fields of the client (`$extends({ result })`) that are exposed as attributes. The emitted `exposeComputed`
   * checks the names against a client. Requires `files = ["computed"]`. Default: none.
   */
  readonly computed?: FeatureOption<F, 'files', 'computed', ComputedNames<keyof M & string>>
  /**
   * Custom routes at paths under the prefix. They run before the emitted routes and use the same client. Requests that they do not handle,
   * or pass to `next`, reach the emitted routes. Created with the emitted `defineRestRoutes`. Default: none.
   */
  readonly routes?: CustomRestRoutes<C>
  /** Limits on requests. Omitted limits keep their defaults. */
  readonly limits?: Partial<Limits>
  /**
   * Serves an OpenAPI 3.1 description at `/openapi.json` under the prefix and, if configured, a page that renders it: `openApi({ … })` from
   * `@routewright/runtime/openapi`. Default: none.
   */
  readonly openapi?: DescribeRest
  /**
   * The path of atomic operations under the prefix, or whether they are served. One request contains multiple changes, which succeed or
   * fail together. Requires the feature `atomic`. Default: `/operations`.
   */
  readonly atomicOperations?: FeatureOption<F, 'rest', 'atomic', boolean | string> | false
  /**
   * Lets clients retry writes safely with the header `Idempotency-Key`: `idempotency({ … })` from `@routewright/runtime/idempotency`.
   * Default: the header is ignored.
   */
  readonly idempotency?: Idempotency<C>
  /** The app's hooks for reads and writes, created with the emitted `defineHooks`. Default: none. */
  readonly hooks?: Hooks<C>
}

/** The data about a REST handler that `openApi` needs to describe its API. */
export interface RestOpenApiInput {
  readonly context: RestContext
  /** The routes of each exposed model. */
  readonly routes: ReadonlyMap<RestModel, readonly Route[]>
  /** Whether paths that start with this segment belong to a model or another endpoint. */
  readonly isReserved: (segment: string) => boolean
  /** The path of atomic operations, if they are enabled. */
  readonly operations: string | undefined
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
  /** The options of the handler. */
  readonly options: { readonly hooks?: unknown; readonly routes?: DeclaringRoutes }
}

/** Describes a REST handler. Created by `openApi` from `@routewright/runtime/openapi`. */
export interface DescribeRest {
  /** Returns the API description and the page that renders it, by their paths relative to the prefix. */
  readonly rest: (info: RestOpenApiInput) => StaticEndpoints
}
