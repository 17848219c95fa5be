import type { Scalars } from '../request/parse-attributes.js'
import { connectFree, exclusiveLinks } from './exclusive-links.js'
import { connectForeignKeys, connectOnly, writeForeignKeys, type ForeignKeyWrites } from './write-foreign-keys.js'
import { uniqueWhere } from '../request/resource-id.js'
import { memberWheres } from './member-wheres.js'
import type { RestModel } from '../rest-model.js'
import {
  type RequiredOwnerRelationship,
  requiredOwnerRelationship,
  type MemberReplacement,
  memberReplacement,
  replacement,
  type ReplaceMembers,
} from './replace-members.js'
import type { BodyContext, ResourceInput } from '../request/parse-resource-body.js'

/** The write that a body requests. */
export interface WriteInput extends ReplaceMembers {
  /** Pointers to linkage that was written as foreign keys. A foreign key violation means that a related resource is missing. */
  readonly pointers: readonly string[]
}

/** The context in which Prisma's data is created. */
export interface WriteDataContext extends BodyContext {
  /** All models, by name. */
  readonly models: ReadonlyMap<string, RestModel>
  /** Whether the database enforces foreign keys. */
  readonly hasForeignKeys: boolean
}

/** Returns Prisma's `data` for a create. */
export function createData(
  input: ResourceInput,
  context: WriteDataContext,
): Pick<WriteInput, 'data' | 'pointers' | 'exclusive'> {
  if (input.linkages.size === 0) return scalarWrite(input)
  const { keys, rest, pointers } = resolveForeignKeys(input, context, false)
  if (rest.size === 0) return { data: Object.assign(addScalars({}, input.scalars), keys), pointers, exclusive: NONE }
  const scalars = withKeys(input.scalars, keys)
  const data = connectForeignKeys(scalars, rest, context.model, context.models, false)
  const exclusive = [...rest.values()].flatMap(exclusiveLinks)
  for (const { relationship, linkage } of rest.values()) {
    const { name, target } = relationship
    if (!linkage.many) {
      if (linkage.target) data[name] = { connect: uniqueWhere(target.id, linkage.target) }
    } else if (linkage.members.length > 0) {
      data[name] = { connect: memberWheres(target, linkage.members) }
    }
  }
  return { data: addScalars(Object.assign(data, connectFree(exclusive)), scalars), pointers, exclusive }
}

/** Returns Prisma's `data` for an update and the checks that the update requires. */
export function updateWrite(input: ResourceInput, context: WriteDataContext): WriteInput {
  if (input.linkages.size === 0) return scalarWrite(input)
  const { keys, rest, pointers } = resolveForeignKeys(input, context, true)
  const scalars = withKeys(input.scalars, keys)
  const data = connectForeignKeys(scalars, rest, context.model, context.models, true)
  const requiredOwners: RequiredOwnerRelationship[] = []
  const replaced: MemberReplacement[] = []
  const exclusive = [...rest.values()].flatMap(exclusiveLinks)
  for (const relationshipInput of rest.values()) {
    const { relationship, linkage } = relationshipInput
    data[relationship.name] = replacement(relationship, linkage)
    requiredOwners.push(...requiredOwnerRelationship(relationshipInput))
    replaced.push(...memberReplacement(relationship, linkage))
  }
  const replaces = [...rest.values()].some(({ linkage }) => linkage.many)
  return { data: addScalars(data, scalars), requiredOwners, replaced, replaces, exclusive, pointers }
}

/** Returns the write of a body without linkage. */
function scalarWrite({ scalars }: ResourceInput): WriteInput {
  return {
    data: addScalars({}, scalars),
    requiredOwners: NONE,
    replaced: NONE,
    replaces: false,
    exclusive: NONE,
    pointers: NONE,
  }
}

const NONE: readonly never[] = []

/** Adds scalars to Prisma's data. A loop is faster than `Object.fromEntries`, which takes longer than parsing the values. */
function addScalars(data: Record<string, unknown>, scalars: Scalars): Record<string, unknown> {
  for (const [name, value] of scalars) data[name] = value
  return data
}

function resolveForeignKeys(
  { scalars, linkages }: ResourceInput,
  context: WriteDataContext,
  isUpdate: boolean,
): ForeignKeyWrites {
  if (!context.hasForeignKeys) return connectOnly(linkages)
  const written = writeForeignKeys(linkages, isUpdate)
  // If the attributes contain foreign keys too, the error does not reveal which foreign key is dangling.
  for (const name of context.model.foreignKeys.keys()) if (scalars.has(name)) return { ...written, pointers: [] }
  return written
}

function withKeys(scalars: Scalars, keys: Readonly<Record<string, unknown>>): Scalars {
  const all: Scalars = new Map(scalars)
  for (const name of Object.keys(keys)) all.set(name, keys[name])
  return all
}
