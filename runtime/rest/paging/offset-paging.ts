import { collectionLinks } from '../document/document-links.js'
import { toSkipTake } from './skip-take.js'
import { resolveTotal } from './total.js'
import type { CollectionExtent } from './offset-page-links.js'
import type { QueryContext } from '../settings.js'
import type { PagedCollection, Paging } from './paging.js'

/** Pages a collection with offset pagination: `page[offset]` and `page[limit]` (contract 2.3). */
export function offsetPaging({ query, listQuery, page }: PagedCollection, { settings }: QueryContext): Paging {
  return {
    args: { ...listQuery, ...toSkipTake(page) },
    load: (args) => args,
    createPage: async (loaded, count) => {
      const rows = loaded.length > page.limit ? loaded.slice(0, page.limit) : loaded
      const hasNext = loaded.length > rows.length
      const extent: CollectionExtent =
        page.total === 'none' ? { hasNext } : { total: await resolveTotal(page, rows.length, count) }
      return {
        rows,
        meta: 'total' in extent ? `"total":${extent.total}` : '',
        links: (url) => collectionLinks(url, query, { page, extent, settings }),
      }
    },
  }
}
