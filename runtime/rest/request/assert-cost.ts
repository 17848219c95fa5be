import { type Limits, costLimitMessage } from '../../limits.js'
import { filterCost, orderCost, FULL_TEXT_COST } from '../../prisma/filter-cost.js'
import type { RestModel } from '../rest-model.js'
import { limitError } from './limit-error.js'
import { parametersInFamily, type Query } from './parse-query.js'

/** Cost of sorting the matching rows by relevance, in points. Low, because the search has already extracted their words. */
const RANK = 20

/** The conditions and sort orders of a request for a collection. */
interface CostInput {
  /** Prisma's `where` from `filter`. Undefined without a filter. */
  readonly filter: unknown
  /** Prisma's `orderBy` from `sort`. */
  readonly sorted: unknown
  /** Whether the request contains a full-text search. Its cost does not depend on the number of fields. */
  readonly isSearched?: boolean
  /** Whether rows are sorted by relevance. */
  readonly isRanked?: boolean
  /** The cost of other conditions and sort orders in the request, in points. */
  readonly others: number
}

/**
 * Checks that the conditions and sort orders of a request cost at most `limits.filterCost`.
 * @returns the cost of the filter and the sort order in points, without `others`
 * @throws RequestError 400 if they cost more
 */
export function assertCost(
  query: Query,
  { model }: RestModel,
  { filter, sorted, isSearched, isRanked, others }: CostInput,
  limits: Limits,
): number {
  const listCost =
    filterCost(model, filter) + (isSearched ? FULL_TEXT_COST : 0) + (isRanked ? RANK : 0) + orderCost(model, sorted)
  const cost = listCost + others
  if (cost <= limits.filterCost) return listCost
  const filters = parametersInFamily(query, 'filter')
  const [only] = filters
  const parameter = only ? (filters.length === 1 ? only.name : 'filter') : isSearched ? 'fullText' : 'sort'
  throw limitError('filterCost', costLimitMessage(cost, limits), parameter)
}
