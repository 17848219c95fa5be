import type { RestModel } from '../rest-model.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { UrlOwner } from './url-owner.js'

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
