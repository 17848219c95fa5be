import { type Field, type Resource, getUniques } from '../schema/resource.js'
import type { Dialect } from './dialect.js'
import { whereNone } from './keys.js'
import { type CallTarget, callClient, type PortRow } from './client-port.js'
import { selectFields } from './select-fields.js'

/** A model whose rows can be locked. */
export interface Lockable extends CallTarget {
  /** The fields that a row is known by. */
  readonly id: readonly string[]
  /** The fields that the client sets to the time of each write (`@updatedAt`). */
  readonly stamps: readonly string[]
  /** Unique criteria: their names in Prisma's `where`, and their fields. */
  readonly criteria: ReadonlyMap<string, readonly string[]>
  /** Whether a value that finds the row is the very value that it has, as of numbers: text may differ in case. */
  readonly isExact: boolean
  /** A filter that no row meets. */
  readonly none: PortRow
}

/** Locks a row until the transaction ends, in a client inside it. */
export type RowLock = (inside: unknown) => Promise<void>

/** SQLite has one writer at a time. The others here cannot be relied on to take a generated id as a value to write. */
const LOCKING: readonly string[] = ['postgresql', 'mysql']

const EXACT: readonly Field['type'][] = ['Int', 'BigInt']

/** Whether rows have to be locked, so that of two writes one sees what the other did, and can be. */
export function supportsRowLocks({ provider }: Dialect): boolean {
  return LOCKING.includes(provider)
}

/**
 * Makes a model ready for the locking of its rows.
 * @param id the fields of a unique criterion
 */
export function toLockable(resource: Resource, id: readonly string[]): Lockable {
  const { delegate, fields } = resource
  const stamps = Object.entries(fields).flatMap(([name, { updatedAt }]) => (updatedAt ? [name] : []))
  const isExact = stamps.length === 0 && id.every((name) => EXACT.some((type) => type === fields[name]?.type))
  return {
    delegate,
    id,
    stamps,
    criteria: new Map(Object.entries(getUniques(resource))),
    isExact,
    none: whereNone(id, fields),
  }
}

/**
 * Prepares to lock a row. Prisma has no `SELECT … FOR UPDATE`, but whoever changes a row locks it: so its id is set to what it is.
 * What has to be known of it for that is read here, outside of the transaction: on MySQL a transaction keeps to what it first saw,
 * which must be what is there when the row is locked.
 * @param client one that sees the row, and is not in the transaction yet
 * @param where a unique criterion
 */
export async function createRowLock(client: unknown, model: Lockable, where: PortRow): Promise<RowLock> {
  const { id, stamps } = model
  const isKnown = model.isExact && id.length === Object.keys(where).length && id.every((name) => name in where)
  const select = selectFields([...id, ...stamps])
  const row = isKnown ? where : await callClient(client, model, 'findUnique', { where, select })
  // The write itself says that there is none.
  if (!row) return async () => undefined
  return (inside) => lockRow(inside, model, row)
}

/**
 * Locks a row until the transaction ends.
 * @param inside a client in the transaction
 * @param row its id and its stamps, as they were found
 */
export async function lockRow(inside: unknown, model: Lockable, row: PortRow): Promise<void> {
  const { id, stamps } = model
  const set = (values: PortRow) => callClient(inside, model, 'updateMany', { where: values, data: values })
  const { count } = await set(row)
  // It was changed since, or its time is finer than a Date: then it gets the time of this write.
  if (count === 0 && stamps.length > 0) await set(Object.fromEntries(id.map((name) => [name, row[name]])))
}
