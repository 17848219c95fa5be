import type { Log } from '../http/handler.js'
import type { Style } from '../http/hooks.js'

/** What is the same for all hooks of a request. */
export interface Session {
  /** What every hook is told. */
  readonly event: { readonly context: unknown; readonly style: Style }
  readonly log: Log
}
