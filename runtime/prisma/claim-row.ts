import { MissingRowError } from '../errors/row-errors.js'
import type { Lockable } from './row-lock.js'
import { callClient } from './call-client.js'
import type { PortRow } from './client-port.js'
import { inTransaction } from './transactions.js'
import { isObject } from '../values/is-object.js'

/** A row to change only if it has not changed in the meantime. */
export interface Claim {
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
