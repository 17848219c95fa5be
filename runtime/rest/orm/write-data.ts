import { type ErrorDetail, throwErrors } from '../../errors/request-error.js'
import { retryOnRace } from '../../prisma/transactions/retry-on-conflict.js'
import { errorAt } from '../request/request-errors.js'
import type { Scalars } from '../request/body/parse-attributes.js'
import type { BodyContext, ResourceInput } from '../request/body/parse-resource-body.js'
import type { UpsertMatch } from '../request/body/parse-upsert-match.js'
import { uniqueWhere } from '../request/resource-id.js'
import type { RestModel } from '../rest-model.js'
import { idSelect, findUnique } from './delegate-calls.js'
import { connectFree, exclusiveLinks } from './exclusive-links.js'
import {
  memberWheres,
  type RequiredOwnerRelationship,
  requiredOwnerRelationship,
  type MemberReplacement,
  memberReplacement,
  replacement,
  type ReplaceMembers,
} from './replace-members.js'
import { connectForeignKeys, connectOnly, writeForeignKeys, type ForeignKeyWrites } from './write-foreign-keys.js'

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
  if (input.linkages.size === 0) return plainWrite(addScalars({}, input.scalars))
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
  if (input.linkages.size === 0) return plainWrite(addScalars({}, input.scalars))
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

/** Returns the write of data that requires no checks. */
export function plainWrite(data: Record<string, unknown>): WriteInput {
  return {
    data,
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

/**
 * Returns the unique `where` of the row that an upsert matches.
 * @throws RequestError 400 if a match field has no value
 */
export function matchWhere({ criterion, fields }: UpsertMatch, scalars: Scalars): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const errors: ErrorDetail[] = []
  for (const name of fields) {
    values[name] = scalars.get(name)
    if (values[name] === undefined || values[name] === null) {
      const detail = `The request must set the match field "${name}".`
      errors.push(errorAt('malformed-document', '/meta/matchFields', detail))
    }
  }
  throwErrors(errors)
  return fields.length === 1 ? values : { [criterion]: values }
}

/**
 * Updates the matching row, or creates it. Prisma's own `upsert` is not used, because it does not report whether it created the row.
 * Retries if a concurrent request creates or deletes the row between the two steps.
 * @param where the filter for the matching row
 * @returns the row, and whether it is new
 */
export async function upsertRow(
  orm: unknown,
  model: RestModel,
  where: object,
  write: { create(): PromiseLike<unknown>; update(): PromiseLike<unknown> },
): Promise<{ readonly row: unknown; readonly created: boolean }> {
  return retryOnRace(orm, model.model, { where }, async () => {
    const found = await findUnique(orm, model, { where, select: idSelect(model) })
    if (!found) return { row: await write.create(), created: true }
    return { row: await write.update(), created: false }
  })
}

/** Returns the scalars for the update of the matching row: all except the match fields and the id. */
export function updatedScalars(model: RestModel, match: UpsertMatch, scalars: Scalars): Scalars {
  const updated: Scalars = new Map(scalars)
  for (const name of match.fields) updated.delete(name)
  for (const { name } of model.id.fields) updated.delete(name)
  return updated
}
