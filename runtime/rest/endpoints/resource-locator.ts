import type { RestModel } from '../rest-model.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { Owner } from './owner-relationship.js'

/** The resource that a URL addresses. */
export interface ResourceLocator {
  readonly id: IdValues
  /**
   * Prisma's `where` for the members of a relationship, if the URL reaches the resource through one. Resources that do not match get a 404.
   */
  readonly scope?: Readonly<Record<string, unknown>>
  /** The owner of the member, if the inverse relationship is exposed. */
  readonly owner?: Owner | undefined
}

/** Returns Prisma's unique `where` for a resource. */
export function locatorWhere(model: RestModel, { id, scope }: ResourceLocator): Record<string, unknown> {
  const where = uniqueWhere(model.id, id)
  return scope ? { ...where, AND: [scope] } : where
}
