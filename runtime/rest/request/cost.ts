import { type Limits, costLimitExceeded } from '../../limits.js'
import { filterCost, orderCost, FULL_TEXT_COST } from '../../orm/filter-cost.js'
import type { RestModel } from '../model.js'
import { limitError } from './limit-error.js'
import { parametersInFamily, type Query } from './query.js'

/** What the rows that were found are put in order by: their words were made to find them. */
const RANK = 20

/** What is asked of a collection. */
interface Asked {
  /** What `filter` asks for, as Prisma takes it; undefined where there is none. */
  readonly filter: unknown
  /** What `sort` asks for. */
  readonly sorted: unknown
  /** Whether texts are searched, however many fields of a row are. */
  readonly isSearched?: boolean
  /** Whether rows come in the order in which they fit. */
  readonly isRanked?: boolean
  /** Whether `meta.total` is told: for that, the database is asked the filter once more where the page does not tell. */
  readonly isCounted: boolean
}

/**
 * Refuses a filter and an order that together would make the database look at its rows too often.
 * @throws RequestError 400
 */
export function assertCost(
  query: Query,
  { model }: RestModel,
  { filter, sorted, isSearched, isRanked, isCounted }: Asked,
  limits: Limits,
): void {
  const found = filterCost(model, filter) + (isSearched ? FULL_TEXT_COST : 0)
  const cost = (isCounted ? 2 : 1) * found + (isRanked ? RANK : 0) + orderCost(model, sorted)
  if (cost <= limits.filterCost) return
  const filters = parametersInFamily(query, 'filter')
  const [only] = filters
  const parameter = only ? (filters.length === 1 ? only.name : 'filter') : isSearched ? 'fullText' : 'sort'
  throw limitError('filterCost', costLimitExceeded(cost, limits), parameter)
}
