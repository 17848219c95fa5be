import type { StaticEndpoints } from '../http/static-endpoint.js'
import type { IdempotencyInfo } from '../http/idempotency-middleware.js'
import type { Route } from '../http/route.js'
import type { RestContext } from './context.js'
import type { RestModel } from './model.js'

/** What a REST handler tells of itself, to be described. */
export interface RestHandlerInfo {
  readonly context: RestContext
  /** The routes of each model that is served. */
  readonly routes: ReadonlyMap<RestModel, readonly Route[]>
  /** Whether a model is served at paths that begin with this segment. */
  readonly isTaken: (segment: string) => boolean
  /** Where atomic operations are served, if they are. */
  readonly operations: string | undefined
  /** Whether hooks may refuse requests. */
  readonly hasHooks: boolean
  /** Undefined where it takes no idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Describes a REST handler, as `openApi` of `@routewright/runtime/openapi` does. */
export interface DescribeRest {
  /** The description, and a page to read it, by their paths below the prefix. */
  readonly rest: (facts: RestHandlerInfo) => StaticEndpoints
}
