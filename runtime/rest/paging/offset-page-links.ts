import type { Settings } from '../settings.js'
import type { Page } from '../request/page.js'

/** The page parameters of a collection's links. Null if there is no such page (contract 2.3) or if it is unknown. */
export interface PageLinks {
  readonly first: PageParameters
  readonly last: PageParameters | null
  readonly prev: PageParameters | null
  readonly next: PageParameters | null
}

/** The values of `page[offset]` and `page[limit]` in a link. */
export interface PageParameters {
  readonly offset?: number
  readonly limit?: number
}

/** The extent of a collection beyond a page: the total, or whether there are more rows. */
export type CollectionExtent = { readonly total: number } | { readonly hasNext: boolean }

/**
 * Returns the pages around a page. `last` omits the limit if a page of the default size reaches the end. It is null if it starts beyond
 * `limits.offset`. `next` ignores `limits.offset`, because a null `next` means that the collection ends.
 */
export function offsetPageLinks(
  page: Pick<Page, 'offset' | 'limit'>,
  extent: CollectionExtent,
  { pageSize, limits }: Pick<Settings, 'pageSize' | 'limits'>,
): PageLinks {
  const { offset, limit } = page
  const total = 'total' in extent ? extent.total : undefined
  if (limit === Infinity) return { first: {}, last: {}, prev: null, next: null }
  const hasNext = 'hasNext' in extent ? extent.hasNext : offset + limit < extent.total
  const end = total === undefined ? undefined : total > 0 ? Math.floor((total - 1) / limit) * limit : 0
  const prevOffset = total !== undefined && end !== undefined && offset > total ? end : Math.max(0, offset - limit)
  return {
    first: { limit },
    last: end === undefined || end > limits.offset ? null : limit > pageSize ? { offset: end, limit } : { offset: end },
    prev: offset > 0 ? { offset: prevOffset, limit } : null,
    next: hasNext ? { offset: offset + limit, limit } : null,
  }
}
