import { type Field, type Resource, getUniques } from '../schema/resource.js'
import type { Dialect } from './dialect.js'
import { whereNoRows } from './keys.js'
import { type CallTarget, callClient } from './call-client.js'
import type { PortRow } from './client-port.js'
import { selectFields } from './select-fields.js'

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
