import type { Context } from 'hono'

import { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/api-handler.js'
import { notFoundError, parseRequestId, parseRelatedId, type RestContext } from '../context.js'
import { inverseRelationship, type Relationship, type RestModel } from '../model.js'
import { findUnique } from '../orm/delegates.js'
import { assertListReadable } from '../orm/readable-lists.js'
import { isRow } from '../orm/row.js'
import { idSelect } from '../orm/selection.js'
import { isReadOnly } from '../permissions.js'
import { type IdValues, uniqueWhere } from '../request/id.js'
import type { RestEndpoints } from './endpoints.js'
import type { ResourceLocator } from './resource-locator.js'
import { readOne } from './reads.js'
import { getRelationship } from './relationship-reads.js'
import { type ResourceWrites, resourceWrites } from './writes.js'

/**
 * The endpoints that reach resources through the one that they belong to, which the generator's option `nestedRoutes` emits. What
 * is no member is not there. All else is as at the resource's own URL, links too.
 */
export function nestedEndpoints(
  model: RestModel,
  context: RestContext,
): Pick<RestEndpoints, 'createMember' | 'getMember' | 'updateMember' | 'deleteMember'> {
  const ready = new Map<RestModel, ResourceWrites>()
  const writesOf = (target: RestModel) => {
    const found = ready.get(target) ?? resourceWrites(target, context)
    ready.set(target, found)
    return found
  }
  const relationshipAt = (c: Context<ApiEnv>, name: string) => {
    const relationship = getRelationship(model, name)
    c.env.about = relationship.target.type
    return relationship
  }
  const memberAt = (c: Context<ApiEnv>, relationship: Relationship): ResourceLocator => {
    const owner = parseRequestId(c, model)
    return placeOf(parseRelatedId(c, relationship.target), owner, model, relationship)
  }
  // A member is found by what its list holds.
  const requireReadable = async (c: Context<ApiEnv>, relationship: Relationship) => {
    const owner = parseRequestId(c, model)
    await assertListReadable(await c.env.getOrm(), model, relationship, owner)
  }

  return {
    async createMember(c, name) {
      const relationship = relationshipAt(c, name)
      const { target } = relationship
      const back = inverseRelationship(relationship)
      if (!back || isReadOnly(back, target)) {
        throw new RequestError({ code: 'read-only', detail: `"${name}" cannot be given new members.` })
      }
      return writesOf(target).create(c, { model, id: parseRequestId(c, model), back })
    },

    async getMember(c, name) {
      const relationship = relationshipAt(c, name)
      await requireReadable(c, relationship)
      return readOne(c, relationship.target, () => memberAt(c, relationship), context)
    },

    async updateMember(c, name) {
      const relationship = relationshipAt(c, name)
      const { target, relation } = relationship
      if (relation.many) {
        await requireReadable(c, relationship)
        return writesOf(target).update(c, () => memberAt(c, relationship))
      }
      const place = await relatedPlace(c, model, relationship)
      return writesOf(target).update(c, () => place)
    },

    async deleteMember(c, name) {
      const relationship = relationshipAt(c, name)
      await requireReadable(c, relationship)
      return writesOf(relationship.target).delete(c, () => memberAt(c, relationship))
    },
  }
}

/** Where a member is. */
function placeOf(id: IdValues, owner: IdValues, model: RestModel, relationship: Relationship): ResourceLocator {
  const back = inverseRelationship(relationship)
  return { id, among: relationship.membersOf(owner), owner: back && { model, id: owner, back } }
}

/**
 * What a to-one relationship leads to, whose id is not in the URL. The update asks for it again: it may lead to another one by then.
 * @throws RequestError 404 where it leads to nothing
 */
async function relatedPlace(
  c: Context<ApiEnv>,
  model: RestModel,
  relationship: Relationship,
): Promise<ResourceLocator> {
  const { name, target } = relationship
  const id = parseRequestId(c, model)
  const select = { [name]: { select: idSelect(target) } }
  const owner = await findUnique(await c.env.getOrm(), model, { where: uniqueWhere(model.id, id), select })
  if (!owner) throw notFoundError(model)
  const related = owner[name]
  if (!isRow(related)) {
    throw new RequestError({ code: 'not-found', detail: `"${name}" leads to nothing that could be changed.` })
  }
  return placeOf(related, id, model, relationship)
}
