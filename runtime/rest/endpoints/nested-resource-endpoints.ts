import type { Context } from 'hono'

import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import type { RestContext } from '../rest-context.js'
import { parseUrlId, parseRelatedId } from '../request/parse-url-id.js'
import { notFoundError } from '../not-found-error.js'
import { inverseRelationship, type Relationship, type RestModel } from '../rest-model.js'
import { findUnique } from '../orm/delegate-calls.js'
import { assertListReadable } from '../orm/find-readable-lists.js'
import { isRow } from '../orm/row.js'
import { idSelect } from '../orm/id-select.js'
import { isReadOnly } from '../relationship-capabilities.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { RestEndpoints } from './endpoint-types.js'
import type { ResourceLocator } from './resource-locator.js'
import { readOne } from './read-endpoints.js'
import { getRelationship } from './relationship-read-endpoints.js'
import { type ResourceWrites, resourceWrites } from './write-endpoints.js'

/**
 * Creates the endpoints that access resources through their owner (parent row). The generator emits their routes if its option
 * `nestedRoutes` is set. They respond with 404 if the resource is not a member of the relationship. Otherwise, they behave like the
 * resource's own URL, which is also the URL in links.
 */
export function nestedResourceEndpoints(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'createMember' | 'getMember' | 'updateMember' | 'deleteMember'> {
  const writesByModel = new Map<RestModel, ResourceWrites>()
  const getWrites = (target: RestModel) => {
    const found = writesByModel.get(target) ?? resourceWrites(target, context)
    writesByModel.set(target, found)
    return found
  }
  const relationshipAt = (c: Context<ApiEnv>, name: string) => {
    const relationship = getRelationship(model, name)
    c.env.targetType = relationship.target.type
    return relationship
  }
  const memberLocator = (c: Context<ApiEnv>, relationship: Relationship): ResourceLocator => {
    const owner = parseUrlId(c, model)
    return createLocator(parseRelatedId(c, relationship.target), owner, model, relationship)
  }
  // Members are found through the owner's list, so the caller must be able to read the list.
  const assertMembersReadable = async (c: Context<ApiEnv>, relationship: Relationship) => {
    const owner = parseUrlId(c, model)
    await assertListReadable(await c.env.getOrm(), model, relationship, owner)
  }

  return {
    async createMember(c, name) {
      const relationship = relationshipAt(c, name)
      const { target } = relationship
      const inverse = inverseRelationship(relationship)
      if (!inverse || isReadOnly(inverse, target)) {
        throw new RequestError({ code: 'read-only', detail: `Members cannot be added to "${name}".` })
      }
      return getWrites(target).create(c, { model, id: parseUrlId(c, model), inverse })
    },

    async getMember(c, name) {
      const relationship = relationshipAt(c, name)
      await assertMembersReadable(c, relationship)
      return readOne(c, relationship.target, () => memberLocator(c, relationship), context)
    },

    async updateMember(c, name) {
      const relationship = relationshipAt(c, name)
      const { target, relation } = relationship
      if (relation.many) {
        await assertMembersReadable(c, relationship)
        return getWrites(target).update(c, () => memberLocator(c, relationship))
      }
      const locator = await findRelatedLocator(c, model, relationship)
      return getWrites(target).update(c, () => locator)
    },

    async deleteMember(c, name) {
      const relationship = relationshipAt(c, name)
      await assertMembersReadable(c, relationship)
      return getWrites(relationship.target).delete(c, () => memberLocator(c, relationship))
    },
  }
}

/** Returns the locator of a member. */
function createLocator(id: IdValues, owner: IdValues, model: RestModel, relationship: Relationship): ResourceLocator {
  const inverse = inverseRelationship(relationship)
  return { id, scope: relationship.membersWhere(owner), owner: inverse && { model, id: owner, inverse } }
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
