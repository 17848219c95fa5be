import type { Log } from '../http/handler.js'
import type { Style } from './hooks.js'

/** The request that hooks are called for. */
export interface HookRequest<C> {
  /** What the adapter's option `context` said of it. */
  readonly context: C
  readonly style: Style
  /** Where failures after the commit are written. Default: `console.error`. */
  readonly log?: Log | undefined
}

/** What is the same for all hooks of a request. */
export interface Session {
  /** What every hook is told. */
  readonly event: { readonly context: unknown; readonly style: Style }
  readonly log: Log
}
