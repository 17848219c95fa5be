import type { RestContext } from '../rest-context.js'
import type { RestModel } from '../rest-model.js'
import { assertCost } from './assert-cost.js'
import { parseFilter } from './parse-filter.js'
import type { FilterAndSort } from './filter-and-sort.js'
import { type Include, includeCost } from './include-tree.js'
import { parametersInFamily, type Query } from './parse-query.js'
import { parseSort } from './parse-sort.js'

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
  const costInput = { filter, sorted, isSearched: fullText !== undefined, isRanked, others: includeCost(include) }
  assertCost(query, model, costInput, limits)
  const orderBy = isRanked ? [fullText.order, ...sorted] : sorted
  const where = filter && fullText ? { AND: [filter, fullText.where] } : (filter ?? fullText?.where)
  return where ? { where, orderBy } : { orderBy }
}
