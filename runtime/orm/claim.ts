import { MissingRowError } from '../errors/policy-error.js'
import type { Lockable } from './row-lock.js'
import { callClient, type PortRow } from './client-port.js'
import { inTransaction } from './transactions.js'
import { isObject } from '../values/is-object.js'

/** A row that is changed only if it still is what it was. */
export interface Claim {
  readonly orm: unknown
  readonly model: Lockable
  /** Prisma's unique `where` of it. */
  readonly where: PortRow
  /** What it must still be. */
  readonly more: PortRow
  /** What the claim writes: its next revision, so that no other claim of the same one succeeds. */
  readonly data: PortRow
}

/**
 * Claims a row, and changes it in the same transaction: one statement looks whether it still is what it was, changes its revision and locks
 * it. How many rows it changed tells, on every database.
 * @param write makes the change, with a client inside the transaction
 * @throws MissingRowError where there is no such row, or it is something else by now
 */
export async function claimRow<R>(
  { orm, model, where, more, data }: Claim,
  write: (inside: unknown) => PromiseLike<R>,
): Promise<R> {
  return inTransaction(orm, async (inside) => {
    const found = { AND: [flattenUnique(model, where), more] }
    const { count } = await callClient(inside, model, 'updateMany', { where: found, data })
    if (count === 0) throw new MissingRowError('P2025', 'The row that the change needs was not found.')
    return write(inside)
  })
}

/** Returns a unique `where` as one filter. */
export function flattenUnique({ criteria }: Lockable, where: PortRow): PortRow {
  return Object.assign({}, ...uniqueConditions(criteria, where))
}

/** Returns the conditions of a unique `where`. A filter has no names for criteria of several fields. */
export function uniqueConditions(criteria: Lockable['criteria'], where: PortRow): PortRow[] {
  return Object.entries(where).map(([name, value]) =>
    (criteria.get(name)?.length ?? 0) > 1 && isObject(value) ? value : { [name]: value },
  )
}
