/**
 * What a request may ask for, in both styles. Beyond a limit the answer is 400 (413 for the body), before the database is
 * asked (design, section 5; contract 8 leaves them open).
 */
export interface Limits {
  /** Bytes of a request's body. Default 1 MiB. */
  readonly bodyBytes: number
  /** How deep filters, arguments and bodies may nest. Default 12. */
  readonly depth: number
  /** How many values an arguments object or a body may hold in all, however nested. Default 10 000. */
  readonly nodes: number
  /** How many values one list may hold: `in`, comma-separated filter values, linkage. Default 1000. */
  readonly listLength: number
  /** How deep `include` may nest. Default 5. */
  readonly includeDepth: number
  /** How many rows `include` may add to one answer. Default 10 000. */
  readonly includedRows: number
  /** How many rows an RPC read without `take` answers at most. Default 10 000. */
  readonly rows: number
}

/** The limits of a handler that was given none. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1024 * 1024,
  depth: 12,
  nodes: 10_000,
  listLength: 1000,
  includeDepth: 5,
  includedRows: 10_000,
  rows: 10_000,
}
