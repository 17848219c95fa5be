import type { Dialect } from '../orm/dialect.js'
import { allowsOf } from '../orm/allows.js'
import { locksRows } from '../orm/lock.js'
import { type LockableOf, type Owners, ownersLock, withoutRow } from '../orm/owners.js'
import { retryConflicts, retryRaces } from '../orm/race.js'
import { inTransaction } from '../orm/transactions.js'
import type { Prepared } from '../http/perform.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/refuse.js'

/** A call that replaces members of relations. */
interface Call {
  readonly orm: unknown
  readonly args: Args
  readonly owners: Owners
  /** Whether it creates the row where it is not there. */
  readonly isUpsert: boolean
}

/**
 * Makes a call with `set` so that of two that replace the same members at once, each sees what the other did or nothing of it: the rows
 * that have them are locked first, in one transaction with the call.
 * @returns nothing where the call is simply made: on SQLite, which has one writer, and where policies or hooks lock the rows themselves
 */
export function replacing(
  { orm, args, owners, isUpsert }: Call,
  dialect: Dialect,
  lockableOf: LockableOf,
): Pick<Prepared, 'run'> {
  const { where } = args
  if (!locksRows(dialect) || allowsOf(orm) || !isObject(where)) return {}
  const run: Prepared['run'] = (call) => {
    const members = { owners, where, mayLack: isUpsert }
    const write = async () => {
      const lock = await ownersLock(orm, members, lockableOf)
      // Another request may create the row now. Then this one fails to, and is made again.
      if (!lock) return call(orm, { ...args, where: withoutRow(members, lockableOf) })
      return inTransaction(orm, async (inside) => {
        await lock(inside)
        return call(inside, args)
      })
    }
    return isUpsert ? retryRaces(orm, write) : retryConflicts(orm, write)
  }
  return { run }
}
