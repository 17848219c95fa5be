import { providerOf } from './internals.js'

/** A model, identified by its delegate. */
export interface CallTarget {
  /** The name of the delegate. */
  readonly delegate: string
}

/**
 * Calls an operation of a model on a client by name. Emitted code does not use this function: it calls clients with their own types.
 * @throws Error if the client does not have the operation because it belongs to a different schema
 */
export function callClient<O extends PortOperation>(
  client: unknown,
  { delegate }: CallTarget,
  operation: O,
  args: PortArgs<O>,
): PromiseLike<PortResults[O]> {
  const operations = memberOf(client, delegate)
  const call = memberOf(operations, operation)
  if (typeof call === 'function') return call.call(operations, args)
  throw new Error(`The client has no ${delegate}.${operation}. It was generated from a different schema.`)
}

/** The databases that cannot return the rows that a statement writes. Prisma's delegates have the corresponding operations anyway. */
const WITHOUT_RETURNING: readonly unknown[] = ['mysql', 'sqlserver']

/** Whether a client has an operation that is not available on every database. */
export function hasOperation(
  client: unknown,
  { delegate }: CallTarget,
  operation: 'createManyAndReturn' | 'updateManyAndReturn',
): boolean {
  if (WITHOUT_RETURNING.includes(providerOf(client))) return false
  return typeof memberOf(memberOf(client, delegate), operation) === 'function'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/**
 * The interface to an ORM client: the operations and arguments that the runtime uses in its own calls and in the emitted REST calls. A
 * client has a delegate with these operations for each model, and receives no other arguments. Prisma 7's client implements this interface.
 * An object that implements it with another ORM can be used instead. A test compares this list with the actual calls.
 *
 * The emitted RPC calls are not listed. They pass the caller's arguments to any Prisma operation that `rpc/rpc-operations.ts` allows.
 */
export const PORT = {
  /** The operations of a delegate and the arguments that each may receive. See {@link PortArguments} and {@link PortResults}. */
  operations: {
    /** Returns the row with a unique criterion. */
    findUnique: ['where', 'select', 'include', 'omit', 'relationLoadStrategy'],
    /** Returns the first row that matches a filter. */
    findFirst: [
      'where',
      'orderBy',
      'cursor',
      'skip',
      'take',
      'distinct',
      'select',
      'include',
      'omit',
      'relationLoadStrategy',
    ],
    /** Returns the rows that match a filter. */
    findMany: [
      'where',
      'orderBy',
      'cursor',
      'skip',
      'take',
      'distinct',
      'select',
      'include',
      'omit',
      'relationLoadStrategy',
    ],
    /** Returns the number of rows that match a filter, up to `take`. `orderBy` is the order of the counted list. Only policies use it. */
    count: ['where', 'take', 'orderBy'],
    /** Creates a row and connects it to others, atomically. */
    create: ['data', 'select', 'include', 'omit', 'relationLoadStrategy'],
    /** Creates rows without relations, atomically. Not available on every database: without it, rows are created one by one. */
    createManyAndReturn: ['data', 'skipDuplicates', 'select'],
    /** Updates the row with a unique criterion if it also matches the rest of `where`, atomically. */
    update: ['where', 'data', 'select', 'include', 'omit', 'relationLoadStrategy'],
    /** Updates the rows that match a filter, in one statement. */
    updateMany: ['where', 'data', 'limit'],
    /** Like `updateMany`, and returns the updated rows. Not available on every database: without it, rows are locked and read first. */
    updateManyAndReturn: ['where', 'data', 'limit', 'select'],
    /** Deletes the row with a unique criterion if it also matches the rest of `where`. */
    delete: ['where', 'select'],
    /** Deletes the rows that match a filter, in one statement. */
    deleteMany: ['where', 'limit'],
  },
  /** Properties of the client itself, in addition to its delegates. */
  members: [
    /**
     * Runs a callback with a client inside a transaction, for example for writes with policies. Inside a transaction, it uses a savepoint
     * if available.
     */
    '$transaction',
    /** Missing on a client inside a transaction of the app, which is how the runtime detects that a write must not be retried. */
    '$connect',
    /** Returns whether the client's policies allow an action. Only on clients with policies. See `policy-check.ts`. */
    '$check',
    /** Returns the client of the primary if there are read replicas. See `replicas.ts`. */
    '$primary',
    /** Adds policies as a Prisma client extension. See `policy/create-policies.ts`. */
    '$extends',
    /**
     * Lists the fields that extensions compute and their dependencies, and reveals where read replicas were added. Undocumented in Prisma;
     * may be missing.
     */
    '_extensions',
    /** Returns a client inside the transaction that Prisma passes to an extension. Undocumented in Prisma. */
    '_createItxClient',
    /**
     * Returns the client without the last extension, in the same transaction. Used by hooks, and by policies if other extensions were added
     * after them (see `_extensions`). Undocumented in Prisma.
     */
    '_appliedParent',
    /** The name of the database, for `row-lock.ts` and {@link hasOperation}. Undocumented in Prisma; without it, no row is locked. */
    '_activeProvider',
    /** Adds an extension below the policies (`policy/create-policies.ts`), for requests with a timeout. See `with-query-deadline.ts`. */
    '$beneath',
    /** Runs the query of health checks, and limits the statements of a transaction. May be missing. */
    '$queryRawUnsafe',
    /** Contains the app's time limits for transactions. Undocumented in Prisma; without it, Prisma's defaults are assumed. */
    '_engineConfig',
  ],
} as const satisfies {
  readonly operations: Readonly<Record<string, readonly (keyof PortArguments)[]>>
  readonly members: readonly string[]
}

/** The method of a client with access policies that adds an extension below them. See `policy/create-policies.ts`. */
export const INNER_EXTENSION = '$beneath'

/** The arguments of operations. The runtime creates or validates them, so only their names are listed here. */
interface PortArguments {
  /**
   * The filter: fields with a value or with Prisma's filters for their type; relations with `is`, `isNot`, `some`, `every`, `none`; `AND`,
   * `OR`, `NOT`. For a single row, also a unique criterion with multiple fields under its name, for example `{ postId_seq: { … } }`.
   */
  readonly where: unknown
  /**
   * The order: a list of `{ field: 'asc' }` or `{ field: { sort, nulls } }`, possibly nested in a relation. In RPC, any order that Prisma
   * accepts.
   */
  readonly orderBy: unknown
  /** The row to start from: a unique criterion. */
  readonly cursor: unknown
  /** Number of rows to skip. */
  readonly skip: unknown
  /** Maximum number of rows. If negative, counted from the end. */
  readonly take: unknown
  /** Fields whose values must be distinct between rows: a name or a list of names. */
  readonly distinct: unknown
  /**
   * The fields and relations to load and the fields to compute. All others are excluded. Each value is `true` or, for a relation, these
   * arguments. `_count: { select }` returns the number of related rows, optionally only of those that match a `where`.
   */
  readonly select: unknown
  /** The relations to load in addition to all fields, in the format of `select`. */
  readonly include: unknown
  /**
   * `join` to load relations with their rows in one query, which applies `take` to each list; `query` if a join would lose precision. Only
   * sent if the emitted handler was generated for the preview feature `relationJoins`.
   */
  readonly relationLoadStrategy: unknown
  /** The fields to exclude, including computed ones, each with `true`. `false` includes a field that the client omits by default. */
  readonly omit: unknown
  /**
   * The data to write: fields with values or with Prisma's update operations, for example `{ increment: 1 }`; relations with `connect`,
   * `disconnect`, `set` and, in RPC, Prisma's other nested writes. For many rows: a list, or the data for all of them.
   */
  readonly data: unknown
  /** Whether to skip rows that violate a unique criterion. */
  readonly skipDuplicates: unknown
  /** Maximum number of rows to write. */
  readonly limit: unknown
}

/** A row as returned by a client: fields and relations by name. */
export type PortRow = Record<string, unknown>

/**
 * The results of operations. Errors are thrown. `errors/classify-database-error.ts` classifies them, and
 * `rest/document/locate-constraint-error.ts` uses Prisma's `meta` to find the part of the body that caused them.
 */
interface PortResults {
  /** Null if the row does not exist. */
  readonly findUnique: PortRow | null
  /** Null if no row matches. */
  readonly findFirst: PortRow | null
  readonly findMany: PortRow[]
  readonly count: number
  readonly create: PortRow
  readonly createManyAndReturn: PortRow[]
  /** Throws `not-found` if the row does not exist. */
  readonly update: PortRow
  readonly updateMany: { readonly count: number }
  readonly updateManyAndReturn: PortRow[]
  /** The row before it was deleted. Throws `not-found` if the row does not exist. */
  readonly delete: PortRow
  readonly deleteMany: { readonly count: number }
}

/** An operation that the runtime may call. */
type PortOperation = keyof PortResults & keyof (typeof PORT)['operations']

/** The arguments that an operation may receive. */
type PortArgs<O extends PortOperation> = {
  readonly [A in (typeof PORT)['operations'][O][number]]?: PortArguments[A]
}
