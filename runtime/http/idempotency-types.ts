import type { Limits } from '../limits.js'
import type { CustomRouteResult, WrapClient } from './client-accessors.js'
import type { RenderError, RouteMatch, RequestContext } from './handler-types.js'
import type { Style } from './telemetry.js'
import type { AssertActive } from './active-request.js'

/** Handles a request with the REST or RPC routes. Never rejects. */
export type StyleFetch<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  path: string,
  assertActive: AssertActive,
  customResult?: CustomRouteResult,
) => Promise<Response>

/** The properties of a handler that the idempotency middleware needs. */
export interface IdempotentHandler {
  readonly style: Style
  readonly limits: Limits
  readonly dialect: { readonly provider: string }
  /** The exposed models, by delegate name. */
  readonly resources: readonly { readonly delegate: string }[]
}

/** The functions of the REST or RPC handler that the idempotency middleware uses. */
export interface HandlerPipeline<O, C> {
  readonly wrap: WrapClient<O, C> | undefined
  readonly fail: RenderError
  /** Returns the route that handles a request, and its operation. */
  readonly matchStyleRoute: (method: string, path: string) => RouteMatch | undefined
}

/** Middleware around the REST or RPC routes. */
export type IdempotencyMiddleware<O, C> = (next: StyleFetch<O, C>, app: HandlerPipeline<O, C>) => StyleFetch<O, C>

/** The settings that the OpenAPI document describes. */
export interface IdempotencyInfo {
  /** Whether requests that are not idempotent must have a key. */
  readonly required: boolean
}

/**
 * Allows clients to retry writes safely. Created by `idempotency` of `@routewright/runtime/idempotency` for the handler option of the same
 * name. Handlers receive it as a value and do not import it.
 */
export interface Idempotency<C = unknown> extends IdempotencyInfo {
  readonly around: <O>(handler: IdempotentHandler) => IdempotencyMiddleware<O, C>
}
