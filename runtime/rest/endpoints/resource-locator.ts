import { classifyDatabaseError } from '../../errors/database-error.js'
import { RequestError } from '../../errors/request-error.js'
import { isObject } from '../../values/is-object.js'
import { notFoundError } from '../context.js'
import type { Relationship, RestModel } from '../model.js'
import { findUnique } from '../orm/delegates.js'
import { idSelect } from '../orm/selection.js'
import { childPointer, errorAt, type JsonObject } from '../request/body.js'
import { canonicalId, type IdValues, uniqueWhere } from '../request/id.js'
import type { Linkage } from '../request/linkage.js'
import type { ResourceInput } from '../request/resource-body.js'
import { bodyField } from '../written-field.js'

/** Which resource a URL is about. */
export interface ResourceLocator {
  readonly id: IdValues
  /** Prisma's `where` of the members of a relationship, where the URL reaches the resource through one: it is not there otherwise. */
  readonly among?: Readonly<Record<string, unknown>>
  /** Whose member it is then, where its own relationship to it is on the wire. */
  readonly owner?: Owner | undefined
}

/** Prisma's unique `where` of a resource, as a URL finds it. */
export function locatorWhere(model: RestModel, { id, among }: ResourceLocator): Record<string, unknown> {
  const where = uniqueWhere(model.id, id)
  return among ? { ...where, AND: [among] } : where
}

/** Whose member a resource is, or becomes, because its URL says so. */
export interface Owner {
  readonly model: RestModel
  readonly id: IdValues
  /** The relationship of the member that leads to its owner. */
  readonly back: Relationship
}

/**
 * Gives the relationship that leads to the owner, where a body does not: then the rest is a create like any other.
 * @param member the model of the new resource
 * @returns the same document where the body gives it itself, or the foreign key
 */
export function withOwnerRelationship(document: JsonObject, member: RestModel, { model, id, back }: Owner): JsonObject {
  const resource = document['data']
  // What is wrong with these is told by who reads them.
  if (!isObject(resource)) return document
  const { relationships = {}, attributes } = resource
  if (!isObject(relationships) || Object.hasOwn(relationships, back.name)) return document
  const key = keyOf(back, model)
  const wires = [...member.written.values()].filter(({ name }) => key.has(name)).map(({ wire }) => wire)
  if (isObject(attributes) && wires.length > 0 && wires.every((wire) => Object.hasOwn(attributes, wire)))
    return document
  const identifier = { type: model.type, id: canonicalId(model.id, id) }
  const linkage = { data: back.relation.many ? [identifier] : identifier }
  return { ...document, data: { ...resource, relationships: { ...relationships, [back.name]: linkage } } }
}

/** The foreign key of a member: its fields, and the fields of the owner's id that they refer to. Empty where there is none. */
function keyOf({ relation }: Relationship, owner: RestModel): ReadonlyMap<string, string> {
  const key = new Map(Object.entries(relation.foreignKey ?? {}))
  const isOfId = [...key.values()].every((name) => owner.id.fields.some((field) => field.name === name))
  return isOfId ? key : new Map()
}

/**
 * What a body gives of a new resource that has an owner. A list of owners gains the one of the URL.
 * @throws RequestError where the body names another owner, and there can be one
 */
export function assignOwner(given: ResourceInput, member: RestModel, owner: Owner): ResourceInput {
  requireOwner(given, member, owner)
  const { id, back } = owner
  const found = given.linkages.get(back.name)
  if (!found?.linkage.many || leadsTo(owner, found.linkage)) return given
  const joined: Linkage = { many: true, members: [...found.linkage.members, id] }
  return { ...given, linkages: new Map(given.linkages).set(back.name, { ...found, linkage: joined }) }
}

/**
 * Refuses a change by which a member would be one of its owner no more: the URL would have said something else than the body.
 * @throws RequestError
 */
export function assertOwnerUnchanged(given: ResourceInput, member: RestModel, owner: Owner): void {
  requireOwner(given, member, owner)
  const found = given.linkages.get(owner.back.name)
  if (found?.linkage.many && !leadsTo(owner, found.linkage)) throw another(owner, found.pointer)
}

/** @throws RequestError where a body names one owner, by the relationship or by its foreign key, and it is another */
function requireOwner({ scalars, linkages }: ResourceInput, member: RestModel, owner: Owner): void {
  const { model, id, back } = owner
  for (const [name, reference] of keyOf(back, model)) {
    if (!scalars.has(name) || String(scalars.get(name)) === String(id[reference])) continue
    const named = bodyField(member, name)
    throw another(owner, childPointer('/data/attributes', named?.wire ?? name))
  }
  const found = linkages.get(back.name)
  if (found && !found.linkage.many && !leadsTo(owner, found.linkage)) throw another(owner, found.pointer)
}

function leadsTo({ model, id }: Owner, linkage: Linkage): boolean {
  const own = canonicalId(model.id, id)
  const isOwn = (values: IdValues | null) => values !== null && canonicalId(model.id, values) === own
  return linkage.many ? linkage.members.some(isOwn) : isOwn(linkage.target)
}

function another({ model, id }: Owner, pointer: string): RequestError {
  return new RequestError(errorAt('invalid-value', pointer, `The URL says that it is "${canonicalId(model.id, id)}".`))
}

/**
 * A failure as it is told where the body does not give the owner: the URL does.
 * @param document the request's own
 */
export function hideOwnerPointer(error: unknown, document: JsonObject, { model, back }: Owner): unknown {
  if (!(error instanceof RequestError)) return error
  const [first] = error.faults
  const pointer = first.source?.pointer
  const resource = document['data']
  if (!pointer?.startsWith(`/data/relationships/${back.name}/`) || leadsSomewhere(document, pointer)) return error
  if (first.code === 'not-found') return notFoundError(model)
  const { source: _, ...fault } = first
  const hasId = isObject(resource) && resource['id'] !== undefined
  return new RequestError(hasId ? { ...fault, source: { pointer: '/data/id' } } : fault, error.headers)
}

/** Whether a pointer leads to something of a document. */
function leadsSomewhere(document: JsonObject, pointer: string): boolean {
  let at: unknown = document
  for (const key of pointer.split('/').slice(1)) {
    at = (Array.isArray(at) || isObject(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }
  return at !== undefined
}

/** Whether a create failed because its owner is not there: a foreign key alone does not tell which one. */
export async function isOwnerMissing(error: unknown, orm: unknown, { model, id }: Owner): Promise<boolean> {
  const fault = classifyDatabaseError(error)
  if (fault !== 'foreign-key-violation' && fault !== 'not-found') return false
  return !(await findUnique(orm, model, { where: uniqueWhere(model.id, id), select: idSelect(model) }))
}
