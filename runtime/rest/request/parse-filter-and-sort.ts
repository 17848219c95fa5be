import type { RestContext } from '../rest-context.js'
import type { RestModel } from '../rest-model.js'
import { assertCost } from './assert-cost.js'
import { parseFilter } from './parse-filter.js'
import type { Where } from './filter/combine-conditions.js'
import { parseFullText } from './parse-full-text.js'
import { type Include, includeCost } from './parse-include.js'
import { parametersInFamily, type Query } from './parse-query.js'
import { type OrderBy, parseSort } from './parse-sort.js'

/** The filter and sort order of a collection in Prisma's format. */
export interface FilterAndSort {
  /** Undefined for all rows. */
  readonly where?: Where
  readonly orderBy: readonly OrderBy[]
}

/**
 * Parses `filter`, `fullText` and `sort`. Results of a full-text search are sorted by relevance unless `sort` is given.
 * @param include the included lists, whose filters and sort orders count toward the same cost limit
 * @throws RequestError 400, 403 or 422
 */
export function parseFilterAndSort(
  query: Query,
  model: RestModel,
  include: Include,
  context: RestContext,
): FilterAndSort {
  const { limits } = context.settings
  const filter = parseFilter(query, model, limits)?.(context.dialect)
  const fullText = parseFullText(query, model, limits, context.dialect)
  const sorted = parseSort(query, model, limits)
  const isRanked = fullText !== undefined && parametersInFamily(query, 'sort').length === 0
  const costInput = { filter, sorted, isSearched: fullText !== undefined, isRanked, others: includeCost(include) }
  assertCost(query, model, costInput, limits)
  const orderBy = isRanked ? [fullText.order, ...sorted] : sorted
  const where = filter && fullText ? { AND: [filter, fullText.where] } : (filter ?? fullText?.where)
  return where ? { where, orderBy } : { orderBy }
}
