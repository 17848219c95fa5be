import type { Handler } from 'hono'

import type { ApiEnv } from './handler-types.js'

/** The operation that a handler performs. OpenAPI documents, telemetry and transactions read it from the routes of a router. */
export interface RouteAction {
  /** The name of the operation in REST or RPC, for example `list` or `findMany`. */
  readonly operation: string
  /** The relation that the route refers to. */
  readonly relation?: string | undefined
}

/** A Hono handler that declares its operation. */
export interface ActionHandler<A extends RouteAction = RouteAction> extends Handler<ApiEnv> {
  readonly action: A
}

/** Adds the operation that a handler performs to the handler. */
export function withAction<A extends RouteAction>(action: A, handler: Handler<ApiEnv>): ActionHandler<A> {
  return Object.assign(handler, { action })
}

/** Returns the operation of a route, or undefined for middleware and for handlers that do not declare one. */
export function getAction({ handler }: { readonly handler: unknown }): RouteAction | undefined {
  return (handler as Partial<ActionHandler>).action
}
