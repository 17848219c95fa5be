import type { Handler } from 'hono'

import type { ApiEnv } from './handler-types.js'

/** What a handler does. OpenAPI documents, telemetry, atomic operations and transactions read it from the routes of a router. */
export interface RouteAction {
  /** The name of the operation in REST or RPC, for example `list` or `findMany`. */
  readonly operation: string
  /** The relation that the route refers to. */
  readonly relation?: string | undefined
}

/** A handler of Hono that declares what it does. */
export interface ActionHandler<A extends RouteAction = RouteAction> extends Handler<ApiEnv> {
  readonly action: A
}

/** Adds the description of what it does to a handler. */
export function withAction<A extends RouteAction>(action: A, handler: Handler<ApiEnv>): ActionHandler<A> {
  return Object.assign(handler, { action })
}

/** Returns what the handler of a route does, or undefined for middleware and for handlers of the app. */
export function getAction({ handler }: { readonly handler: unknown }): RouteAction | undefined {
  return (handler as Partial<ActionHandler>).action
}
