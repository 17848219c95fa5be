import { type Limits, costLimitMessage } from '../../../limits.js'
import { filterCost, orderCost, FULL_TEXT_COST } from '../../../prisma/filter-cost.js'
import type { RestContext } from '../../rest-context.js'
import type { RestModel } from '../../rest-model.js'
import { limitError } from '../request-errors.js'
import type { Include } from './include-tree.js'
import { parseFilter } from '../filter/parse-filter.js'
import { parametersInFamily, type Query } from './parse-query.js'
import { type FilterAndSort, parseSort } from './parse-sort.js'

/**
 * Parses `filter`, `sort` and, with its feature, `fullText`. Results of a full-text search are sorted by relevance unless `sort` is given.
 * @param include the included lists, whose filters and sort orders count toward the same cost limit
 * @throws RequestError 400, 403 or 422
 */
export function parseFilterAndSort(
  query: Query,
  model: RestModel,
  include: Include,
  context: RestContext,
): FilterAndSort {
  const { settings, dialect } = context
  const { limits, features } = settings
  const filter = parseFilter(query, model, settings)?.(dialect)
  const fullText = features.fullText?.parse(query, model, settings, dialect)
  const sorted = parseSort(query, model, limits)
  const isRanked = fullText !== undefined && parametersInFamily(query, 'sort').length === 0
  const others = features.includedLists?.cost(include) ?? 0
  const costInput = { filter, sorted, isSearched: fullText !== undefined, isRanked, others }
  assertCost(query, model, costInput, limits)
  const orderBy = isRanked ? [fullText.order, ...sorted] : sorted
  const where = filter && fullText ? { AND: [filter, fullText.where] } : (filter ?? fullText?.where)
  return where ? { where, orderBy } : { orderBy }
}

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
  const parameter = filters.length > 1 ? 'filter' : (filters[0]?.name ?? (isSearched ? 'fullText' : 'sort'))
  throw limitError('filterCost', costLimitMessage(cost, limits), parameter)
}
