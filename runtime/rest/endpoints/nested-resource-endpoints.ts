import type { Context } from 'hono'

import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import type { RestContext } from '../rest-context.js'
import { parseUrlId, parseRelatedId, type ResourceLocator } from './resource-locator.js'
import { notFoundError } from '../document/resource-errors.js'
import { inverseRelationship, type Relationship, type RestModel } from '../rest-model.js'
import { findUnique, idSelect, assertListReadable } from '../orm/delegate-calls.js'
import { isRow } from '../orm/row.js'
import { isReadOnly } from '../relationship-capabilities.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import { readOne } from './read-endpoints.js'
import { createUrlOwner } from './url-owner.js'
import { resourceWrites } from './write-endpoints.js'

/** Prepares a request to a route. */
export type Endpoint = (c: Context<ApiEnv>) => Promise<PreparedRoute>

/** A relationship of a model. Its routes have a resource of this model, the owner (parent row), in their URL. */
export interface RelationScope {
  /** The model of the owner. */
  readonly model: RestModel
  readonly relationship: Relationship
  readonly context: RestContext
}

/**
 * Creates the endpoint `POST /:type/:id/:relationship`, which creates a member. The endpoints in this file access resources through their
 * owner. They respond with 404 if the resource is not a member of the relationship. Otherwise, they behave like the resource's own URL,
 * which is also the URL in links.
 */
export function createMember({ model, relationship, context }: RelationScope): Endpoint {
  const { name, target } = relationship
  const inverse = inverseRelationship(relationship)
  const writes = resourceWrites(target, context)
  return async (c) => {
    c.env.targetType = target.type
    if (!inverse || isReadOnly(inverse, target)) {
      throw new RequestError({ code: 'read-only', detail: `Members cannot be added to "${name}".` })
    }
    return writes.create(c, createUrlOwner({ model, id: parseUrlId(c, model), member: target, inverse }))
  }
}

/** Creates the endpoint `GET /:type/:id/:relationship/:relatedId`. See {@link createMember}. */
export function readMember(scope: RelationScope): Endpoint {
  return async (c) => {
    await assertMembersReadable(c, scope)
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
  return async (c) => {
    if (relationship.relation.many) {
      await assertMembersReadable(c, scope)
      return writes.update(c, () => memberLocator(c, scope))
    }
    c.env.targetType = relationship.target.type
    const locator = await findRelatedLocator(c, model, relationship)
    return writes.update(c, () => locator)
  }
}

/** Creates the endpoint `DELETE /:type/:id/:relationship/:relatedId`. See {@link createMember}. */
export function deleteMember(scope: RelationScope): Endpoint {
  const writes = resourceWrites(scope.relationship.target, scope.context)
  return async (c) => {
    await assertMembersReadable(c, scope)
    return writes.delete(c, () => memberLocator(c, scope))
  }
}

function memberLocator(c: Context<ApiEnv>, { model, relationship }: RelationScope): ResourceLocator {
  const owner = parseUrlId(c, model)
  return createLocator(parseRelatedId(c, relationship.target), owner, model, relationship)
}

/** Members are found through the owner's list, so the caller must be able to read the list. */
async function assertMembersReadable(c: Context<ApiEnv>, { model, relationship }: RelationScope): Promise<void> {
  c.env.targetType = relationship.target.type
  const owner = parseUrlId(c, model)
  await assertListReadable(await c.env.getOrm(), model, relationship, owner)
}

/** Returns the locator of a member. */
function createLocator(id: IdValues, owner: IdValues, model: RestModel, relationship: Relationship): ResourceLocator {
  const inverse = inverseRelationship(relationship)
  const member = relationship.target
  return {
    id,
    scope: relationship.membersWhere(owner),
    owner: inverse && createUrlOwner({ model, id: owner, member, inverse }),
  }
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
  const owner = await findUnique(await c.env.getOrm(), model, { where: uniqueWhere(model.id, id), select })
  if (!owner) throw notFoundError(model)
  const related = owner[name]
  if (!isRow(related)) {
    throw new RequestError({ code: 'not-found', detail: `"${name}" is empty, so there is no resource to change.` })
  }
  return createLocator(related, id, model, relationship)
}
