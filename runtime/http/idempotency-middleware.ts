import type { Limits } from '../limits.js'
import type { WrapClient } from './request-accessors.js'
import type { RenderError } from './dispatch.js'
import type { RouteMatch } from './telemetry.js'
import type { RequestContext } from './api-handler.js'
import type { Style } from './hooks-mount.js'
import type { CustomRouteResult } from './custom-routes.js'
import type { AssertActive } from './lifecycle/deadline.js'

/** Answers a request with the routes of a style. Never rejects. */
export type StyleFetch<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  path: string,
  alive: AssertActive,
  tried?: CustomRouteResult,
) => Promise<Response>

/** What a handler tells of itself to what stands around its routes. */
export interface IdempotentHandler {
  readonly style: Style
  readonly limits: Limits
  /** The database. */
  readonly dialect: { readonly provider: string }
  /** The models that are on the wire, by the names of their delegates. */
  readonly resources: readonly { readonly delegate: string }[]
}

/** What is done around the routes of a style. */
export interface HandlerPipeline<O, C> {
  readonly mount: WrapClient<O, C> | undefined
  readonly fail: RenderError
  /** The route that answers a request, and what it does. */
  readonly spotAt: (method: string, path: string) => RouteMatch | undefined
}

/** Stands around the routes of a style. */
export type IdempotencyMiddleware<O, C> = (answer: StyleFetch<O, C>, app: HandlerPipeline<O, C>) => StyleFetch<O, C>

/** What is to be known of keys, to describe them. */
export interface IdempotencyInfo {
  /** Whether requests that may do their work twice must have one. */
  readonly required: boolean
}

/**
 * Lets requests that write be sent again: what `idempotency` of `@routewright/runtime/idempotency` gives, for the handlers' option of the
 * same name. A handler is handed it, and does not import it.
 */
export interface Idempotency<C = unknown> extends IdempotencyInfo {
  readonly around: <O>(handler: IdempotentHandler) => IdempotencyMiddleware<O, C>
}
