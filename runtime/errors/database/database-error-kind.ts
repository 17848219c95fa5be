/**
 * The kinds of errors that the Prisma client or its database can report. Responses and retries depend only on the kind.
 * `classify-database-error.ts` maps codes to kinds, and `map-database-error.ts` maps kinds to responses.
 */
export type DatabaseErrorKind =
  /** Another row has the same values in the fields of a unique criterion. */
  | 'unique-violation'
  /** A foreign key refers to a row that does not exist, or the deleted row is still referenced. */
  | 'foreign-key-violation'
  /** A row would lose a related row that it requires. */
  | 'required-relation-violation'
  /** A required field has no value. */
  | 'not-null-violation'
  /** A CHECK constraint, a check option or a trigger does not accept the values. */
  | 'check-violation'
  /** The values conflict with another row under an exclusion constraint of PostgreSQL. */
  | 'exclusion-violation'
  /** A required row does not exist: the row to update or a row to connect. */
  | 'not-found'
  /** Rows are not related as the request requires. */
  | 'not-related'
  /** A value is longer than its field. */
  | 'value-too-long'
  /** A number is larger or smaller than its field can hold. */
  | 'value-out-of-range'
  /** A value does not have its field's type, or the database rejects it without a more specific reason. */
  | 'value-unfit'
  /** The statement has too many values. */
  | 'too-many-values'
  /** A full-text search needs an index that does not exist. */
  | 'no-full-text-index'
  /** An argument that the client requires is missing. */
  | 'missing-argument'
  /** The client or the database does not accept the arguments. */
  | 'bad-arguments'
  /** A concurrent write caused a conflict. A retry may succeed. */
  | 'write-conflict'
  /** The database's timeout for a lock expired. A retry does not help. */
  | 'lock-timeout'
  /** Another connection has locked the whole database, and the driver has stopped waiting. Some drivers do not wait at all. */
  | 'busy'
  /** A transaction exceeded its time limit and was rolled back. */
  | 'transaction-timeout'
  /** An access policy of a client extension or of the database denied the request. */
  | 'denied'
  /** The database user lacks a privilege. The operator must grant it. */
  | 'missing-privilege'
  /** A client extension's validation rules do not accept the values. */
  | 'rule-violation'
  /** A statement exceeded its time limit and was rolled back. */
  | 'statement-timeout'
  /** The database is unreachable, accepts no further connections, or accepts no writes. Nothing was changed. */
  | 'unavailable'
  /** The connection was lost or timed out while the database executed a statement. Its outcome is unknown. */
  | 'interrupted'

/** Whether a kind is an outage of the database, which no request can cause. */
export function isOutage(kind: DatabaseErrorKind | undefined): kind is Outage {
  return kind === 'unavailable' || kind === 'interrupted'
}

/** The kinds of errors that the request or concurrent requests can cause. */
export type RequestErrorKind = Exclude<DatabaseErrorKind, Outage | 'missing-privilege'>

/** Whether errors of a kind are caused by the request or by concurrent requests. */
export function isRequestErrorKind(kind: DatabaseErrorKind | undefined): kind is RequestErrorKind {
  return kind !== undefined && kind !== 'missing-privilege' && !isOutage(kind)
}

/** The kinds of errors that the database itself causes. */
export type Outage = 'unavailable' | 'interrupted'

/** Maps error codes to kinds. The first pattern that matches applies. */
export type CodeTable = readonly (readonly [code: RegExp, kind: DatabaseErrorKind])[]

/** Returns the kind of the first entry that matches one of the codes. */
export function findKindByCode(table: CodeTable, codes: readonly string[]): DatabaseErrorKind | undefined {
  return table.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1]
}
