import { tooManyIncludedError, tooManyListsError } from '../request/limit-error.js'
import type { IncludedList } from '../request/included-list.js'
import type { Loading } from './loading-types.js'

/**
 * Returns a `take` of one more row than may still be loaded. The extra row reveals that the limit is exceeded.
 * @throws RequestError 400 if other relations have already exceeded the limit
 */
export function rowBudget({ left, maxRows }: Loading, list: IncludedList | undefined): { readonly take?: number } {
  if (left < 0) throw tooManyIncludedError(maxRows)
  const limit = Math.min(left, list?.limit ?? Infinity)
  return limit === Infinity ? {} : { take: limit + 1 }
}

/** @throws RequestError 400 if more rows were loaded than may be included */
export function consumeRows(loading: Loading, count: number): void {
  loading.left -= count
  if (loading.left < 0) throw tooManyIncludedError(loading.maxRows)
}

/** @throws RequestError 400 if limited lists require more queries than allowed */
export function consumeListQueries(loading: Loading, count: number): void {
  loading.lists -= count
  if (loading.lists < 0) throw tooManyListsError(loading.limits.includedLists)
}
