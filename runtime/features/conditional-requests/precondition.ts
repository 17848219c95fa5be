import { isRowMissing } from '../../errors/database/classify-database-error.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import { claimRow } from '../../prisma/transactions/row-lock.js'
import type { Dialect } from '../../prisma/dialect.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import type { ConditionalRequests, ConditionalUpdate, Precondition } from '../../rest/conditional-requests.js'
import { findUnique, rowSelect } from '../../rest/orm/delegate-calls.js'
import {
  type ReplaceMembers,
  replacesMembers,
  type UpdateCall,
  updateReplacingMembers,
} from '../../rest/orm/replace-members.js'
import type { RestModel } from '../../rest/rest-model.js'
import { formatRevision, nextRevision, type Revision } from '../../schema/version-field.js'

type Where = Readonly<Record<string, unknown>>

/** The data of a {@link Precondition}. */
export interface PreconditionData {
  readonly match?: readonly Revision[] | undefined
  /** The disallowed revisions. `*` if the resource must not exist. */
  readonly notIn?: readonly Revision[] | '*' | undefined
  readonly hasVersion: boolean
  /** The source of the precondition in the request. */
  readonly source: ErrorDetail['source']
}

/** Creates a precondition from its data. */
export function createPrecondition(data: PreconditionData): Precondition {
  return {
    match: data.match,
    isCreateOnly: data.notIn === '*',
    hasVersion: data.hasVersion,
    where: (model) => preconditionWhere(data, model),
    failedError: (model) => preconditionFailedError(model, data),
    update: (found, write, dialect, call) => updateIfMet(data, found, write, dialect, call),
    delete: (found, dialect, call) => runIfMet(data, found, dialect, true, call),
    findError: (error, update) => findError(data, error, update),
  }
}

/** Adds a precondition to Prisma's `where` of a row, so that the write itself checks it. */
function whereWithPrecondition(where: Where, model: RestModel, condition: PreconditionData): Where {
  const guard = preconditionWhere(condition, model)
  if (!guard) return where
  const { AND } = where
  return { ...where, AND: [AND ?? [], guard].flat() }
}

/**
 * Changes a row if it meets the precondition. If a change affects more than the row's columns, Prisma first finds the row and then updates
 * it by id. On MySQL, Prisma always does this. In these cases, a separate statement checks the precondition, bumps the version and locks
 * the row.
 * @param isSimple whether the change only affects columns of the row
 * @param write changes the row with the given client; `isBumped` means that the version was already bumped
 * @throws the client's error if the row does not exist
 */
async function runIfMet<R>(
  condition: PreconditionData,
  { orm, model, where }: ConditionalUpdate,
  dialect: Dialect,
  isSimple: boolean,
  write: (orm: unknown, where: Where, isBumped: boolean) => PromiseLike<R>,
): Promise<R> {
  const guard = preconditionWhere(condition, model)
  const { version } = model.model
  // A client with policies checks the complete `where` in the statement that changes the row.
  const checksItself =
    guard === undefined || policyCheckOf(orm) !== undefined || (isSimple && dialect.provider !== 'mysql')
  if (checksItself || !version) return write(orm, whereWithPrecondition(where, model, condition), false)
  const data = bumpVersion(model, {}, condition)
  return claimRow({ orm, model: model.locking, where, guard, data }, (tx) => write(tx, where, true))
}

function updateIfMet(
  condition: PreconditionData,
  found: ConditionalUpdate,
  write: ReplaceMembers,
  dialect: Dialect,
  call: UpdateCall,
): Promise<unknown> {
  const { model, where: ownerWhere } = found
  const hasRelations = Object.keys(write.data).some((name) => model.model.relations.has(name))
  return runIfMet(condition, found, dialect, !replacesMembers(write) && !hasRelations, (orm, where, isBumped) => {
    const data = isBumped ? write.data : bumpVersion(model, write.data, condition)
    // Finds the owner by its id only. If the precondition were part of this `where`, a row with a different revision would be reported as
    // missing.
    return updateReplacingMembers({ orm, model, where: ownerWhere }, { ...write, data }, dialect, (client, args) =>
      call(client, { where: { ...args.where, ...where }, data: args.data }),
    )
  })
}

async function findError(
  condition: PreconditionData,
  error: unknown,
  { orm, model, where }: ConditionalUpdate,
): Promise<Error | undefined> {
  if (!isRowMissing(error, model.model.name)) return undefined
  const { version } = model.model
  const row = await findUnique(orm, model, { where, select: rowSelect(model) })
  if (!row || meetsPrecondition(condition, version && row[version.name])) return undefined
  return preconditionFailedError(model, condition)
}

/** Implements `bumpVersion` of `ConditionalRequests`. */
export const bumpVersion: ConditionalRequests['bumpVersion'] = ({ model: { version } }, data, condition) =>
  version ? { ...data, [version.name]: nextRevision(version, condition?.match) } : data

/** Returns Prisma's filter for rows that meet a precondition, to combine with the row's own filter. Undefined if all rows meet it. */
function preconditionWhere({ match, notIn }: PreconditionData, { model, locking }: RestModel): Where | undefined {
  const { version } = model
  if (notIn === '*' || (match && !version)) return locking.noRows
  if (!version) return undefined
  const { name } = version
  const [only] = match ?? []
  if (notIn && notIn.length > 0) return { [name]: { ...(match && { in: match }), notIn } }
  return match && { [name]: match.length === 1 ? only : { in: match } }
}

/** Whether a revision meets a precondition. */
export function meetsPrecondition({ match, notIn }: PreconditionData, value: unknown): boolean {
  const text = formatRevision(value)
  // An unreadable version matches no revision.
  if (text === undefined && (match || notIn)) return false
  if (notIn === '*' || (notIn && includesRevision(notIn, value))) return false
  return !match || includesRevision(match, value)
}

/** Whether a list contains a revision. */
export function includesRevision(list: readonly Revision[], value: unknown): boolean {
  return list.some((revision) => formatRevision(revision) === formatRevision(value))
}

/** Returns the error for a precondition that is not met. */
export function preconditionFailedError({ type, model }: RestModel, { notIn, source }: PreconditionData): RequestError {
  const other = model.version
    ? `The "${type}" no longer has the requested version, because it has been changed. Read it again.`
    : `"${type}" has no versions, so no ETag matches. Omit the precondition.`
  const detail = notIn === '*' ? `This "${type}" already exists.` : other
  return new RequestError({ code: 'precondition-failed', detail, ...(source && { source }) })
}
