import type { Hono } from 'hono'

import { RequestError } from '../errors/request-error.js'
import { isReadOnlyKey } from '../schema/model.js'
import { type Relationship, type RestModel, inverseRelationship } from './rest-model.js'
import type { PathRules } from '../http/routing/create-dispatcher.js'
import type { ApiEnv } from '../http/handler-types.js'

/**
 * Whether the target of a relation can be read through it. Requires the target's `list` operation for to-many relations, and `get` for
 * to-one relations.
 */
export function mayRead({ relation, target }: Relationship): boolean {
  return target.model.operations.has(relation.many ? 'list' : 'get')
}

/**
 * Checks that the target of a relation can be read through it. See {@link mayRead}.
 * @param parameter the query parameter that uses the relation; undefined if the path of the URL uses it
 * @throws RequestError 403 if it cannot be read
 */
export function assertReadable(relationship: Relationship, parameter?: string): void {
  if (mayRead(relationship)) return
  const { name, relation, target } = relationship
  const detail = `"${name}" cannot be read, because "${target.type}" does not expose "${relation.many ? 'list' : 'get'}".`
  throw new RequestError({ code: 'forbidden', detail, ...(parameter === undefined ? {} : { source: { parameter } }) })
}

/**
 * Whether a relation is read-only, by itself or through its foreign key. If the other side holds the foreign key, writing the relation
 * updates rows there, so read-only fields of that side count too.
 */
export function isReadOnly(relationship: Relationship, model: RestModel): boolean {
  const { relation, target } = relationship
  if (relation.readOnly) return true
  if (relation.foreignKey) return isReadOnlyKey(model.model, relation.foreignKey)
  const { inverse } = relationship
  // The relation is stored in a join table, so the rows of the other side do not change.
  if (!inverse.foreignKey) return inverse.readOnly === true
  // Adding or removing a member updates its row, so the request would have to contain the version of each member.
  if (target.model.version?.isRequired) return true
  return (
    inverse.readOnly === true ||
    !target.model.operations.has('update') ||
    isReadOnlyKey(target.model, inverse.foreignKey)
  )
}

const CHANGES = ['POST', 'PATCH', 'PUT', 'DELETE']
const RELATION = /^\/[^/]+\/(relationships\/)?([^/]+)$/

/** The relationship that a path refers to. */
interface RelationshipMatch {
  readonly model: RestModel
  readonly relationship: Relationship
  /** Whether the path refers to the linkage instead of the related resources. */
  readonly isLinkage: boolean
}

/**
 * Creates the rules for relation paths without routes. If a relationship exists but a change has no route, the response is a 403 (JSON:API
 * "Updating Relationships"). This applies to adding or removing members of a to-one relationship, removing members that require their
 * parent row, and changing a read-only relationship.
 * @param models the models by their routers
 */
export function createRelationshipPathRules(models: ReadonlyMap<Hono<ApiEnv>, RestModel>): PathRules {
  const matchRelationship = (router: Hono<ApiEnv>, path: string): RelationshipMatch | undefined => {
    const model = models.get(router)
    const [, linkage, name = ''] = RELATION.exec(path) ?? []
    const relationship = model?.relationships.get(name)
    return model && relationship && { model, relationship, isLinkage: linkage !== undefined }
  }
  return {
    alternatives(router, path) {
      const model = models.get(router)
      return model && RELATION.test(path) ? exposedRelationships(model) : []
    },
    isForbidden(router, method, path) {
      const match = matchRelationship(router, path)
      if (!match) return false
      if (CHANGES.includes(method)) return isForbiddenChange(method, match)
      return !isReadable(match.relationship, match.isLinkage)
    },
    methodError(router, method, path) {
      const match = matchRelationship(router, path)
      if (!match?.isLinkage || !CHANGES.includes(method)) return undefined
      const { name } = match.relationship
      if (!match.model.routes.has(`/:id/relationships/${name}`)) return undefined
      const detail = `The relationship "${name}" cannot be changed with ${method}.`
      return new RequestError({ code: 'unsupported-change', detail })
    },
  }
}

/**
 * Whether a change is forbidden. A POST creates a member and links it through the inverse relationship, which must be writable. For a
 * to-one relationship, other methods change the related resource and not the relationship itself.
 */
function isForbiddenChange(method: string, { model, relationship, isLinkage }: RelationshipMatch): boolean {
  if (isLinkage) return isReadOnly(relationship, model)
  if (method !== 'POST') return false
  const inverse = inverseRelationship(relationship)
  return !inverse || isReadOnly(inverse, relationship.target)
}

function isReadable(relationship: Relationship, isLinkage: boolean): boolean {
  return mayRead(relationship) || (isLinkage && relationship.linkage !== undefined)
}

/** Returns the names of a model's relationships that have routes. */
export function exposedRelationships({ relationships, routes }: RestModel): readonly string[] {
  return [...relationships.keys()].filter((name) => routes.has(`/:id/${name}`))
}
