import { MissingRowError } from '../../errors/policy-error.js'
import { type Field, type Resource, getUniques } from '../../schema/resource.js'
import { isObject } from '../../values/is-object.js'
import { type CallTarget, callClient, type PortRow } from '../call-client.js'
import type { Dialect } from '../dialect.js'
import { whereNoRows, selectFields } from '../keys.js'
import { inTransaction } from './transactions.js'

/** A model whose rows can be locked. */
export interface Lockable extends CallTarget {
  /** The fields that identify a row. */
  readonly id: readonly string[]
  /** The fields that the client sets to the time of each write (`@updatedAt`). */
  readonly updatedAtFields: readonly string[]
  /** Unique criteria: names in Prisma's `where` → fields. */
  readonly criteria: ReadonlyMap<string, readonly string[]>
  /** Whether a value in a filter always equals the stored value, as with integers. Text may differ in case. */
  readonly isExact: boolean
  /** A filter that matches no row. */
  readonly noRows: PortRow
}

/** Locks a row until the end of the transaction of the given client. */
export type RowLock = (tx: unknown) => Promise<void>

/** The databases that lock rows. SQLite has a single writer, and the others do not reliably accept writes to a generated id. */
const LOCKING: readonly string[] = ['postgresql', 'mysql']

const EXACT: readonly Field['type'][] = ['Int', 'BigInt']

/** Whether the database needs and supports row locks, so that concurrent writes see each other's changes. */
export function supportsRowLocks({ provider }: Dialect): boolean {
  return LOCKING.includes(provider)
}

/**
 * Creates the description of a model that is needed to lock its rows.
 * @param id the fields of a unique criterion
 */
export function toLockable(resource: Resource, id: readonly string[]): Lockable {
  const { delegate, fields } = resource
  const updatedAtFields = Object.entries(fields).flatMap(([name, { updatedAt }]) => (updatedAt ? [name] : []))
  const isExact = updatedAtFields.length === 0 && id.every((name) => EXACT.some((type) => type === fields[name]?.type))
  return {
    delegate,
    id,
    updatedAtFields,
    criteria: new Map(Object.entries(getUniques(resource))),
    isExact,
    noRows: whereNoRows(id, fields),
  }
}

/**
 * Prepares to lock a row. Prisma has no `SELECT … FOR UPDATE`, but an update locks its row, so the lock sets the id to its current value.
 * The row is read here, outside the transaction. On MySQL, the first read of a transaction determines its snapshot, which must not be older
 * than the lock.
 * @param client a client that can read the row and is not in the transaction yet
 * @param where a unique criterion
 */
export async function createRowLock(client: unknown, model: Lockable, where: PortRow): Promise<RowLock> {
  const { id, updatedAtFields } = model
  const hasExactId = model.isExact && id.length === Object.keys(where).length && id.every((name) => name in where)
  const select = selectFields([...id, ...updatedAtFields])
  const row = hasExactId ? where : await callClient(client, model, 'findUnique', { where, select })
  // The write itself reports the missing row.
  if (!row) return async () => undefined
  return (tx) => lockRow(tx, model, row)
}

/**
 * Locks a row until the transaction ends.
 * @param tx a client in the transaction
 * @param row the row's id and its `@updatedAt` fields, as they were read
 */
export async function lockRow(tx: unknown, model: Lockable, row: PortRow): Promise<void> {
  const { id, updatedAtFields } = model
  const set = (values: PortRow) => callClient(tx, model, 'updateMany', { where: values, data: values })
  const { count } = await set(row)
  // The row has changed since it was read, or its stored time is more precise than a Date. In both cases, its `@updatedAt` fields are set
  // to the time of this write.
  if (count === 0 && updatedAtFields.length > 0) await set(Object.fromEntries(id.map((name) => [name, row[name]])))
}

/**
 * Tries to acquire a PostgreSQL advisory lock until the end of the transaction, without waiting.
 * @param tx a client in the transaction
 * @param name at least 16 hexadecimal digits; the first 16 identify the lock
 * @returns false if another transaction has the lock; true for a client that does not support raw SQL
 */
export async function tryLock(tx: object, name: string): Promise<boolean> {
  const raw: unknown = Reflect.get(tx, '$queryRawUnsafe')
  if (typeof raw !== 'function') return true
  const number = BigInt.asIntN(64, BigInt(`0x${name.slice(0, 16)}`))
  const rows: unknown = await raw.call(tx, 'SELECT pg_try_advisory_xact_lock($1::bigint) AS "taken"', number)
  return !(Array.isArray(rows) && rows[0]?.taken === false)
}

/** A row to change only if it has not changed in the meantime. */
interface Claim {
  readonly orm: unknown
  readonly model: Lockable
  /** The row's unique `where`, in Prisma's format. */
  readonly where: PortRow
  /** The condition that the row must still meet. */
  readonly guard: PortRow
  /** The data that the claim writes: the next version, so that a concurrent claim of the same version fails. */
  readonly data: PortRow
}

/**
 * Claims a row and changes it in the same transaction. A single statement checks the row, updates its version and locks it. On every
 * database, the number of updated rows shows whether the claim succeeded.
 * @param write makes the change with the given transaction client
 * @throws MissingRowError if the row does not exist or has changed
 */
export async function claimRow<R>(
  { orm, model, where, guard, data }: Claim,
  write: (tx: unknown) => PromiseLike<R>,
): Promise<R> {
  return inTransaction(orm, async (tx) => {
    const found = { AND: [flattenUnique(model, where), guard] }
    const { count } = await callClient(tx, model, 'updateMany', { where: found, data })
    if (count === 0) throw new MissingRowError('P2025', 'The row that the change needs was not found.')
    return write(tx)
  })
}

/** Returns a unique `where` as one filter. */
export function flattenUnique({ criteria }: Lockable, where: PortRow): PortRow {
  return Object.assign({}, ...uniqueConditions(criteria, where))
}

/**
 * Returns the conditions of a unique `where`. A filter, unlike a unique `where`, cannot use the name of a criterion with multiple fields.
 */
export function uniqueConditions(criteria: Lockable['criteria'], where: PortRow): PortRow[] {
  return Object.entries(where).map(([name, value]) =>
    (criteria.get(name)?.length ?? 0) > 1 && isObject(value) ? value : { [name]: value },
  )
}
