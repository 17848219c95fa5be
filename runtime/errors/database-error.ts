import { type DriverError, findDriverError } from './driver-error.js'
import { kindFromPrismaCode, kindFromPrismaClass, isPrismaError } from './from-prisma.js'
import { kindFromSqlState } from './from-sqlstate.js'

/**
 * The kinds of errors of a client or its database. Responses and retries depend only on the kind. `from-prisma.ts` and
 * `from-sqlstate.ts` map codes to kinds; `map-database-error.ts` maps kinds to responses.
 */
export type DatabaseErrorKind =
  /** Another row has the same values in a unique criterion. */
  | 'unique-violation'
  /** A foreign key refers to no row, or rows still refer to the one that is deleted. */
  | 'foreign-key-violation'
  /** A row would lose a related row that it must have. */
  | 'required-relation-violation'
  /** A field that must have a value has none. */
  | 'not-null-violation'
  /** A CHECK constraint, a check option or a trigger does not accept the values. */
  | 'check-violation'
  /** Another row excludes the values: an exclusion constraint of PostgreSQL. */
  | 'exclusion-violation'
  /** A row that is needed is not there: the one to change, or one to connect. */
  | 'not-found'
  /** Rows that should be related are not. */
  | 'not-related'
  /** A value is longer than its field. */
  | 'value-too-long'
  /** A number is larger or smaller than its field can hold. */
  | 'value-out-of-range'
  /** A value is none of its field's type, or fails to fit in another way that the database does not tell. */
  | 'value-unfit'
  /** There are more values than one statement can take. */
  | 'too-many-values'
  /** There is no index for a search in text. */
  | 'no-full-text-index'
  /** An argument that the client requires is missing. */
  | 'missing-argument'
  /** The client, or the database, makes nothing of the arguments. */
  | 'bad-arguments'
  /** Another write came in between. Made again, this one may succeed. */
  | 'write-conflict'
  /** The database waited for another write for as long as it may: to wait once more does not help. */
  | 'lock-timeout'
  /** Another connection holds the lock of the whole database, and the driver has waited as long as it may, which may be not at all. */
  | 'busy'
  /** A transaction was not done when its time was over. Nothing of it is left. */
  | 'transaction-timeout'
  /** An access policy, of a client extension or of the database, forbids it. */
  | 'denied'
  /** The database user lacks a privilege, which the operator has to grant. */
  | 'missing-privilege'
  /** A client extension's own rules for values do not accept them. */
  | 'rule-violation'
  /** A statement took longer than it may. Nothing of it is left. */
  | 'statement-timeout'
  /** The database cannot be reached, takes no more connections, or takes no writes. Nothing was done. */
  | 'unavailable'
  /** The connection was lost, or its time was over, while the database was at work. What it did is not known. */
  | 'interrupted'

/**
 * Tells what went wrong in the client or in the database.
 * @param error anything that was thrown
 * @param cause what the database said of it, where the caller knows that already
 * @returns undefined where it is no such failure, or one that says nothing about the request
 */
export function classifyDatabaseError(
  error: unknown,
  cause: DriverError = findDriverError(error),
): DatabaseErrorKind | undefined {
  const said = kindFromSqlState(cause)
  if (said === 'denied' || said === 'missing-privilege') return said
  // The adapters of SQLite report a trigger as a violated foreign key.
  if (said === 'check-violation' && isPrismaError(error)) return said
  const told = kindFromPrismaCode(error, cause)
  if (told && !isOutage(told)) return told
  // The same numbers and words may stand in an error of the app's own. Those of a lost connection mean the same there.
  if (said && !isOutage(said) && isPrismaError(error)) return said
  if (said === 'interrupted') return said
  return kindFromPrismaClass(error) ?? told ?? (said === 'unavailable' ? said : undefined)
}

/** Whether a fault is the database's own, and not the request's doing. */
export function isOutage(fault: DatabaseErrorKind | undefined): fault is Outage {
  return fault === 'unavailable' || fault === 'interrupted'
}

/** An error that the request has caused, or concurrent requests. */
export type RequestErrorKind = Exclude<DatabaseErrorKind, Outage | 'missing-privilege'>

/** Whether an error was caused by the request, or by concurrent requests. */
export function isRequestErrorKind(kind: DatabaseErrorKind | undefined): kind is RequestErrorKind {
  return kind !== undefined && kind !== 'missing-privilege' && !isOutage(kind)
}

/** A database that does not do what it is asked. */
export type Outage = 'unavailable' | 'interrupted'
