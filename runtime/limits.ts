import { parsePositive, assertAllowedKeys } from './option-checks.js'

/**
 * Limits for REST and RPC requests. Requests beyond a limit are rejected with a 400 (413 for the body) before the database is queried
 * (design, section 5; contract 8 leaves the limits open).
 */
export interface Limits {
  /** Maximum size of a request's body in bytes. Default: 1 MiB. */
  readonly bodyBytes: number
  /** Maximum nesting depth of filters, arguments and bodies. Default: 12. */
  readonly depth: number
  /** Maximum number of values in the arguments or the body, at all levels. Default: 10 000. */
  readonly nodes: number
  /** Maximum length of a list: `in`, comma-separated filter values, linkage. Default: 1000. */
  readonly listLength: number
  /**
   * Maximum number of times that one filter or sort order may traverse a relation. Each traversal is a join, and databases plan the joins
   * of a query together. In REST, this is also the maximum number of relations that a request may include, because each of them requires a
   * query. Default: 20.
   */
  readonly filterRelations: number
  /**
   * Maximum number of nested to-many relations that a condition may traverse. Without a better plan, the number of rows that the database
   * visits is the product of the numbers of related rows. Default: 3.
   */
  readonly toManyDepth: number
  /**
   * Maximum cost of the conditions and sort orders of one request, in points. One point is a plain comparison with each row of a table, or
   * the traversal of a relation. A text match counts 10, or 30 if it ignores case. If a path contains a to-many relation, each relation
   * from the fourth on counts 50. If the database may visit the same rows repeatedly, such as the comments by a comment's author, a
   * condition counts 15 more, and a text match another 60.
   * Conditions of access policies and hooks do not count. Default: 145.
   */
  readonly filterCost: number
  /** Maximum depth of `include`. Default: 5. */
  readonly includeDepth: number
  /**
   * Maximum number of queries that paginate the included lists of a response (`includePage`): one per list, or one for several lists if the
   * client loads relations with joins. Default: 100.
   */
  readonly includedLists: number
  /** Maximum number of rows that `include` may add to a response. Default: 10 000. */
  readonly includedRows: number
  /**
   * Maximum number of rows that Prisma may load for an RPC request in addition to those in the response: related rows that Prisma itself
   * truncates to `take`, and rows that it compares for `distinct`. Related rows are only counted if 500 of them per row would exceed the
   * limit. With the default, this is the case for more than 100 rows. Default: 50 000.
   */
  readonly loadedRows: number
  /**
   * Maximum number of nested writes of an RPC request that Prisma may have to run one after the other: `update`, `upsert`,
   * `connectOrCreate`, `updateMany`, `deleteMany`, and each `create` with nested writes. For `connect`, `disconnect` and `set`, each batch
   * of up to 100 related rows counts as one. Default: 250.
   */
  readonly nestedWrites: number
  /** Maximum number of operations in a request: an RPC transaction, or REST atomic operations. Default: 100. */
  readonly operations: number
  /** Maximum number of rows that an RPC read without `take` returns. Default: 10 000. */
  readonly rows: number
  /**
   * Maximum number of rows that offset pagination may skip: `page[offset]`, `page[number]` and `skip`. Cursors can reach every row.
   * Default: 100 000.
   */
  readonly offset: number
  /** Maximum size of a response in bytes, checked while it is serialized. Default: 16 MiB. */
  readonly responseBytes: number
}

/**
 * The default limits of a handler.
 * @example
 * ```ts
 * import { DEFAULT_LIMITS } from '@routewright/runtime'
 * import { RPCApiHandler } from './routes/index.js'
 *
 * export const rpc = RPCApiHandler({ limits: { bodyBytes: 4 * DEFAULT_LIMITS.bodyBytes } })
 * ```
 * @see [Limits](docs/limits.md#options)
 */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 1024 * 1024,
  depth: 12,
  nodes: 10_000,
  listLength: 1000,
  filterRelations: 20,
  toManyDepth: 3,
  filterCost: 145,
  includeDepth: 5,
  includedLists: 100,
  includedRows: 10_000,
  loadedRows: 50_000,
  nestedWrites: 250,
  operations: 100,
  rows: 10_000,
  offset: 100_000,
  responseBytes: 16 * 1024 * 1024,
}

const MEMORY = 'the data is held in memory'
const WORK = 'each of them is checked'
const QUERY = 'each of them is a query'
const TRANSACTION = 'they share one open transaction'
const ROWS = 'a database may read each row many times'

/** The reason for each limit, shown in its error message. */
const REASONS: Readonly<Record<keyof Limits, string>> = {
  bodyBytes: MEMORY,
  depth: WORK,
  nodes: WORK,
  listLength: 'databases limit the number of values in a query',
  filterRelations: 'databases plan all joins of a query together',
  toManyDepth: ROWS,
  filterCost: ROWS,
  includeDepth: QUERY,
  includedLists: QUERY,
  includedRows: MEMORY,
  loadedRows: MEMORY,
  nestedWrites: TRANSACTION,
  operations: TRANSACTION,
  rows: MEMORY,
  offset: 'a database reads the rows that it skips',
  responseBytes: MEMORY,
}

/** Returns the message for a request whose filters and sort orders cost too many points. */
export function costLimitMessage(cost: number, { filterCost }: Limits): string {
  return `Filters and sorting cost ${cost} points. The limit is ${filterCost}. Text filters cost most.`
}

/**
 * Returns the message for a request that exceeds a limit. Adds the option that sets the limit and the reason for it.
 * @param detail the requested amount and the maximum
 */
export function limitMessage(limit: keyof Limits, detail: string): string {
  return `${detail} The server sets this limit with the option limits.${limit} because ${REASONS[limit]}.`
}

/**
 * Checks the limits of a handler and adds the defaults.
 * @throws Error if a limit does not exist or is not a positive integer or `Infinity`
 */
export function parseLimits(limits: Partial<Limits> = {}): Limits {
  assertAllowedKeys('limit', limits, Object.keys(DEFAULT_LIMITS))
  const configured = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [name, value] of configured) parsePositive(`limits.${name}`, value)
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(configured) }
}
