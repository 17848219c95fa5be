import { policyCheckOf } from '../../prisma/policy-check.js'
import { claimRow } from '../../prisma/claim-row.js'
import { classifyDatabaseError } from '../../errors/classify-database-error.js'
import type { Dialect } from '../../prisma/dialect.js'
import type { RestModel } from '../rest-model.js'
import {
  type Precondition,
  preconditionFailedError,
  preconditionWhere,
  meetsPrecondition,
} from '../request/parse-precondition.js'
import { findUnique } from './delegate-calls.js'
import { rowSelect } from './id-select.js'
import { bumpVersion } from './bump-version.js'

type Where = Readonly<Record<string, unknown>>

/** A row to change, with the precondition of the request. */
export interface ConditionalUpdate {
  readonly orm: unknown
  readonly model: RestModel
  /** Prisma's unique `where` of the row. */
  readonly where: Where
  readonly condition: Precondition | undefined
}

/** Adds a precondition to Prisma's `where` of a row, so that the write itself checks it. */
export function whereWithPrecondition(where: Where, model: RestModel, condition: Precondition | undefined): Where {
  const guard = condition && preconditionWhere(condition, model)
  if (!guard) return where
  const { AND } = where
  return { ...where, AND: [...(Array.isArray(AND) ? AND : []), guard] }
}

/**
 * Changes a row if it meets the precondition. If a change affects more than the row's columns, Prisma first finds the row and then updates
 * it by id. On MySQL, Prisma always does this. In these cases, a separate statement checks the precondition, bumps the version and locks
 * the row.
 * @param isSimple whether the change only affects columns of the row
 * @param write changes the row with the given client; `isBumped` means that the version was already bumped
 * @throws the client's error if the row does not exist
 */
export async function runIfPreconditionMet<R>(
  { orm, model, where, condition }: ConditionalUpdate,
  dialect: Dialect,
  isSimple: boolean,
  write: (orm: unknown, where: Where, isBumped: boolean) => PromiseLike<R>,
): Promise<R> {
  const guard = condition && preconditionWhere(condition, model)
  const { version } = model.model
  // A client with policies checks the complete `where` in the statement that changes the row.
  const checksItself =
    guard === undefined || policyCheckOf(orm) !== undefined || (isSimple && dialect.provider !== 'mysql')
  if (checksItself || !version) return write(orm, whereWithPrecondition(where, model, condition), false)
  const data = bumpVersion(model, {}, condition)
  return claimRow({ orm, model: model.locking, where, guard, data }, (tx) => write(tx, where, true))
}

/**
 * Returns the error to report if a row was not found because it does not meet the precondition.
 * @param error the client's error
 * @returns a 412 if the precondition is not met; undefined if the row itself or a row to connect is missing
 */
export async function findPreconditionError(
  error: unknown,
  { orm, model, where, condition }: ConditionalUpdate,
): Promise<Error | undefined> {
  if (!condition || classifyDatabaseError(error) !== 'not-found') return undefined
  const { version } = model.model
  const row = await findUnique(orm, model, { where, select: rowSelect(model) })
  if (!row || meetsPrecondition(condition, version && row[version.name])) return undefined
  return preconditionFailedError(model, condition)
}
