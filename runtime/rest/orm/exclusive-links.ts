import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { flattenUnique, createRowLock, type RowLock, supportsRowLocks } from '../../prisma/transactions/row-lock.js'
import type { Dialect } from '../../prisma/dialect.js'
import { retryOnConflict } from '../../prisma/transactions/retry-on-conflict.js'
import { inTransaction } from '../../prisma/transactions/transactions.js'
import { errorAt } from '../request/request-errors.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { Relationship, RestModel } from '../rest-model.js'
import type { RelationshipInput } from '../request/body/parse-resource-body.js'
import { findUnique, idSelect } from './delegate-calls.js'

/**
 * A row to connect in a one-to-one relationship. It must not belong to another row, because Prisma's `connect` would disconnect it from
 * that row.
 */
export interface ExclusiveLink {
  readonly relationship: Relationship
  readonly target: IdValues
  /** The JSON pointer to its linkage. */
  readonly pointer: string
}

/** Returns the links that an input creates: one, or none if the relationship is not one-to-one or the input clears it. */
export function exclusiveLinks({ relationship, linkage, pointer }: RelationshipInput): readonly ExclusiveLink[] {
  if (linkage.many || !linkage.target || relationship.inverse.many) return []
  return [{ relationship, target: linkage.target, pointer }]
}

/**
 * Returns Prisma's unique `where` for the target of a link. It matches only if the target is free.
 * @param owner the filter for the row that may already be linked to the target; undefined if that row is new
 */
function freeTargetWhere(
  { relationship: { target, inverse }, target: id }: ExclusiveLink,
  owner?: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const key = Object.entries(inverse.foreignKey ?? {})
  // The filter uses columns of the row itself, because policies repeat it in the statement that writes the row. A subquery in that
  // statement could read outdated rows.
  const nullable = key.filter(([name]) => target.model.fields.get(name)?.optional).map(([name]) => ({ [name]: null }))
  const free = nullable.length > 0 || !inverse.optional ? nullable : [{ [inverse.name]: null }]
  const hasOwnerKey = owner && key.length > 0 && key.every(([, reference]) => Object.hasOwn(owner, reference))
  const linkedWhere = hasOwnerKey
    ? Object.fromEntries(key.map(([name, reference]) => [name, owner[reference]]))
    : { [inverse.name]: { is: owner } }
  const alternatives = owner ? [...free, linkedWhere] : free
  return {
    ...uniqueWhere(target.id, id),
    AND: [alternatives.length > 0 ? { OR: alternatives } : target.locking.noRows],
  }
}

/** Returns Prisma's data that connects the targets of links. */
export function connectFree(
  links: readonly ExclusiveLink[],
  owner?: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(links.map((link) => [link.relationship.name, { connect: freeTargetWhere(link, owner) }]))
}

/**
 * Prepares to lock the targets of links, because Prisma checks them in a separate query before it connects them.
 * @returns an empty list if the database does not support row locks
 */
export function createTargetLocks(
  orm: unknown,
  links: readonly ExclusiveLink[],
  dialect: Dialect,
): readonly Promise<RowLock>[] {
  if (!supportsRowLocks(dialect)) return []
  return links.map(({ relationship: { target }, target: id }) =>
    createRowLock(orm, target.locking, uniqueWhere(target.id, id)),
  )
}

/** Runs a write in a transaction that locks rows first. Retries it after a conflict. */
export function writeLocked<R>(
  orm: unknown,
  prepare: () => readonly Promise<RowLock>[],
  write: (tx: unknown) => PromiseLike<R>,
): Promise<R> {
  return retryOnConflict(orm, async () => {
    const locks = await Promise.all(prepare())
    return inTransaction(orm, async (tx) => {
      for (const lock of locks) await lock(tx)
      return write(tx)
    })
  })
}

/**
 * Wraps a create in a transaction that locks the targets of its links. A client with policies checks them in the statement that connects
 * them.
 */
export function createExclusively(
  orm: unknown,
  links: readonly ExclusiveLink[],
  dialect: Dialect,
  args: object,
): Pick<PreparedRoute, 'run'> {
  if (links.length === 0 || policyCheckOf(orm) || !supportsRowLocks(dialect)) return {}
  return {
    run: (call) =>
      writeLocked(
        orm,
        () => createTargetLocks(orm, links, dialect),
        (tx) => call(tx, args),
      ),
  }
}

/**
 * Returns the error to report if a row to connect belongs to another row.
 * @param owner as in {@link freeTargetWhere}
 * @returns a 409 if the row exists but belongs to another row
 */
export async function takenTargetError(
  error: unknown,
  orm: unknown,
  links: readonly ExclusiveLink[],
  owner?: Readonly<Record<string, unknown>>,
): Promise<RequestError | undefined> {
  if (classifyDatabaseError(error) !== 'not-found') return undefined
  for (const link of links) {
    const { target } = link.relationship
    const select = idSelect(target)
    if (await findUnique(orm, target, { where: freeTargetWhere(link, owner), select })) continue
    if (await findUnique(orm, target, { where: uniqueWhere(target.id, link.target), select })) {
      return new RequestError(takenError(link))
    }
  }
  return undefined
}

function takenError({ relationship: { target }, pointer }: ExclusiveLink): ErrorDetail {
  return errorAt('unique-violation', pointer, `This "${target.type}" already belongs to a different resource.`)
}

/** Returns a filter that matches the row with this unique `where`. */
export function ownerFilter(
  model: RestModel,
  where: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return flattenUnique(model.locking, where)
}
