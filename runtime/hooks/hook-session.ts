import type { Log, Style } from '../http/handler-types.js'

/** Values that are the same for all hooks of a request. */
export interface HookSession {
  /** The part of the event that every hook receives. */
  readonly event: { readonly context: unknown; readonly style: Style }
  readonly log: Log
}
