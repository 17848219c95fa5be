import type { Hooks } from '../http/hooks.js'
import type { Limits } from '../limits.js'

/** Options of the emitted `RPCApiHandler`. The contract has none; all of these may be left out. `C` is what the app says of a request. */
export interface RpcOptions<C = unknown> {
  /** What a request may ask for; the defaults for those left out. */
  readonly limits?: Partial<Limits>
  /** What the app does around reads and writes, made with the emitted `defineHooks`. Default: nothing. */
  readonly hooks?: Hooks<C>
}
