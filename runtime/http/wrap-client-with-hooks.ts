import type { WrapClient } from './client-accessors.js'
import type { Log } from './handler-types.js'
import type { Style } from './telemetry.js'
import { unsafeCast } from './unsafe-cast.js'

/** The request that hooks receive. `C` is the type of the app's `context`. */
export interface HookRequest<C> {
  /** The result of the adapter option `context`. */
  readonly context: C
  readonly style: Style
  /** Receives log lines about errors after the commit. Default: `console.error`. */
  readonly log?: Log | undefined
}

/** The hooks of an app, as the emitted `defineHooks` returns them for the handler option `hooks`. */
export interface Hooks<C = unknown> {
  /**
   * Wraps the client of a request, so that hooks run for its reads and writes.
   * @param client the client of the request, with or without policies
   */
  readonly mount: (client: object, request: HookRequest<C>) => object
  /** Whether a hook may add data to new rows of a model. */
  readonly addsData: (model: string) => boolean
}

/**
 * Creates a function that wraps the client of each request with hooks.
 * @param check throws if the app's client cannot serve the REST or RPC routes
 * @throws Error if the hooks were not created by `defineHooks`
 */
export function wrapClientWithHooks<O, C>(
  hooks: Hooks<C> | undefined,
  style: Style,
  check?: (client: unknown) => void,
): WrapClient<O, C> | undefined {
  if (hooks && typeof hooks.mount !== 'function')
    throw new Error('hooks must be the result of the emitted defineHooks.')
  if (!hooks && !check) return undefined
  return (orm, context, log) => {
    check?.(orm)
    // A wrapped client has the same delegates.
    return hooks ? unsafeCast(hooks.mount(unsafeCast(orm), { context, style, log })) : orm
  }
}
