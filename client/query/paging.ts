import type { PlainObject } from './impact/graph.js'

/** How the next page is requested: after the last loaded row, or by skipping the number of loaded rows. */
export type Paging = 'cursor' | 'skip'

/** Arguments that each page after the first adds to those of the query. */
export interface PageParam {
  readonly cursor?: object
  readonly skip?: number
}

/**
 * Creates the `getNextPageParam` of an infinite query.
 * @throws TypeError if `take`, the page size, is missing
 */
export function nextPage(id: readonly string[], paging: Paging, { take, skip }: PlainObject) {
  if (typeof take !== 'number' || take < 1) throw new TypeError('infiniteQueryOptions requires "take", the page size.')
  return (page: readonly PlainObject[], pages: readonly (readonly PlainObject[])[]): PageParam | undefined => {
    const last = page.at(-1)
    if (!last || page.length < take) return undefined
    if (paging === 'skip') return { skip: pages.reduce((sum, { length }) => sum + length, Number(skip ?? 0)) }
    const entries = id.map((name) => [name, last[name]] as const)
    if (entries.some(([, value]) => value === undefined)) {
      throw new TypeError(
        `The next page requires the id of the last row (${id.join(', ')}). Select it, or set paging: 'skip'.`,
      )
    }
    const row = Object.fromEntries(entries)
    return { cursor: id.length > 1 ? { [id.join('_')]: row } : row, skip: 1 }
  }
}
