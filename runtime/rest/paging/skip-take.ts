import type { Page } from '../request/page.js'

/** Returns Prisma's `skip` and `take` for a page. Takes an extra row if it is needed to detect a next page. */
export function toSkipTake(page: Pick<Page, 'offset' | 'limit' | 'total'>): { skip?: number; take?: number } {
  return {
    ...(page.offset > 0 ? { skip: page.offset } : {}),
    ...(page.limit === Infinity ? {} : { take: page.limit + (page.total === 'exact' ? 0 : 1) }),
  }
}
