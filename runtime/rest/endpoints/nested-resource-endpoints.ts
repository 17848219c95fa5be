import type { Context } from 'hono'

import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import {
  type Endpoint,
  parseUrlId,
  parseRelatedId,
  type RelationScope,
  type ResourceLocator,
  type UrlOwner,
} from './resource-locator.js'
import { notFoundError } from '../document/resource-errors.js'
import {
  bodyFieldBySchemaName,
  type InverseRelation,
  inverseRelationship,
  type Relationship,
  type RestModel,
} from '../rest-model.js'
import { findUnique, idSelect, assertListReadable } from '../orm/delegate-calls.js'
import { writeLocked } from '../orm/exclusive-links.js'
import { type PreparedRoute, runPreparedCall } from '../../http/routing/execute-prepared-route.js'
import { serializeKey } from '../../prisma/keys.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { getPrimary } from '../../prisma/replicas.js'
import { createRowLock, supportsRowLocks } from '../../prisma/transactions/row-lock.js'
import { isInTransaction } from '../../prisma/transactions/transactions.js'
import { isRow } from '../orm/row.js'
import { isReadOnly } from '../relationship-capabilities.js'
import { type IdValues, uniqueWhere, rowId } from '../request/resource-id.js'
import { readOne } from './read-endpoints.js'
import { resourceWrites } from './write-endpoints.js'
import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { isObject } from '../../values/is-object.js'
import type { Linkage } from '../request/body/parse-linkage.js'
import type { RelationshipInput, ResourceInput } from '../request/body/parse-resource-body.js'
import { errorAt, childPointer, type JsonObject } from '../request/request-errors.js'

/**
 * Creates the endpoint `POST /:type/:id/:relationship`, which creates a member. The endpoints in this file access resources through their
 * owner. They respond with 404 if the resource is not a member of the relationship. Otherwise, they behave like the resource's own URL,
 * which is also the URL in links.
 */
export function createMember({ model, relationship, context }: RelationScope): Endpoint {
  const { name, target, inverse } = relationship
  const exposedInverse = inverseRelationship(relationship)
  const writes = resourceWrites(target, context)
  return async (c) => {
    c.env.targetType = target.type
    if (!exposedInverse || isReadOnly(exposedInverse, target)) {
      throw new RequestError({ code: 'read-only', detail: `Members cannot be added to "${name}".` })
    }
    const id = parseUrlId(c, model)
    const prepared = await writes.create(c, createUrlOwner({ model, id, member: target, inverse }))
    const { orm } = prepared
    // After a failed statement, PostgreSQL rejects further queries of the transaction, so the owner must be checked before the insert.
    const isCheckedFirst = context.dialect.provider === 'postgresql' && isInTransaction(orm)
    if (isCheckedFirst && !(await ownerExists(orm, model, id))) throw notFoundError(model)
    return prepared
  }
}

/** Creates the endpoint `GET /:type/:id/:relationship/:relatedId`. See {@link createMember}. */
export function readMember(scope: RelationScope): Endpoint {
  return async (c) => {
    await assertMembersReadable(c, scope, await c.env.getOrm())
    return readOne(c, scope.relationship.target, () => memberLocator(c, scope), scope.context)
  }
}

/**
 * Creates the endpoint `PATCH` and `PUT /:type/:id/:relationship/:relatedId`. For a to-one relationship: `/:type/:id/:relationship`. See
 * {@link createMember}.
 */
export function updateMember(scope: RelationScope): Endpoint {
  const { model, relationship, context } = scope
  const writes = resourceWrites(relationship.target, context)
  const lockMember = createMemberLock(scope)
  return async (c) => {
    if (relationship.relation.many) {
      await assertMembersReadable(c, scope, getPrimary(await c.env.getOrm()))
      const locator = memberLocator(c, scope)
      return lockMember(await writes.update(c, () => locator), locator)
    }
    c.env.targetType = relationship.target.type
    const locator = await findRelatedLocator(c, model, relationship)
    return lockMember(await writes.update(c, () => locator), locator)
  }
}

/** Creates the endpoint `DELETE /:type/:id/:relationship/:relatedId`. See {@link createMember}. */
export function deleteMember(scope: RelationScope): Endpoint {
  const writes = resourceWrites(scope.relationship.target, scope.context)
  const lockMember = createMemberLock(scope)
  return async (c) => {
    await assertMembersReadable(c, scope, getPrimary(await c.env.getOrm()))
    const locator = memberLocator(c, scope)
    return lockMember(await writes.delete(c, () => locator), locator)
  }
}

/** Makes a write lock the member. */
type MemberLock = (write: PreparedRoute, member: ResourceLocator) => PreparedRoute

/**
 * Returns a function that makes a write lock its member first. Otherwise, the write could miss a concurrent change of the relationship. On
 * PostgreSQL, this is only necessary if the foreign key is not in the member's row, because an update checks its own row again. On MySQL,
 * Prisma finds the member in a separate query, and does not report that the write matched no row. A client with policies locks the rows
 * itself.
 */
function createMemberLock({ relationship: { target, inverse }, context: { dialect } }: RelationScope): MemberLock {
  if (!supportsRowLocks(dialect) || (dialect.provider === 'postgresql' && inverse.foreignKey)) return (write) => write
  return (write, { id }) => {
    if (policyCheckOf(write.orm)) return write
    const run: PreparedRoute['run'] = (call, orm) => {
      const createLocks = () => [createRowLock(orm, target.locking, uniqueWhere(target.id, id))]
      return writeLocked(orm, createLocks, (tx) => runPreparedCall({ ...write, orm: tx }, call))
    }
    return { ...write, run }
  }
}

function memberLocator(c: Context<ApiEnv>, { model, relationship }: RelationScope): ResourceLocator {
  const owner = parseUrlId(c, model)
  return createLocator(parseRelatedId(c, relationship.target), owner, model, relationship)
}

/** Members are found through the owner's list, so the caller must be able to read the list. */
async function assertMembersReadable(
  c: Context<ApiEnv>,
  { model, relationship }: RelationScope,
  orm: unknown,
): Promise<void> {
  c.env.targetType = relationship.target.type
  const owner = parseUrlId(c, model)
  await assertListReadable(orm, model, relationship, owner)
}

/** Returns the locator of a member. */
function createLocator(id: IdValues, owner: IdValues, model: RestModel, relationship: Relationship): ResourceLocator {
  const { inverse, target } = relationship
  const members = relationship.membersWhere(owner)
  const reference: OwnerReference = { model, id: owner, member: target, inverse }
  return { id, scope: (update) => [members, ...(update ? keepOwner(update, reference) : [])] }
}

/**
 * Returns the locator of a to-one relationship's target, whose id is not in the URL. The update filters by the relationship again, because
 * the target may have changed since this query.
 * @throws RequestError 404 if the relationship is empty
 */
async function findRelatedLocator(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
): Promise<ResourceLocator> {
  const { name, target } = relationship
  const id = parseUrlId(c, model)
  const select = { [name]: { select: idSelect(target) } }
  const owner = await findUnique(getPrimary(await c.env.getOrm()), model, { where: uniqueWhere(model.id, id), select })
  if (!owner) throw notFoundError(model)
  const related = owner[name]
  if (!isRow(related)) {
    throw new RequestError({ code: 'not-found', detail: `"${name}" is empty, so there is no resource to change.` })
  }
  return createLocator(related, id, model, relationship)
}

/** An owner in a URL, and how its members refer to it. */
interface OwnerReference {
  readonly model: RestModel
  readonly id: IdValues
  readonly member: RestModel
  /** The member's relation to its owner, exposed or hidden. */
  readonly inverse: InverseRelation
}

/** Creates the checks for a new member whose URL contains its owner. */
function createUrlOwner(owner: OwnerReference): UrlOwner {
  return {
    model: owner.model,
    addRelationship: (document) => addRelationship(document, owner),
    assign: (input) => assignOwner(input, owner),
    hidePointer: (error, document) => hideOwnerPointer(error, document, owner),
    isMissing: (error, orm) => isOwnerMissing(error, orm, owner),
  }
}

function addRelationship(document: JsonObject, { model, id, member, inverse }: OwnerReference): JsonObject {
  const resource = document['data']
  // The parser of the body reports an invalid resource.
  if (!isObject(resource)) return document
  const { relationships = {}, attributes } = resource
  if (!isObject(relationships) || Object.hasOwn(relationships, inverse.name)) return document
  const key = ownerForeignKey(inverse, model)
  const wireNames = [...member.bodyFields.values()].filter(({ name }) => key.has(name)).map(({ wire }) => wire)
  if (isObject(attributes) && wireNames.length > 0 && wireNames.every((wire) => Object.hasOwn(attributes, wire)))
    return document
  const identifier = { type: model.type, id: rowId(model.id, id) }
  const linkage = { data: inverse.many ? [identifier] : identifier }
  return { ...document, data: { ...resource, relationships: { [inverse.name]: linkage, ...relationships } } }
}

/**
 * Returns the foreign key of a member: its fields, with the fields of the owner's id that they reference. Empty if the foreign key does not
 * reference the id.
 */
function ownerForeignKey({ foreignKey = {} }: InverseRelation, owner: RestModel): ReadonlyMap<string, string> {
  const key = new Map(Object.entries(foreignKey))
  const isOfId = [...key.values()].every((name) => owner.id.fields.some((field) => field.name === name))
  return isOfId ? key : new Map()
}

function assignOwner(input: ResourceInput, owner: OwnerReference): ResourceInput {
  // The parser has compared the relationships with that of the owner.
  assertSameOwner(input, [attributesWrite(input)], owner)
  const { id, inverse } = owner
  const found = input.linkages.get(inverse.name)
  if (!found) return input
  const { linkage } = found
  const isComplete = !linkage.many || linksToOwner(owner, linkage)
  const joined: Linkage = isComplete ? linkage : { many: true, members: [...linkage.members, id] }
  // Prisma writes the relationships in this order. The owner is last, so that it determines the value of a shared field.
  const linkages = new Map(input.linkages)
  linkages.delete(inverse.name)
  return { ...input, linkages: linkages.set(inverse.name, { ...found, linkage: joined }) }
}

/**
 * Checks that an update keeps the member with its owner. Otherwise, the body would contradict the URL.
 * @returns conditions under which the foreign key stays the same. Without them, a key that refers to other fields than the id in the URL could
 * change, because it cannot be compared with the id
 * @throws RequestError 422 if the body names a different owner
 */
function keepOwner(input: ResourceInput, owner: OwnerReference): readonly object[] {
  const { name, foreignKey = {} } = owner.inverse
  const writes = listWrites(input)
  assertSameOwner(input, writes, owner)
  const found = input.linkages.get(name)
  if (found?.linkage.many && !linksToOwner(owner, found.linkage)) throw ownerMismatchError(owner, found.pointer)
  const fields = writes.flatMap(({ values }) => Object.entries(values))
  return fields.filter(([field]) => Object.hasOwn(foreignKey, field)).map(([field, value]) => ({ [field]: value }))
}

/** @throws RequestError 422 if the body names a different owner, by relationship or by foreign key */
function assertSameOwner({ linkages }: ResourceInput, writes: readonly FieldWrite[], owner: OwnerReference): void {
  const { model, id, member, inverse } = owner
  const found = linkages.get(inverse.name)
  if (found && !found.linkage.many && !linksToOwner(owner, found.linkage))
    throw ownerMismatchError(owner, found.pointer)
  for (const [name, reference] of ownerForeignKey(inverse, model)) {
    for (const { values, pointer } of writes) {
      if (!Object.hasOwn(values, name) || serializeKey([name], values) === serializeKey([reference], id)) continue
      const wire = bodyFieldBySchemaName(member, name)?.wire ?? name
      throw ownerMismatchError(owner, pointer ?? childPointer('/data/attributes', wire))
    }
  }
}

/** The fields that the attributes or a relationship of a body write. */
interface FieldWrite {
  readonly values: Readonly<Record<string, unknown>>
  /** The pointer to the relationship. Undefined for the attributes. */
  readonly pointer?: string
}

/** Returns the attributes of an update, and the foreign keys of its relationships. Several relationships may share a field. */
function listWrites(input: ResourceInput): readonly FieldWrite[] {
  const keys = Array.from(input.linkages.values(), (linkage) => ({
    values: linkedFields(linkage),
    pointer: linkage.pointer,
  }))
  return [attributesWrite(input), ...keys]
}

function attributesWrite({ scalars }: ResourceInput): FieldWrite {
  return { values: Object.fromEntries(scalars) }
}

/** Returns the fields of the foreign key that to-one linkage sets, if the id in the linkage contains them. */
function linkedFields({ relationship, linkage }: RelationshipInput): FieldWrite['values'] {
  const { foreignKey = {}, nullableKeys } = relationship.relation
  if (linkage.many) return {}
  const { target } = linkage
  if (!target) return Object.fromEntries(nullableKeys.map((name) => [name, null]))
  const fields = Object.entries(foreignKey).filter(([, reference]) => Object.hasOwn(target, reference))
  return Object.fromEntries(fields.map(([name, reference]) => [name, target[reference]]))
}

function linksToOwner({ model, id }: OwnerReference, linkage: Linkage): boolean {
  const ownerId = rowId(model.id, id)
  const isOwner = (values: IdValues | null) => values !== null && rowId(model.id, values) === ownerId
  return linkage.many ? linkage.members.some(isOwner) : isOwner(linkage.target)
}

function ownerMismatchError({ model, id }: OwnerReference, pointer: string): RequestError {
  return new RequestError(errorAt('invalid-value', pointer, `The id in the URL is "${rowId(model.id, id)}".`))
}

function hideOwnerPointer(error: unknown, document: JsonObject, { model, inverse }: OwnerReference): unknown {
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

async function isOwnerMissing(error: unknown, orm: unknown, { model, id }: OwnerReference): Promise<boolean> {
  const kind = classifyDatabaseError(error)
  return (kind === 'foreign-key-violation' || kind === 'not-found') && !(await ownerExists(orm, model, id))
}

async function ownerExists(orm: unknown, model: RestModel, id: IdValues): Promise<boolean> {
  return (await findUnique(orm, model, { where: uniqueWhere(model.id, id), select: idSelect(model) })) !== undefined
}
