import type { Hono } from 'hono'

import type { PathPolicy } from '../http/dispatch.js'
import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from '../http/api-handler.js'
import { restOperation } from './build-router.js'
import { inverseRelationship, type Relationship, type RestModel } from './model.js'
import { isReadOnly, mayRead } from './permissions.js'

const CHANGES = ['POST', 'PATCH', 'PUT', 'DELETE']
const RELATION = /^\/[^/]+\/(relationships\/)?([^/]+)$/

/** The relationship that a path is about. */
interface At {
  readonly model: RestModel
  readonly relationship: Relationship
  /** Whether it is about the relationship itself, and not about what it leads to. */
  readonly isLinkage: boolean
}

/**
 * What is known of the paths of relations beside their routes. Changes of a relationship that no route is emitted for are
 * forbidden, as JSON:API has it, where the relationship itself exists: one member more or less of a to-one, members that cannot
 * do without it, a relationship that is read-only.
 * @param models the models by their routers
 */
export function createPathPolicy(models: ReadonlyMap<Hono<ApiEnv>, RestModel>): PathPolicy {
  const relationAt = (router: Hono<ApiEnv>, path: string): At | undefined => {
    const model = models.get(router)
    const [, linkage, name = ''] = RELATION.exec(path) ?? []
    const relationship = model?.relationships.get(name)
    return model && relationship && { model, relationship, isLinkage: linkage !== undefined }
  }
  return {
    operationAt: restOperation,
    alternatives(router, path) {
      const model = models.get(router)
      return model && RELATION.test(path) ? servedRelationships(model) : []
    },
    isRefused(router, method, path) {
      const at = relationAt(router, path)
      if (!at) return false
      if (CHANGES.includes(method)) return isRefusedChange(method, at)
      return !isShown(at.relationship, at.isLinkage)
    },
    refusal(router, method, path) {
      const at = relationAt(router, path)
      if (!at?.isLinkage || !CHANGES.includes(method)) return undefined
      const { name } = at.relationship
      if (!at.model.served.has(`/:id/relationships/${name}`)) return undefined
      const detail = `The relationship "${name}" cannot be changed with ${method}.`
      return new RequestError({ code: 'unsupported-change', detail })
    },
  }
}

/** A new member is linked from its own side; what a to-one leads to is changed, and not the relationship. */
function isRefusedChange(method: string, { model, relationship, isLinkage }: At): boolean {
  if (isLinkage) return isReadOnly(relationship, model)
  if (method !== 'POST') return false
  const back = inverseRelationship(relationship)
  return !back || isReadOnly(back, relationship.target)
}

function isShown(relationship: Relationship, isLinkage: boolean): boolean {
  return mayRead(relationship) || (isLinkage && relationship.linkage !== undefined)
}

/** The names of a model's relationships that have routes. */
export function servedRelationships({ relationships, served }: RestModel): readonly string[] {
  return [...relationships.keys()].filter((name) => served.has(`/:id/${name}`))
}
