import type { Dialect } from '../prisma/dialect.js'
import { policyCheckOf } from '../prisma/policy-check.js'
import { supportsRowLocks } from '../prisma/row-lock.js'
import { type LockableOf, type Owners, createOwnersLock, createOnlyWhere } from '../prisma/owner-locks.js'
import { retryOnConflict, retryOnRace } from '../prisma/retry-on-conflict.js'
import { inTransaction } from '../prisma/transactions.js'
import type { Model } from '../schema/model.js'
import type { PreparedRoute } from '../http/execute-prepared-route.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/argument-helpers.js'

/** A call that replaces the members of relations. */
interface Call {
  readonly orm: unknown
  readonly model: Model
  readonly args: Args
  readonly owners: Owners
  /** Whether the call creates the row if it does not exist. */
  readonly isUpsert: boolean
}

/**
 * Locks the parent rows whose members a call replaces with `set`, in the same transaction as the call. If two concurrent calls replace the
 * same members, each sees either all of the other's changes or no changes.
 * @returns an empty object if no lock is needed: on SQLite, which has only one writer, or if policies or hooks lock the rows themselves
 */
export function withOwnerLock(
  { orm, model, args, owners, isUpsert }: Call,
  dialect: Dialect,
  lockableOf: LockableOf,
): Pick<PreparedRoute, 'run'> {
  const { where } = args
  if (!supportsRowLocks(dialect) || policyCheckOf(orm) || !isObject(where)) return {}
  const run: PreparedRoute['run'] = (call) => {
    const members = { owners, where, isUpsert }
    const write = async () => {
      const lock = await createOwnersLock(orm, members, lockableOf)
      // If a concurrent request creates the row first, this call fails and is retried.
      if (!lock) return call(orm, { ...args, where: createOnlyWhere(members, lockableOf) })
      return inTransaction(orm, async (tx) => {
        await lock(tx)
        return call(tx, args)
      })
    }
    return isUpsert ? retryOnRace(orm, model, { where }, write) : retryOnConflict(orm, write)
  }
  return { run }
}
