/**
 * The port: all that the runtime asks of an ORM client, in its own calls and in the arguments that it hands to emitted calls of the
 * REST style. A client is an object that has a delegate for each model, with these operations; each is sent these arguments and no
 * others. Prisma 7's client is one. To serve with another ORM, give an object that does the same by its means. A test holds the
 * list against what is sent.
 *
 * Emitted calls of the RPC style are not on it: they pass on what their callers ask of Prisma, of any operation, as far as
 * `rpc/operations.ts` lets it through.
 */
export const PORT = {
  /** The operations of a delegate, and the arguments that each may be sent; see {@link PortArguments} and {@link PortResults}. */
  operations: {
    /** The row that a unique criterion tells. */
    findUnique: ['where', 'select', 'include', 'omit', 'relationLoadStrategy'],
    /** The first row of those that a filter finds. */
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
    /** The rows that a filter finds. */
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
    /** How many rows a filter finds; no further than to `take`. Policies are told of the order of the list that is counted. */
    count: ['where', 'take', 'orderBy'],
    /** Creates a row and ties it to others, or nothing at all. */
    create: ['data', 'select', 'include', 'omit', 'relationLoadStrategy'],
    /** Creates rows without relations: all, or none. Not on every database; where it is missing, rows are created one by one. */
    createManyAndReturn: ['data', 'skipDuplicates', 'select'],
    /** Changes the row that a unique criterion tells, if it meets the rest of `where` as well: all of it, or nothing. */
    update: ['where', 'data', 'select', 'include', 'omit', 'relationLoadStrategy'],
    /** Changes the rows that a filter finds, in one statement. */
    updateMany: ['where', 'data', 'limit'],
    /** Does the same and returns the changed rows. Not available on every database: without it, rows are locked and read first. */
    updateManyAndReturn: ['where', 'data', 'limit', 'select'],
    /** Deletes the row that a unique criterion tells, if it meets the rest of `where` as well. */
    delete: ['where', 'select'],
    /** Deletes the rows that a filter finds, in one statement. */
    deleteMany: ['where', 'limit'],
  },
  /** What a client itself may have, beside its delegates. */
  members: [
    /** Runs a function with a client inside a transaction, as policies write. Inside one: in a part of it, where there is such. */
    '$transaction',
    /** Not there on a client inside a transaction of the app's own, so that no write is made again there. */
    '$connect',
    /** Returns whether the client's policies allow an action. Only on clients with policies; see `check.ts`. */
    '$check',
    /** Gives the client of the primary, where there are read replicas; see `primary.ts`. */
    '$primary',
    /** Mounts policies: Prisma's own way, `policy/extension.ts`. */
    '$extends',
    /**
     * Tells which fields of results extensions compute, and from which; and where read replicas were put on. None of Prisma's
     * documented members; may be missing.
     */
    '_extensions',
    /** Gives a client inside the transaction that Prisma tells an extension of. None of its documented members. */
    '_createItxClient',
    /**
     * Gives hooks the client beneath their own, in the same transaction, and beneath extensions that were put on after policies
     * (`_extensions` tells which). None of its documented members.
     */
    '_appliedParent',
    /**
     * Tells policies which database it is, for `lock.ts` and {@link hasOperation}. None of its documented members; where it is missing,
     * no row is locked.
     */
    '_activeProvider',
    /** Adds an extension beneath policies (`policy/extension.ts`) for requests with a time limit; see `deadline-client.ts`. */
    '$beneath',
    /**
     * Asks for the least there is, where someone asks whether all is well, limits the statements of a transaction, and asks how many rows
     * the database believes a table has. May be missing.
     */
    '$queryRawUnsafe',
    /** Tells the names of tables. None of Prisma's documented members; where it is missing, rows are counted and not estimated. */
    '_runtimeDataModel',
    /** Tells how long the app lets transactions take. None of its documented members; where it is missing, Prisma's own defaults hold. */
    '_engineConfig',
  ],
} as const satisfies {
  readonly operations: Readonly<Record<string, readonly (keyof PortArguments)[]>>
  readonly members: readonly string[]
}

/** The member of a client that tells the database. */
export const PROVIDER = '_activeProvider'

/** The method of a client with access policies that puts an extension beneath them: see `policy/extension.ts`. */
export const INNER_EXTENSION = '$beneath'

/** The arguments that operations take, and what may stand in them. Made or checked by the runtime; here they have names only. */
export interface PortArguments {
  /**
   * Which rows: fields by a value or by Prisma's filters of their type; relations by `is`, `isNot`, `some`, `every`, `none`; `AND`,
   * `OR`, `NOT`. Where one row is meant, also a unique criterion of several fields by its name, as `{ postId_seq: { … } }`.
   */
  readonly where: unknown
  /** In which order: a list of `{ field: 'asc' }`, `{ field: { sort, nulls } }`, or the like below a relation. RPC: whatever Prisma takes. */
  readonly orderBy: unknown
  /** From which row on: a unique criterion. */
  readonly cursor: unknown
  /** How many rows to leave out first. */
  readonly skip: unknown
  /** How many rows at most; from the end where it is negative. */
  readonly take: unknown
  /** Fields of which no two rows may have the same values: a name, or a list. */
  readonly distinct: unknown
  /**
   * Which fields and relations to load, and which fields to compute, and nothing else: `true`, or for relations these arguments again. `_count: { select }` gives
   * numbers of members, each of all or of those that meet a `where`.
   */
  readonly select: unknown
  /** Which relations to load beside all fields; as `select`. */
  readonly include: unknown
  /**
   * `join` where relations are to be loaded with their rows, in one query that cuts each list at its own `take`; `query` where a join would
   * not give all values as they are. Sent where the emitted handler was told that the client has the preview feature `relationJoins`.
   */
  readonly relationLoadStrategy: unknown
  /** Which fields to leave out of all, computed ones too: `true` each. `false` brings one back that the client itself leaves out. */
  readonly omit: unknown
  /**
   * What to write: fields by their values, or by Prisma's operations on them, as `{ increment: 1 }`; relations by `connect`,
   * `disconnect`, `set` and, RPC only, Prisma's other nested writes. Of many rows: a list, or what all of them get.
   */
  readonly data: unknown
  /** Whether to leave out rows that violate a unique criterion. */
  readonly skipDuplicates: unknown
  /** How many rows to write at most. */
  readonly limit: unknown
}

/** A row as a client gives it: fields and relations by their names. */
export type PortRow = Record<string, unknown>

/**
 * The results of operations. Errors are thrown: `errors/database-error.ts` classifies them, and `rest/document/locate-error.ts` uses
 * Prisma's `meta` to find the part of the body that caused them.
 */
export interface PortResults {
  /** Null where there is none. */
  readonly findUnique: PortRow | null
  /** Null where there is none. */
  readonly findFirst: PortRow | null
  readonly findMany: PortRow[]
  readonly count: number
  readonly create: PortRow
  readonly createManyAndReturn: PortRow[]
  /** Throws `not-found` where there is none. */
  readonly update: PortRow
  readonly updateMany: { readonly count: number }
  readonly updateManyAndReturn: PortRow[]
  /** The row as it was. Throws `not-found` where there is none. */
  readonly delete: PortRow
  readonly deleteMany: { readonly count: number }
}

/** An operation that the runtime may call. */
export type PortOperation = keyof PortResults & keyof (typeof PORT)['operations']

/** The arguments that an operation may be sent. */
export type PortArgs<O extends PortOperation> = {
  readonly [A in (typeof PORT)['operations'][O][number]]?: PortArguments[A]
}

/** A model, as far as a client is asked for it. */
export interface CallTarget {
  /** The name of its delegate. */
  readonly delegate: string
}

/**
 * Calls an operation of a model on a client. What emitted code calls, it calls with the client's own types; what the runtime calls
 * it knows by name only.
 * @throws Error where the client lacks it: it is not one of this schema
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
  throw new Error(`The client has no ${delegate}.${operation}. It was generated from another schema.`)
}

/** The databases that do not give back the rows that a statement writes. Prisma's delegates have the operation there too. */
const WITHOUT_RETURNING: readonly unknown[] = ['mysql', 'sqlserver']

/** Whether a client has an operation that not every database lets it have. */
export function hasOperation(
  client: unknown,
  { delegate }: CallTarget,
  operation: 'createManyAndReturn' | 'updateManyAndReturn',
): boolean {
  if (WITHOUT_RETURNING.includes(memberOf(client, PROVIDER))) return false
  return typeof memberOf(memberOf(client, delegate), operation) === 'function'
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
