import type { Members } from './impact/graph.js'

/** How further pages are found: after the last row that is known, or by how many rows are known. */
export type Paging = 'cursor' | 'skip'

/** What a further page has beside the arguments of the first one. */
export interface PageParam {
  readonly cursor?: object
  readonly skip?: number
}

/**
 * Makes what tells where the next page begins.
 * @throws TypeError where the arguments do not say how long a page is
 */
export function nextPage(id: readonly string[], paging: Paging, { take, skip }: Members) {
  if (typeof take !== 'number' || take < 1)
    throw new TypeError('infiniteQueryOptions needs take: how many rows a page has.')
  return (page: readonly Members[], pages: readonly (readonly Members[])[]): PageParam | undefined => {
    const last = page.at(-1)
    if (!last || page.length < take) return undefined
    if (paging === 'skip') return { skip: pages.reduce((sum, { length }) => sum + length, Number(skip ?? 0)) }
    const entries = id.map((name) => [name, last[name]] as const)
    if (entries.some(([, value]) => value === undefined)) {
      throw new TypeError(
        `The next page begins after a row with its ${id.join(' and ')}: select that too, or say paging: 'skip'.`,
      )
    }
    const row = Object.fromEntries(entries)
    return { cursor: id.length > 1 ? { [id.join('_')]: row } : row, skip: 1 }
  }
}
