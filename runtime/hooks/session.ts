import type { Log } from '../http/api-handler.js'
import type { Style } from '../http/hooks-mount.js'

/** What is the same for all hooks of a request. */
export interface HookSession {
  /** What every hook is told. */
  readonly event: { readonly context: unknown; readonly style: Style }
  readonly log: Log
}
