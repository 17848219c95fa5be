import { policyCheckOf } from '../../orm/allows.js'
import { claimRow } from '../../orm/claim.js'
import { classifyDatabaseError } from '../../errors/database-error.js'
import type { Dialect } from '../../orm/dialect.js'
import { nextRevision } from '../../schema/version.js'
import type { RestModel } from '../model.js'
import {
  type Precondition,
  preconditionFailedError,
  preconditionWhere,
  meetsPrecondition,
} from '../request/precondition.js'
import { findUnique } from './delegates.js'
import { rowSelect } from './selection.js'

type Where = Readonly<Record<string, unknown>>
type Data = Readonly<Record<string, unknown>>

/**
 * The data of a change, which counts the row's version where it has one. All that we write does: a change that did not count would be
 * lost to those who have read the row before.
 */
export function bumpVersion({ model }: RestModel, data: Data, condition?: Precondition): Data {
  const { version } = model
  if (!version) return data
  return { ...data, [version.name]: nextRevision(version, condition?.among) }
}

/** A row to change, and what is asked of it. */
export interface ConditionalUpdate {
  readonly orm: unknown
  readonly model: RestModel
  /** Prisma's unique `where` of it. */
  readonly where: Where
  readonly condition: Precondition | undefined
}

/** Prisma's `where` of a row, of which a condition is a part: so that the write itself looks whether it is met. */
export function whereWithPrecondition(where: Where, model: RestModel, condition: Precondition | undefined): Where {
  const more = condition && preconditionWhere(condition, model)
  if (!more) return where
  const { AND } = where
  return { ...where, AND: [...(Array.isArray(AND) ? AND : []), more] }
}

/**
 * Makes a change of a row, if it meets the condition. A statement of its own looks at it where the client's would not: Prisma finds the
 * row first and changes it then where it has more to do than to change columns, and always on MySQL.
 * @param isSimple whether nothing but columns of the row is changed
 * @param write makes the change of a row, with the client that it is given; the version is counted already where `isCounted`
 * @throws what the client throws where there is no such row
 */
export async function runIfPreconditionMet<R>(
  { orm, model, where, condition }: ConditionalUpdate,
  dialect: Dialect,
  isSimple: boolean,
  write: (orm: unknown, where: Where, isCounted: boolean) => PromiseLike<R>,
): Promise<R> {
  const more = condition && preconditionWhere(condition, model)
  const { version } = model.model
  // A client with policies looks at all of the `where` in the statement that changes the row.
  const isLooked = more === undefined || policyCheckOf(orm) !== undefined || (isSimple && dialect.provider !== 'mysql')
  if (isLooked || !version) return write(orm, whereWithPrecondition(where, model, condition), false)
  const data = bumpVersion(model, {}, condition)
  return claimRow({ orm, model: model.locking, where, more, data }, (inside) => write(inside, where, true))
}

/**
 * Says that a condition was not met, where that is why a row was not found.
 * @param error what the client threw
 * @returns undefined where something else is missing, the row itself or what is to be connected
 */
export async function preconditionError(
  error: unknown,
  { orm, model, where, condition }: ConditionalUpdate,
): Promise<Error | undefined> {
  if (!condition || classifyDatabaseError(error) !== 'not-found') return undefined
  const { version } = model.model
  const row = await findUnique(orm, model, { where, select: rowSelect(model) })
  if (!row || meetsPrecondition(condition, version && row[version.name])) return undefined
  return preconditionFailedError(model, condition)
}
