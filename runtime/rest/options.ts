import type { Hooks } from '../http/hooks-mount.js'
import type { Idempotency } from '../http/idempotency-middleware.js'
import type { LifecycleOptions } from '../http/lifecycle/options.js'
import type { Limits } from '../limits.js'
import type { Estimates } from '../orm/row-estimates.js'
import type { ComputedNames } from '../schema/computed.js'
import type { Resource, UniqueName } from '../schema/resource.js'
import type { CustomRestRoutes } from './custom/define.js'
import type { DescribeRest } from './handler-info.js'
import type { Total } from './request/page.js'

/** The REST routes of a schema, by model name: what the emitted `index.ts` mounts. */
export type RestRoutesByModel = Readonly<
  // Any model's router, whose types emitted code alone knows.
  Record<string, { readonly resource: Resource; readonly build: (app: never) => void }>
>

/**
 * Options of the emitted `RestApiHandler`: the contract's four (2.1) and ours. `C` is what the app says of a request.
 */
export interface RestOptions<M extends RestRoutesByModel = RestRoutesByModel, C = unknown> extends LifecycleOptions {
  /** Base URL of the REST API: absolute, http or https. Every link starts with it; the request's own host is never used. */
  readonly endpoint: string
  /** Default page size of collections, related resources and relationships. `Infinity` turns paging off. Default 100. */
  readonly pageSize?: number
  /** The largest page a request may ask for; beyond it 400. Default 1000, or `pageSize` where that is larger. */
  readonly maxPageSize?: number
  /**
   * How pages are given where a request does not say: `offset`, or `cursor` as in the cursor pagination profile. A request
   * chooses with its parameters, or with `profile` in `Accept`. Default `offset`.
   */
  readonly pagination?: 'offset' | 'cursor'
  /**
   * Whether collections tell how many there are in all where a request does not say with `page[total]`: `exact`, or `none`, which spares the
   * query that counts; `last` is null then. Pages that cursors give have no total unless asked. Default `exact`.
   */
  readonly total?: Exclude<Total, 'estimated'>
  /**
   * Lets requests ask with `page[total]=estimated` for about how many resources a collection has, and tells it: `rowEstimates`, the number
   * that the database itself keeps of a table. They are counted where that number would not be one of what is shown. Default: that is 400.
   */
  readonly estimateCount?: Estimates
  /**
   * Model name → path name, for example its plural. May name some models only; but as soon as it names one, the models that
   * it does not name are not served.
   */
  readonly modelNameMapping?: { readonly [K in keyof M]?: string }
  /** Model name → the unique (a field, or a compound's name in Prisma's `where`) that identifies it in URLs instead of its id. */
  readonly externalIdMapping?: { readonly [K in keyof M]?: UniqueName<M[K]['resource']> }
  /**
   * Where the contract and JSON:API differ, follow JSON:API: `status` of an error is a string, and Prisma's code stands in
   * `meta.ormCode`; a field called `type` is the attribute `<model>Type`, and underscores that a field's name begins or ends
   * with are left out. Types and relationships, which stand in URLs too, are refused where they have such names. Default false.
   */
  readonly strict?: boolean
  /**
   * Whether the error of a CHECK constraint, an exclusion constraint, a check option or a trigger has the database's own message instead of
   * a fixed one. The message may name tables, columns and constraints. Default: false.
   */
  readonly databaseMessages?: boolean
  /**
   * Model name → computed fields of the client (`$extends({ result })`) that its resources show as attributes. The emitted `exposeComputed`
   * checks the names against a client. Default: none.
   */
  readonly computed?: ComputedNames<keyof M & string>
  /**
   * Routes of your own, at paths below the prefix. They come before the emitted ones, and see the same client; what
   * they do not answer, or leave to `next`, the emitted ones answer. Made with the emitted `defineRestRoutes`. Default: none.
   */
  readonly routes?: CustomRestRoutes<C>
  /** What a request may ask for; the defaults for those left out. */
  readonly limits?: Partial<Limits>
  /**
   * Serves a description of the API as OpenAPI 3.1 at `/openapi.json` below the prefix, and a page to read it where it says so: `openApi({ … })` of
   * `@routewright/runtime/openapi`. Default: none is served.
   */
  readonly openapi?: DescribeRest
  /**
   * Serves atomic operations (the extension of JSON:API) at `POST /operations` below the prefix, or at another path: several changes in one
   * request, all of them or none. Default: none are served.
   */
  readonly atomicOperations?: boolean | string
  /**
   * Lets callers send a request that writes again without its being done twice, by the header `Idempotency-Key`: `idempotency({ … })` of
   * `@routewright/runtime/idempotency`. Default: the header is not looked at.
   */
  readonly idempotency?: Idempotency<C>
  /** What the app does around reads and writes, made with the emitted `defineHooks`. Default: nothing. */
  readonly hooks?: Hooks<C>
}
