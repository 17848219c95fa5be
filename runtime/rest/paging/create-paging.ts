import type { QueryContext } from '../settings.js'
import { offsetPaging } from './offset-paging.js'
import type { PagedCollection, Paging } from './paging.js'

/**
 * Creates the paging that a request uses.
 * @throws RequestError 400 if a cursor belongs to a different list, or if the sort order does not support cursors
 */
export function createPaging(collection: PagedCollection, context: QueryContext): Paging {
  const { cursors } = collection.page
  const feature = context.settings.features.cursors
  return cursors && feature ? feature.createPaging(collection, cursors, context) : offsetPaging(collection, context)
}
