import { collectionLinks, type CollectionExtent } from '../document/document-links.js'
import type { Page, PagedCollection, Paging } from './paging.js'
import type { QueryContext } from '../settings.js'

/**
 * Creates the paging that a request uses.
 * @throws RequestError 400 if a cursor belongs to a different list, or if the sort order does not support cursors
 */
export function createPaging(collection: PagedCollection, context: QueryContext): Paging {
  const { cursors } = collection.page
  const feature = context.settings.features.cursors
  return cursors && feature ? feature.createPaging(collection, cursors, context) : offsetPaging(collection, context)
}

/** Pages a collection with offset pagination: `page[offset]` and `page[limit]` (contract 2.3). */
function offsetPaging({ query, listQuery, page }: PagedCollection, { settings }: QueryContext): Paging {
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

/**
 * Returns the total. If the page is not full, calculates the total from it. Otherwise, counts the rows.
 * @param rows the number of rows on the page
 */
async function resolveTotal(
  { offset, limit }: Pick<Page, 'offset' | 'limit'>,
  rows: number,
  count: () => PromiseLike<unknown>,
): Promise<number> {
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows
  return Number(await count())
}

/** Returns Prisma's `skip` and `take` for a page. Takes an extra row if it is needed to detect a next page. */
export function toSkipTake(page: Pick<Page, 'offset' | 'limit' | 'total'>): { skip?: number; take?: number } {
  return {
    ...(page.offset > 0 ? { skip: page.offset } : {}),
    ...(page.limit === Infinity ? {} : { take: page.limit + (page.total === 'exact' ? 0 : 1) }),
  }
}
