import type { Limits } from '../limits.js'

/** Options of the emitted `RPCApiHandler`. The contract has none; all of these may be left out. */
export interface RpcOptions {
  /** What a request may ask for; the defaults for those left out. */
  readonly limits?: Partial<Limits>
}
