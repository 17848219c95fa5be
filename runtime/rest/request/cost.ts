import { type Limits, costLimitExceeded } from '../../limits.js'
import { filterCost, orderCost, FULL_TEXT_COST } from '../../orm/filter-cost.js'
import type { RestModel } from '../model.js'
import { limitError } from './limit-error.js'
import { parametersInFamily, type Query } from './query.js'

/** What the rows that were found are put in order by: their words were made to find them. */
const RANK = 20

/** What is asked of a collection. */
interface CostInput {
  /** What `filter` asks for, as Prisma takes it; undefined where there is none. */
  readonly filter: unknown
  /** What `sort` asks for. */
  readonly sorted: unknown
  /** Whether texts are searched, however many fields of a row are. */
  readonly isSearched?: boolean
  /** Whether rows come in the order in which they fit. */
  readonly isRanked?: boolean
  /** The points of other conditions and orders of the request. */
  readonly others: number
}

/**
 * Checks that the conditions and orders of a request do not cost more than `limits.filterCost`.
 * @returns the points of the filter and the order, without `others`
 * @throws RequestError 400
 */
export function assertCost(
  query: Query,
  { model }: RestModel,
  { filter, sorted, isSearched, isRanked, others }: CostInput,
  limits: Limits,
): number {
  const own =
    filterCost(model, filter) + (isSearched ? FULL_TEXT_COST : 0) + (isRanked ? RANK : 0) + orderCost(model, sorted)
  const cost = own + others
  if (cost <= limits.filterCost) return own
  const filters = parametersInFamily(query, 'filter')
  const [only] = filters
  const parameter = only ? (filters.length === 1 ? only.name : 'filter') : isSearched ? 'fullText' : 'sort'
  throw limitError('filterCost', costLimitExceeded(cost, limits), parameter)
}
