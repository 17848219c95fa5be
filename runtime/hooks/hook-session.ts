import type { Log } from '../http/handler-types.js'
import type { Style } from '../http/telemetry.js'

/** Values that are the same for all hooks of a request. */
export interface HookSession {
  /** The part of the event that every hook receives. */
  readonly event: { readonly context: unknown; readonly style: Style }
  readonly log: Log
}
