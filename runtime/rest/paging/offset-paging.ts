import { collectionLinks } from '../document/document-links.js'
import { toSkipTake } from './skip-take.js'
import { estimatedTotal, resolveTotal } from './total.js'
import type { CollectionExtent } from './offset-page-links.js'
import type { Paginator, Paging } from './paging.js'

/** Pages a collection with offset pagination: `page[offset]` and `page[limit]` (contract 2.3). */
export function offsetPaging({ query, listQuery, page, context }: Paginator): Paging {
  const { settings } = context
  return {
    args: { ...listQuery, ...toSkipTake(page) },
    load: (args) => args,
    createPage: async (loaded, count, estimate) => {
      const rows = loaded.length > page.limit ? loaded.slice(0, page.limit) : loaded
      const hasNext = loaded.length > rows.length
      const end = page.offset + rows.length
      // On the last page, the total can be derived from the rows.
      const isLast = !hasNext && (rows.length > 0 || page.offset === 0)
      const guess = page.total === 'estimated' && !isLast ? await estimate?.() : undefined
      const extent: CollectionExtent =
        page.total === 'none' || guess !== undefined
          ? { hasNext }
          : { total: page.total === 'estimated' && isLast ? end : await resolveTotal(page, rows.length, count) }
      const estimated =
        guess === undefined ? '' : estimatedTotal(hasNext ? Math.max(guess, end + 1) : Math.min(guess, end))
      return {
        rows,
        meta: 'total' in extent ? `"total":${extent.total}` : estimated,
        links: (url) => collectionLinks(url, query, { page, extent, settings }),
      }
    },
  }
}
