import type { Mount } from './asked-once.js'
import type { Log } from './handler.js'
import { erase } from './perform.js'

/** The two styles of an API. */
export type Style = 'rest' | 'rpc'

/** The request that hooks are called for. `C` is what the app says of it. */
export interface HookRequest<C> {
  /** What the adapter's option `context` gave. */
  readonly context: C
  readonly style: Style
  /** Where failures after the commit are written. Default: `console.error`. */
  readonly log?: Log | undefined
}

/** The hooks of an app, as the emitted `defineHooks` makes them ready for the handlers' option `hooks`. */
export interface Hooks<C = unknown> {
  /**
   * Gives the client that a request is answered with: around all that it reads and writes, hooks are called.
   * @param client the request's own, with policies or without
   */
  readonly mount: (client: object, request: HookRequest<C>) => object
  /** Whether a row of a model that is created may get more than its caller gives. */
  readonly completes: (model: string) => boolean
}

/** Puts hooks around the client of each request. */
export function mountHooks<O, C>(hooks: Hooks<C> | undefined, style: Style): Mount<O, C> | undefined {
  if (!hooks) return undefined
  // What comes of a client has its delegates.
  return (orm, context, log) => erase(hooks.mount(erase(orm), { context, style, log }))
}
