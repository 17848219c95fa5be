import { collectionLinks } from '../document/respond.js'
import { type Extent, pageArgs, totalOf } from '../request/page.js'
import type { Paged, Paging } from './paging.js'

/** Pages by `page[offset]` and `page[limit]` (contract 2.3). */
export function offsetPaging({ query, listed, page, context }: Paged): Paging {
  const { pageSize } = context.settings
  return {
    args: { ...listed, ...pageArgs(page) },
    load: (args) => args,
    shown: async (loaded, count) => {
      const isCounted = page.total === 'exact'
      const rows = loaded.length > page.limit ? loaded.slice(0, page.limit) : loaded
      const extent: Extent = isCounted
        ? { total: await totalOf(page, rows.length, count) }
        : { hasNext: loaded.length > rows.length }
      return {
        rows,
        meta: 'total' in extent ? `"total":${extent.total}` : '',
        links: (url) => collectionLinks(url, query, { page, extent, pageSize }),
      }
    },
  }
}
