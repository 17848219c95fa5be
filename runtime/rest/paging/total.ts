import type { Page } from '../request/page.js'

/**
 * Returns the total. If the page is not full, calculates the total from it. Otherwise, counts the rows.
 * @param rows the number of rows on the page
 */
export async function resolveTotal(
  { offset, limit }: Pick<Page, 'offset' | 'limit'>,
  rows: number,
  count: () => PromiseLike<unknown>,
): Promise<number> {
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows
  return Number(await count())
}
