import type { WrapClient } from './request-accessors.js'
import type { Log } from './api-handler.js'
import { unsafeCast } from './execute-route.js'

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

/**
 * Puts hooks around the client of each request.
 * @param check throws where the app's own client cannot serve the style's routes
 * @throws Error where the hooks are none that `defineHooks` gave
 */
export function wrapClientWithHooks<O, C>(
  hooks: Hooks<C> | undefined,
  style: Style,
  check?: (client: unknown) => void,
): WrapClient<O, C> | undefined {
  if (hooks && typeof hooks.mount !== 'function') throw new Error('hooks must be what the emitted defineHooks gives.')
  if (!hooks && !check) return undefined
  return (orm, context, log) => {
    check?.(orm)
    // What comes of a client has its delegates.
    return hooks ? unsafeCast(hooks.mount(unsafeCast(orm), { context, style, log })) : orm
  }
}
