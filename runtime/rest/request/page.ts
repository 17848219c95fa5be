import { malformed, ofFamily, type Query } from './query.js'
import type { Settings } from '../settings.js'

/** The part of a collection that a request asks for. */
export interface Page {
  readonly offset: number
  /** How many at most; Infinity for all. */
  readonly limit: number
}

/** The last row that a page can begin at. */
export const MAX_OFFSET = 2 ** 31 - 1

/**
 * Reads `page[offset]` and `page[limit]`, or `page[number]` (from 1) and `page[size]`.
 * @throws RequestError 400 for anything that is not such a page; nothing is cut silently
 */
export function readPage(query: Query, settings: Settings): Page {
  const given = new Map<string, number>()
  for (const parameter of ofFamily(query, 'page')) {
    const [key = ''] = parameter.path
    if (!['offset', 'limit', 'number', 'size'].includes(key)) {
      throw malformed(parameter, 'A page is given by page[offset] and page[limit], or by page[number] and page[size].')
    }
    if (given.has(key)) throw malformed(parameter, 'It is given more than once.')
    const least = key === 'offset' ? 0 : 1
    const most = key === 'limit' || key === 'size' ? settings.maxPageSize : MAX_OFFSET
    const number = /^\d{1,10}$/.test(parameter.value) ? Number(parameter.value) : NaN
    if (!(number >= least && number <= most)) {
      throw malformed(parameter, `It must be an integer from ${least} to ${Math.min(most, MAX_OFFSET)}.`)
    }
    given.set(key, number)
  }
  const numbered = given.has('number') || given.has('size')
  if (numbered && (given.has('offset') || given.has('limit'))) {
    throw malformed({ name: 'page' }, 'A page is given by offset and limit or by number and size, not by both.')
  }
  const limit = given.get('limit') ?? given.get('size') ?? settings.pageSize
  const offset = given.get('offset') ?? ((given.get('number') ?? 1) - 1) * (limit === Infinity ? 0 : limit)
  if (offset > MAX_OFFSET) throw malformed({ name: 'page[number]' }, 'There is no such page.')
  return { offset, limit }
}

/** Prisma's `skip` and `take` for a page. */
export function pageArgs(page: Page): { skip?: number; take?: number } {
  return {
    ...(page.offset > 0 ? { skip: page.offset } : {}),
    ...(page.limit === Infinity ? {} : { take: page.limit }),
  }
}

/**
 * How many rows there are in all. A page that is not full tells it; otherwise they are counted.
 * @param rows how many are on the page
 */
export async function totalOf(
  { offset, limit }: Page,
  rows: number,
  count: () => PromiseLike<unknown>,
): Promise<number> {
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows
  return Number(await count())
}

/** The page parameters of a collection's links; null where there is no such page (contract 2.3). */
export interface PageLinks {
  readonly first: PageParameters
  readonly last: PageParameters
  readonly prev: PageParameters | null
  readonly next: PageParameters | null
}

export interface PageParameters {
  readonly offset?: number
  readonly limit?: number
}

/**
 * The pages around a page. `last` names the limit too only where the default page would be too small for it (design 5).
 * @param total how many there are in all
 */
export function pageLinks(page: Page, total: number, pageSize: number): PageLinks {
  const { offset, limit } = page
  if (limit === Infinity) return { first: {}, last: {}, prev: null, next: null }
  const last = total > 0 ? Math.floor((total - 1) / limit) * limit : 0
  const back = offset > total ? last : Math.max(0, offset - limit)
  return {
    first: { limit },
    last: limit > pageSize ? { offset: last, limit } : { offset: last },
    prev: offset > 0 ? { offset: back, limit } : null,
    next: offset + limit < total ? { offset: offset + limit, limit } : null,
  }
}
