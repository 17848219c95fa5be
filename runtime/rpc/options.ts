import type { Hono } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import type { Hooks } from '../http/hooks.js'
import type { Limits } from '../limits.js'
import type { ComputedNames } from '../schema/computed.js'
import type { RpcRoutesByModel } from './routes.js'

/**
 * Options of the emitted `RPCApiHandler`. The contract has none; all of these may be left out. `C` is what the app says of a request, `A`
 * what routes of your own are given.
 */
export interface RpcOptions<C = unknown, M extends RpcRoutesByModel = RpcRoutesByModel, A = never> {
  /**
   * Model name → computed fields of the client (`$extends({ result })`) that its rows are answered with, and that can be selected. The
   * emitted `computedOf` checks the names against a client. Default: none.
   */
  readonly computed?: ComputedNames<keyof M & string>
  /**
   * Puts routes of your own on the app, at paths below the prefix. They come before the emitted ones, and see the same client; what
   * they do not answer, or leave to `next`, the emitted ones answer.
   */
  readonly routes?: (app: Hono<ApiEnv>, api: A) => void
  /** What a request may ask for; the defaults for those left out. */
  readonly limits?: Partial<Limits>
  /** What the app does around reads and writes, made with the emitted `defineHooks`. Default: nothing. */
  readonly hooks?: Hooks<C>
}
