import { policyCheckOf } from '../../orm/allows.js'
import type { Dialect } from '../../orm/dialect.js'
import { supportsRowLocks, createRowLock } from '../../orm/row-lock.js'
import { RequestError } from '../../errors/request-error.js'
import { idFields } from '../../schema/schema.js'
import { notFoundError } from '../context.js'
import { findUnique } from './delegates.js'
import { connectFree, createTargetLocks, type ExclusiveLink, ownerFilter, writeLocked } from './exclusive-links.js'
import { type IdValues, uniqueWhere } from '../request/id.js'
import { cannotBeEmpty, type Linkage, membersWhere } from '../request/linkage.js'
import type { Relationship, RestModel } from '../model.js'
import type { RelationshipInput } from '../request/resource-body.js'
import { isRow } from './row.js'
import { idSelect } from './selection.js'

/** A relationship that is replaced though none of its members can do without it: none may get lost. */
export interface RequiredOwnerRelationship {
  readonly relationship: Relationship
  /** Who may be a member now. */
  readonly members: readonly IdValues[]
  /** Where the body gives it, of a to-one that is to be empty: there, it is a fault of the body. */
  readonly pointer?: string
}

/** A relationship that is replaced by disconnecting those who are members before and not after. */
export interface MemberReplacement {
  readonly relationship: Relationship
  /** Who is to be a member. */
  readonly members: readonly IdValues[]
}

/** The relationship itself where its row cannot do without this one: what it has now may not get lost. */
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
 * The relationship itself where its members must leave one by one: with compound ids, `set` of Prisma 7.10 clears the foreign key
 * of every row that shares its first part with one member and its second with another, whoever's member that row is.
 */
export function memberReplacement(relationship: Relationship, linkage: Linkage): readonly MemberReplacement[] {
  return linkage.many && leaveOneByOne(relationship) ? [{ relationship, members: linkage.members }] : []
}

function leaveOneByOne({ relation, target }: Relationship): boolean {
  return idFields(target.model).length > 1 && !relation.dependent
}

/**
 * What Prisma has to do so that a relationship holds just this. `set` alone would leave out missing rows silently; after it,
 * `connect` raises for them, and both are one transaction.
 */
export function replacement(relationship: Relationship, linkage: Linkage): Record<string, unknown> {
  const { relation, target } = relationship
  if (!linkage.many) {
    // It is empty already, or it is refused.
    if (!linkage.target && relation.dependent) return {}
    return linkage.target ? { connect: uniqueWhere(target.id, linkage.target) } : { disconnect: true }
  }
  const connect = membersWhere(target, linkage.members)
  if (relation.dependent || leaveOneByOne(relationship)) return { connect }
  return connect.length > 0 ? { set: [], connect } : { set: [] }
}

/** What replaces members of relationships. */
export interface ReplaceMembers {
  /** Prisma's `data` of the update. */
  readonly data: Readonly<Record<string, unknown>>
  /** Relationships that may gain members only. */
  readonly kept: readonly RequiredOwnerRelationship[]
  /** Relationships whose members leave one by one; `data` lets them gain members only. */
  readonly replaced: readonly MemberReplacement[]
  /** Whether members of a to-many relationship may leave, in whichever way. */
  readonly replaces: boolean
  /** One-to-one relationships to connect, if their targets are free. */
  readonly exclusive: readonly ExclusiveLink[]
}

/** Whether an update replaces members of relationships, so that it has to be made by {@link replacing}. */
export function replacesMembers({ replaces, kept, replaced, exclusive }: ReplaceMembers): boolean {
  return replaces || kept.length > 0 || replaced.length > 0 || exclusive.length > 0
}

/** A row whose members are replaced. */
export interface Owner {
  readonly orm: unknown
  readonly model: RestModel
  /** Prisma's unique `where` of it. */
  readonly where: Readonly<Record<string, unknown>>
}

/**
 * Makes an update that replaces members of relationships. Of two that replace the same ones at once, each sees what the other did
 * or nothing of it: the owner's row is locked first. Otherwise each would remove the members that it saw, and add its own.
 * @param call makes the update
 * @throws RequestError as {@link replaceMembers}
 */
export async function updateReplacingMembers(
  { orm, model, where }: Owner,
  write: ReplaceMembers,
  dialect: Dialect,
  call: (orm: unknown, args: { readonly where: object; readonly data: object }) => PromiseLike<unknown>,
): Promise<unknown> {
  const { replaces, replaced, exclusive } = write
  if (!replacesMembers(write)) return call(orm, { where, data: write.data })
  const locks = supportsRowLocks(dialect)
  // A client with policies makes its transaction itself, and locks the row in it.
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
 * Looks at the members of the relationships that an update replaces: none may get lost, and some must leave one by one.
 * @param where finds the row
 * @returns Prisma's `where` and `data` of the update
 * @throws RequestError 403 where a member would be without its owner, 404 where the resource does not exist
 */
async function replaceMembers(
  orm: unknown,
  model: RestModel,
  where: Owner['where'],
  { data, kept, replaced, exclusive }: ReplaceMembers,
): Promise<{ readonly where: object; readonly data: object }> {
  const guard = await assertMembersReplaceable(orm, model, where, kept)
  const changes = await leaveMembers(orm, model, where, data, replaced)
  const links = exclusive.length > 0 && connectFree(exclusive, ownerFilter(model, where))
  return { where: { ...where, ...guard }, data: { ...changes, ...links } }
}

/**
 * Refuses to replace the members of a relationship where one would be left without the owner that it needs.
 * @param where Prisma's unique `where` of the row whose members they are
 * @returns a condition for the update itself, which holds if nothing came in between
 * @throws RequestError 403, or 404 where the resource does not exist
 */
export async function assertMembersReplaceable(
  orm: unknown,
  model: RestModel,
  where: Owner['where'],
  kept: readonly RequiredOwnerRelationship[],
): Promise<Record<string, unknown>> {
  if (kept.length === 0) return {}
  const select = kept.map(({ relationship: { name, relation, target }, members }) => {
    const some = relation.many ? { where: without(members), take: 1 } : {}
    return [name, { ...some, select: idSelect(target) }] as const
  })
  const row = await findUnique(orm, model, { where, select: Object.fromEntries(select) })
  if (!row) throw notFoundError(model)
  for (const { relationship, pointer } of kept) {
    const { name } = relationship
    const lost = row[name]
    if (pointer !== undefined && isRow(lost)) throw new RequestError(cannotBeEmpty(relationship, pointer))
    if (!Array.isArray(lost) || lost.length === 0) continue
    const detail = `"${name}" has members that can be moved or deleted, not left out.`
    throw new RequestError({ code: 'relationship-required', detail })
  }
  return Object.fromEntries(
    kept.map(({ relationship: { name, relation }, members }) => {
      return [name, relation.many ? { none: without(members) } : { is: null }]
    }),
  )
}

/** The data of an update, with the disconnection of those that are members now. */
async function leaveMembers(
  orm: unknown,
  model: RestModel,
  where: Owner['where'],
  data: Readonly<Record<string, unknown>>,
  replaced: readonly MemberReplacement[],
): Promise<Readonly<Record<string, unknown>>> {
  if (replaced.length === 0) return data
  const leaving = replaced.map(({ relationship: { name, target }, members }) => {
    return [name, { where: without(members), select: idSelect(target) }] as const
  })
  const row = await findUnique(orm, model, { where, select: Object.fromEntries(leaving) })
  if (!row) throw notFoundError(model)
  const changes = replaced.map(({ relationship: { name, target }, members }) => {
    const found: readonly IdValues[] = Array.isArray(row[name]) ? row[name] : []
    return [name, { disconnect: membersWhere(target, found), connect: membersWhere(target, members) }] as const
  })
  return { ...data, ...Object.fromEntries(changes) }
}

function without(members: readonly IdValues[]): Record<string, unknown> {
  return members.length > 0 ? { NOT: { OR: members.map((values) => ({ ...values })) } } : {}
}
