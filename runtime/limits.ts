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
  /**
   * How many times one filter, or one order, may reach into a relation: each is a join, and databases plan the joins of one
   * query together. In REST also how many relations one request may include: each is a query. Default 20.
   */
  readonly filterRelations: number
  /**
   * Maximum number of nested to-many relations that a condition may traverse. Without a better plan, the database visits as many rows as
   * the product of their numbers of members. Default: 3.
   */
  readonly toManyDepth: number
  /**
   * Maximum cost of the conditions and orders of one request, in points. One point is a plain comparison with each row of a table, or a
   * relation. A text match counts 10, or 30 if it ignores case; a relation behind three others counts 50 if one of them is to-many.
   * Conditions of access policies and hooks do not count. Default: 145.
   */
  readonly filterCost: number
  /** How deep `include` may nest. Default 5. */
  readonly includeDepth: number
  /**
   * How many queries may cut included lists of one answer (`includePage`): one for each list, or one for many where the client loads
   * relations by joins. Default 100.
   */
  readonly includedLists: number
  /** How many rows `include` may add to one answer. Default 10 000. */
  readonly includedRows: number
  /**
   * How many rows Prisma may load for one RPC request beyond what its answer holds: the members of relations that it cuts to
   * `take` itself, the rows that it compares for `distinct`. Default 50 000. Members are counted
   * where those of the rows would be more if each had 500: with the default, from 101 rows on.
   */
  readonly loadedRows: number
  /**
   * How many nested writes of an RPC request Prisma may have to make one after the other: `update`, `upsert`, `connectOrCreate`,
   * `updateMany`, `deleteMany`, and each `create` that holds others; of `connect`, `disconnect` and `set`, each hundred members that
   * are begun. Default 250.
   */
  readonly nestedWrites: number
  /** How many operations one request may hold: an RPC transaction, or atomic operations of REST. Default 100. */
  readonly operations: number
  /** How many rows an RPC read without `take` answers at most. Default 10 000. */
  readonly rows: number
  /**
   * Maximum number of rows that a page by offset skips: `page[offset]`, `page[number]` and `skip`. Cursors reach every row.
   * Default: 100 000.
   */
  readonly offset: number
  /** Bytes of an answer. Default 16 MiB. Found while it is written. */
  readonly responseBytes: number
}

/** The limits of a handler that was given none. */
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

const MEMORY = 'all of it is held in memory'
const WORK = 'each is checked'
const QUERY = 'each is a query'
const TRANSACTION = 'they hold one transaction open'
const ROWS = 'a database may read each row many times'

/** Why there is each limit, as those are told who run into it. */
const REASONS: Readonly<Record<keyof Limits, string>> = {
  bodyBytes: MEMORY,
  depth: WORK,
  nodes: WORK,
  listLength: 'databases bound the values of a query',
  filterRelations: 'databases plan joins together',
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

/** What is wrong with a request whose conditions and orders cost more points than they may. */
export function costLimitExceeded(cost: number, { filterCost }: Limits): string {
  return `Filters and orders must not cost more than ${filterCost} points, and these cost ${cost}. Text matches and deep relations cost the most.`
}

/**
 * The message of a request that goes beyond a limit.
 * @param detail what it asked for, and how much it may ask for
 * @returns the same, with the option that raises the limit and why it is there
 */
export function limitMessage(limit: keyof Limits, detail: string): string {
  return `${detail} The option limits.${limit} raises this limit, which is there because ${REASONS[limit]}.`
}

/**
 * The limits of a handler: those given, and the defaults for the others.
 * @throws Error for a limit that does not exist or is no positive integer
 */
export function parseLimits(limits: Partial<Limits> = {}): Limits {
  assertKnownKeys('limit', limits, Object.keys(DEFAULT_LIMITS))
  const given = Object.entries(limits).filter(([, value]) => value !== undefined)
  for (const [name, value] of given) parsePositive(`limits.${name}`, value)
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(given) }
}

/**
 * A number that an option may be.
 * @throws Error where it is neither a positive integer nor `Infinity`
 */
export function parsePositive(name: string, value: unknown): number {
  if (typeof value === 'number' && (value === Infinity || (Number.isSafeInteger(value) && value > 0))) return value
  // A variable of the environment is a text: "not 100" would not say what is wrong with it.
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
  throw new Error(`${name} must be a positive integer or Infinity, not ${shown}.`)
}

/**
 * Refuses names that mean nothing, as a misspelt option: it would be ignored, and something else be in force.
 * @throws Error that lists the names there are
 */
export function assertKnownKeys(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) throw new Error(`There is no ${what} "${name}". There are: ${known.join(', ')}.`)
  }
}
