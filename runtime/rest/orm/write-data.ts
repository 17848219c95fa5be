import type { Scalars } from '../request/attributes.js'
import { connectFree, exclusiveLinks } from './exclusive-links.js'
import { connectForeignKeys, NO_FOREIGN_KEY_WRITES, writeForeignKeys, type ForeignKeyWrites } from './foreign-keys.js'
import { uniqueWhere } from '../request/id.js'
import { membersWhere } from '../request/linkage.js'
import type { RestModel } from '../model.js'
import {
  type RequiredOwnerRelationship,
  requiredOwnerRelationship,
  type MemberReplacement,
  memberReplacement,
  replacement,
  type ReplaceMembers,
} from './replace-members.js'
import type { BodyContext, ResourceInput } from '../request/resource-body.js'

/** What a body asks to write. */
export interface WriteInput extends ReplaceMembers {
  /** Where the body gives linkage that was written as foreign keys: a violated one is a related resource that is missing. */
  readonly pointers: readonly string[]
}

/** What making Prisma's data needs to know. */
export interface WriteDataContext extends BodyContext {
  /** All models, by name. */
  readonly models: ReadonlyMap<string, RestModel>
  /** Whether the database checks foreign keys. */
  readonly hasForeignKeys: boolean
}

/** Prisma's `data` of a create. */
export function createData(
  given: ResourceInput,
  context: WriteDataContext,
): Pick<WriteInput, 'data' | 'pointers' | 'exclusive'> {
  if (given.linkages.size === 0) return scalarWrite(given)
  const { keys, left, pointers } = ownKeys(given, context, false)
  if (left.size === 0) return { data: Object.assign(addScalars({}, given.scalars), keys), pointers, exclusive: NONE }
  const scalars = withKeys(given.scalars, keys)
  const data = connectForeignKeys(scalars, left, context.model, context.models, false)
  const exclusive = [...left.values()].flatMap(exclusiveLinks)
  for (const { relationship, linkage } of left.values()) {
    const { name, target } = relationship
    if (!linkage.many) {
      if (linkage.target) data[name] = { connect: uniqueWhere(target.id, linkage.target) }
    } else if (linkage.members.length > 0) {
      data[name] = { connect: membersWhere(target, linkage.members) }
    }
  }
  return { data: addScalars(Object.assign(data, connectFree(exclusive)), scalars), pointers, exclusive }
}

/** Prisma's `data` of an update. */
export function updateWrite(given: ResourceInput, context: WriteDataContext): WriteInput {
  if (given.linkages.size === 0) return scalarWrite(given)
  const { keys, left, pointers } = ownKeys(given, context, true)
  const scalars = withKeys(given.scalars, keys)
  const data = connectForeignKeys(scalars, left, context.model, context.models, true)
  const kept: RequiredOwnerRelationship[] = []
  const replaced: MemberReplacement[] = []
  const exclusive = [...left.values()].flatMap(exclusiveLinks)
  for (const given of left.values()) {
    const { relationship, linkage } = given
    data[relationship.name] = replacement(relationship, linkage)
    kept.push(...requiredOwnerRelationship(given))
    replaced.push(...memberReplacement(relationship, linkage))
  }
  const replaces = [...left.values()].some(({ linkage }) => linkage.many)
  return { data: addScalars(data, scalars), kept, replaced, replaces, exclusive, pointers }
}

/** What a body without linkage asks to write. */
function scalarWrite({ scalars }: ResourceInput): WriteInput {
  return { data: addScalars({}, scalars), kept: NONE, replaced: NONE, replaces: false, exclusive: NONE, pointers: NONE }
}

const NONE: readonly never[] = []

/** Not by `Object.fromEntries`, which takes longer than reading them did. */
function addScalars(data: Record<string, unknown>, scalars: Scalars): Record<string, unknown> {
  for (const [name, value] of scalars) data[name] = value
  return data
}

function ownKeys({ scalars, linkages }: ResourceInput, context: WriteDataContext, isUpdate: boolean): ForeignKeyWrites {
  if (!context.hasForeignKeys) return NO_FOREIGN_KEY_WRITES(linkages)
  const written = writeForeignKeys(linkages, isUpdate)
  // Where attributes give foreign keys too, nobody can tell which one leads nowhere.
  for (const name of context.model.foreignKeys.keys()) if (scalars.has(name)) return { ...written, pointers: [] }
  return written
}

function withKeys(scalars: Scalars, keys: Readonly<Record<string, unknown>>): Scalars {
  const all: Scalars = new Map(scalars)
  for (const name of Object.keys(keys)) all.set(name, keys[name])
  return all
}
