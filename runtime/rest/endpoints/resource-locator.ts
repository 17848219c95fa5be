import type { Context } from 'hono'

import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { decodeSegment } from '../../http/routing/mount-path.js'
import { isObject } from '../../values/is-object.js'
import { notFoundError } from '../document/resource-errors.js'
import { findUnique, idSelect } from '../orm/delegate-calls.js'
import { errorAt, childPointer, type JsonObject } from '../request/request-errors.js'
import type { Linkage } from '../request/body/parse-linkage.js'
import type { ResourceInput } from '../request/body/parse-resource-body.js'
import { canonicalId, type IdValues, uniqueWhere, parseId } from '../request/resource-id.js'
import { type Relationship, type RestModel, bodyFieldBySchemaName } from '../rest-model.js'

/** The owner (parent row) of a resource according to the URL. For a create, the owner of the new resource. */
export interface UrlOwner {
  readonly model: RestModel
  readonly id: IdValues
  /** The member's relationship to its owner. */
  readonly inverse: Relationship
}

/**
 * Adds the owner relationship to the body of a create, unless the body contains it. The create is then handled like any other.
 * @param member the model of the new resource
 * @returns the same document if the body contains the relationship or its foreign key
 */
export function withOwnerRelationship(
  document: JsonObject,
  member: RestModel,
  { model, id, inverse }: UrlOwner,
): JsonObject {
  const resource = document['data']
  // The parser of the body reports an invalid resource.
  if (!isObject(resource)) return document
  const { relationships = {}, attributes } = resource
  if (!isObject(relationships) || Object.hasOwn(relationships, inverse.name)) return document
  const key = ownerForeignKey(inverse, model)
  const wireNames = [...member.bodyFields.values()].filter(({ name }) => key.has(name)).map(({ wire }) => wire)
  if (isObject(attributes) && wireNames.length > 0 && wireNames.every((wire) => Object.hasOwn(attributes, wire)))
    return document
  const identifier = { type: model.type, id: canonicalId(model.id, id) }
  const linkage = { data: inverse.relation.many ? [identifier] : identifier }
  return { ...document, data: { ...resource, relationships: { ...relationships, [inverse.name]: linkage } } }
}

/**
 * Returns the foreign key of a member: its fields, with the fields of the owner's id that they reference. Empty if the foreign key does not
 * reference the id.
 */
function ownerForeignKey({ relation }: Relationship, owner: RestModel): ReadonlyMap<string, string> {
  const key = new Map(Object.entries(relation.foreignKey ?? {}))
  const isOfId = [...key.values()].every((name) => owner.id.fields.some((field) => field.name === name))
  return isOfId ? key : new Map()
}

/**
 * Checks the owner in the body of a create. If the resource can have several owners and the body names others, adds the owner in the URL.
 * @throws RequestError 422 if the body names a different owner and the resource can have only one
 */
export function assignOwner(input: ResourceInput, member: RestModel, owner: UrlOwner): ResourceInput {
  assertSameOwner(input, member, owner)
  const { id, inverse } = owner
  const found = input.linkages.get(inverse.name)
  if (!found?.linkage.many || linksToOwner(owner, found.linkage)) return input
  const joined: Linkage = { many: true, members: [...found.linkage.members, id] }
  return { ...input, linkages: new Map(input.linkages).set(inverse.name, { ...found, linkage: joined }) }
}

/**
 * Checks that an update keeps a member with its owner. A body that changes the owner would contradict the URL.
 * @throws RequestError 422 if it does
 */
export function assertOwnerUnchanged(input: ResourceInput, member: RestModel, owner: UrlOwner): void {
  assertSameOwner(input, member, owner)
  const found = input.linkages.get(owner.inverse.name)
  if (found?.linkage.many && !linksToOwner(owner, found.linkage)) throw ownerMismatchError(owner, found.pointer)
}

/** @throws RequestError 422 if the body names a different owner, by relationship or by foreign key */
function assertSameOwner({ scalars, linkages }: ResourceInput, member: RestModel, owner: UrlOwner): void {
  const { model, id, inverse } = owner
  for (const [name, reference] of ownerForeignKey(inverse, model)) {
    if (!scalars.has(name) || String(scalars.get(name)) === String(id[reference])) continue
    const named = bodyFieldBySchemaName(member, name)
    throw ownerMismatchError(owner, childPointer('/data/attributes', named?.wire ?? name))
  }
  const found = linkages.get(inverse.name)
  if (found && !found.linkage.many && !linksToOwner(owner, found.linkage))
    throw ownerMismatchError(owner, found.pointer)
}

function linksToOwner({ model, id }: UrlOwner, linkage: Linkage): boolean {
  const ownerId = canonicalId(model.id, id)
  const isOwner = (values: IdValues | null) => values !== null && canonicalId(model.id, values) === ownerId
  return linkage.many ? linkage.members.some(isOwner) : isOwner(linkage.target)
}

function ownerMismatchError({ model, id }: UrlOwner, pointer: string): RequestError {
  return new RequestError(errorAt('invalid-value', pointer, `The id in the URL is "${canonicalId(model.id, id)}".`))
}

/**
 * Rewrites an error that points to the owner relationship in the body, if that relationship came from the URL. Returns a 404 if the owner
 * was not found.
 * @param document the original body of the request
 */
export function hideOwnerPointer(error: unknown, document: JsonObject, { model, inverse }: UrlOwner): unknown {
  if (!(error instanceof RequestError)) return error
  const [first] = error.errors
  const pointer = first.source?.pointer
  const resource = document['data']
  if (!pointer?.startsWith(`/data/relationships/${inverse.name}/`) || pointerExists(document, pointer)) return error
  if (first.code === 'not-found') return notFoundError(model)
  const { source: _, ...errorDetail } = first
  const hasId = isObject(resource) && resource['id'] !== undefined
  return new RequestError(hasId ? { ...errorDetail, source: { pointer: '/data/id' } } : errorDetail, error.headers)
}

/** Whether a pointer resolves to an existing value in a document. */
function pointerExists(document: JsonObject, pointer: string): boolean {
  let current: unknown = document
  for (const key of pointer.split('/').slice(1)) {
    current =
      (Array.isArray(current) || isObject(current)) && Object.hasOwn(current, key)
        ? Reflect.get(current, key)
        : undefined
  }
  return current !== undefined
}

/**
 * Whether a create failed because its owner does not exist. Queries the owner, because a foreign key error does not identify the missing
 * row.
 */
export async function isOwnerMissing(error: unknown, orm: unknown, { model, id }: UrlOwner): Promise<boolean> {
  const kind = classifyDatabaseError(error)
  if (kind !== 'foreign-key-violation' && kind !== 'not-found') return false
  return !(await findUnique(orm, model, { where: uniqueWhere(model.id, id), select: idSelect(model) }))
}

/** The resource that a URL refers to. */
export interface ResourceLocator {
  readonly id: IdValues
  /**
   * Prisma's `where` for the members of a relationship, if the URL reaches the resource through a relationship. For a resource that does
   * not match, the response is a 404.
   */
  readonly scope?: Readonly<Record<string, unknown>>
  /** The owner (parent row) of the member, if the inverse relationship is exposed. */
  readonly owner?: UrlOwner | undefined
}

/** Returns Prisma's unique `where` for a resource. */
export function locatorWhere(model: RestModel, { id, scope }: ResourceLocator): Record<string, unknown> {
  const where = uniqueWhere(model.id, id)
  return scope ? { ...where, AND: [scope] } : where
}

/**
 * Parses the id in the request's URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseUrlId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.req
  const end = path.indexOf('/', 1)
  return idOf(end < 0 ? path.slice(1) : path.slice(1, end), model)
}

/**
 * Parses the id of a related resource, which is the third and last segment of the URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseRelatedId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.req
  return idOf(path.slice(path.lastIndexOf('/') + 1), model)
}

function idOf(segment: string, model: RestModel): IdValues {
  const id = decodeSegment(segment)
  const values = id === undefined ? undefined : parseId(model.id, id)
  if (!values) throw notFoundError(model)
  return values
}
