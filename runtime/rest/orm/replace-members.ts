import { RequestError } from '../../errors/request-error.js'
import type { Dialect } from '../../prisma/dialect.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { supportsRowLocks, createRowLock } from '../../prisma/transactions/row-lock.js'
import { idFields } from '../../schema/model.js'
import { notFoundError } from '../document/resource-errors.js'
import { cannotBeEmpty, type Linkage } from '../request/body/parse-linkage.js'
import type { RelationshipInput } from '../request/body/parse-resource-body.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { findUnique, idSelect } from './delegate-calls.js'
import { connectFree, createTargetLocks, type ExclusiveLink, ownerFilter, writeLocked } from './exclusive-links.js'
import { isRow } from './row.js'

/** A relationship to replace whose members require an owner (parent row). The replacement must not remove any member. */
export interface RequiredOwnerRelationship {
  readonly relationship: Relationship
  /** The allowed members. */
  readonly members: readonly IdValues[]
  /** The pointer to the linkage in the body. Set if a to-one relationship is cleared, so that an error can point to it. */
  readonly pointer?: string
}

/** A relationship to replace by disconnecting only the members that are not in the new list. */
export interface MemberReplacement {
  readonly relationship: Relationship
  /** The new members. */
  readonly members: readonly IdValues[]
}

/** Returns the relationship if its members require this row as their owner. */
export function requiredOwnerRelationship({
  relationship,
  linkage,
  pointer,
}: RelationshipInput): readonly RequiredOwnerRelationship[] {
  if (!relationship.relation.dependent) return []
  if (linkage.many) return [{ relationship, members: linkage.members }]
  return linkage.target ? [] : [{ relationship, members: [], pointer }]
}

/**
 * Returns the relationship if its members must be disconnected individually. With compound ids, `set` in Prisma 7.10 clears the foreign key
 * of every row that shares the first part of its id with one member and the second part with another member. The row may even belong to a
 * different owner.
 */
export function memberReplacement(relationship: Relationship, linkage: Linkage): readonly MemberReplacement[] {
  return linkage.many && disconnectsIndividually(relationship) ? [{ relationship, members: linkage.members }] : []
}

function disconnectsIndividually({ relation, target }: Relationship): boolean {
  return idFields(target.model).length > 1 && !relation.dependent
}

/**
 * Returns the Prisma `data` that replaces the members of a relationship. `set` silently ignores missing rows, so it is followed by a `connect`,
 * which fails for them. Both run in one transaction.
 */
export function replacement(relationship: Relationship, linkage: Linkage): Record<string, unknown> {
  const { relation, target } = relationship
  if (!linkage.many) {
    // The update is rejected unless the relationship is already empty.
    if (!linkage.target && relation.dependent) return {}
    return linkage.target ? { connect: uniqueWhere(target.id, linkage.target) } : { disconnect: true }
  }
  const connect = memberWheres(target, linkage.members)
  if (relation.dependent || disconnectsIndividually(relationship)) return { connect }
  return connect.length > 0 ? { set: [], connect } : { set: [] }
}

/** A write that may replace the members of relationships. */
export interface ReplaceMembers {
  /** The Prisma `data` for the update. */
  readonly data: Readonly<Record<string, unknown>>
  /** Relationships that may only gain members. */
  readonly requiredOwners: readonly RequiredOwnerRelationship[]
  /** Relationships whose members are disconnected individually. `data` only contains the members to add. */
  readonly replaced: readonly MemberReplacement[]
  /** Whether the write may remove members of a to-many relationship. */
  readonly replaces: boolean
  /** One-to-one relationships to connect, if their targets are free. */
  readonly exclusive: readonly ExclusiveLink[]
}

/** Whether an update replaces members of relationships and therefore requires {@link updateReplacingMembers}. */
export function replacesMembers({ replaces, requiredOwners, replaced, exclusive }: ReplaceMembers): boolean {
  return replaces || requiredOwners.length > 0 || replaced.length > 0 || exclusive.length > 0
}

/** Runs an update with the given client. */
export type UpdateCall = (orm: unknown, args: { readonly where: object; readonly data: object }) => PromiseLike<unknown>

/** A row whose members are replaced. */
export interface Owner {
  readonly orm: unknown
  readonly model: RestModel
  /** The Prisma `where` that identifies the row. */
  readonly where: Readonly<Record<string, unknown>>
}

/**
 * Runs an update that replaces members of relationships. Locks the owner's row first, so that each of two concurrent replacements sees
 * either all changes made by the other or no changes. Without the lock, each would remove only the members that it read, and the result
 * would contain the new members of both.
 * @param call runs the update
 * @throws RequestError as {@link replaceMembers}
 */
export async function updateReplacingMembers(
  { orm, model, where }: Owner,
  write: ReplaceMembers,
  dialect: Dialect,
  call: UpdateCall,
): Promise<unknown> {
  const { replaces, replaced, exclusive } = write
  if (!replacesMembers(write)) return call(orm, { where, data: write.data })
  const locks = supportsRowLocks(dialect)
  // A client with policies runs its own transaction and locks the row in it.
  const isLocked = locks && (replaces || exclusive.length > 0)
  if (policyCheckOf(orm) || !(isLocked || replaced.length > 0)) {
    return call(orm, await replaceMembers(orm, model, where, write))
  }
  const prepare = () => [
    ...(locks ? [createRowLock(orm, model.locking, where)] : []),
    ...createTargetLocks(orm, exclusive, dialect),
  ]
  return writeLocked(orm, prepare, async (inside) => call(inside, await replaceMembers(inside, model, where, write)))
}

/**
 * Prepares the replacement of members: checks that no member loses a required owner, and disconnects members that must be disconnected
 * individually.
 * @param where the Prisma `where` that identifies the row
 * @returns the Prisma `where` and `data` for the update
 * @throws RequestError 403 if a member would lose its required owner, 404 if the row does not exist
 */
async function replaceMembers(
  orm: unknown,
  model: RestModel,
  where: Owner['where'],
  { data, requiredOwners, replaced, exclusive }: ReplaceMembers,
): Promise<{ readonly where: object; readonly data: object }> {
  const guard = await assertMembersReplaceable(orm, model, where, requiredOwners)
  const changes = await disconnectMembers(orm, model, where, data, replaced)
  const links = exclusive.length > 0 && connectFree(exclusive, ownerFilter(model, where))
  return { where: { ...where, ...guard }, data: { ...changes, ...links } }
}

/**
 * Checks that no member loses a required owner.
 * @param where the Prisma `where` that identifies the owner
 * @returns a filter for the update, which matches only if the members have not changed since the check
 * @throws RequestError 403 if a member would lose its owner, 404 if the row does not exist
 */
export async function assertMembersReplaceable(
  orm: unknown,
  model: RestModel,
  where: Owner['where'],
  requiredOwners: readonly RequiredOwnerRelationship[],
): Promise<Record<string, unknown>> {
  if (requiredOwners.length === 0) return {}
  const select = requiredOwners.map(({ relationship: { name, relation, target }, members }) => {
    const listArgs = relation.many ? { where: whereNotMembers(members), take: 1 } : {}
    return [name, { ...listArgs, select: idSelect(target) }] as const
  })
  const row = await findUnique(orm, model, { where, select: Object.fromEntries(select) })
  if (!row) throw notFoundError(model)
  for (const { relationship, pointer } of requiredOwners) {
    const { name } = relationship
    const detached = row[name]
    if (pointer !== undefined && isRow(detached)) throw new RequestError(cannotBeEmpty(relationship, pointer))
    if (!Array.isArray(detached) || detached.length === 0) continue
    const detail = `"${name}" has members that cannot exist without a parent. Move or delete them.`
    throw new RequestError({ code: 'relationship-required', detail })
  }
  return Object.fromEntries(
    requiredOwners.map(({ relationship: { name, relation }, members }) => {
      return [name, relation.many ? { none: whereNotMembers(members) } : { is: null }]
    }),
  )
}

/** Adds operations that disconnect current members to the data of an update. */
async function disconnectMembers(
  orm: unknown,
  model: RestModel,
  where: Owner['where'],
  data: Readonly<Record<string, unknown>>,
  replaced: readonly MemberReplacement[],
): Promise<Readonly<Record<string, unknown>>> {
  if (replaced.length === 0) return data
  const removed = replaced.map(({ relationship: { name, target }, members }) => {
    return [name, { where: whereNotMembers(members), select: idSelect(target) }] as const
  })
  const row = await findUnique(orm, model, { where, select: Object.fromEntries(removed) })
  if (!row) throw notFoundError(model)
  const changes = replaced.map(({ relationship: { name, target }, members }) => {
    const found: readonly IdValues[] = Array.isArray(row[name]) ? row[name] : []
    return [name, { disconnect: memberWheres(target, found), connect: memberWheres(target, members) }] as const
  })
  return { ...data, ...Object.fromEntries(changes) }
}

function whereNotMembers(members: readonly IdValues[]): Record<string, unknown> {
  return members.length > 0 ? { NOT: { OR: members.map((values) => ({ ...values })) } } : {}
}

/** Returns Prisma's unique `where` for each member. */
export function memberWheres(target: RestModel, members: readonly IdValues[]): Record<string, unknown>[] {
  return members.map((values) => uniqueWhere(target.id, values))
}
