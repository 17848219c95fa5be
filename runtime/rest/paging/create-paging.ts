import { cursorPaging } from './cursor-paging.js'
import { offsetPaging } from './offset-paging.js'
import type { Paginator, Paging } from './paging.js'

/**
 * Creates the paging that a request uses.
 * @throws RequestError 400 if a cursor belongs to a different list, or if the sort order does not support cursors
 */
export function createPaging(paged: Paginator): Paging {
  const { cursors } = paged.page
  return cursors ? cursorPaging(paged, cursors) : offsetPaging(paged)
}
