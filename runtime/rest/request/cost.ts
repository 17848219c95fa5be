import { RequestError } from '../../errors/request-error.js'
import { beyond, FILTER_COST_POINTS, type Limits } from '../../limits.js'
import { filterCost, orderCost } from '../../orm/filter-cost.js'
import type { RestModel } from '../model.js'
import { ofFamily, type Query } from './query.js'

/**
 * Refuses a filter and an order that together would make the database look at its rows too often.
 * @param where what `filter` asks for, as Prisma takes it; undefined where there is none
 * @throws RequestError 400
 */
export function requireLowCost(
  query: Query,
  { model }: RestModel,
  where: unknown,
  orderBy: unknown,
  limits: Limits,
): void {
  const most = limits.filterCost
  if (most === Infinity) return
  const cost = filterCost(model, where) + orderCost(model, orderBy)
  if (cost <= most) return
  const filters = ofFamily(query, 'filter')
  const [only] = filters
  const parameter = only ? (filters.length === 1 ? only.name : 'filter') : 'sort'
  const detail = `Filters and the order must not cost more than ${most} points, and would cost ${cost}: ${FILTER_COST_POINTS}.`
  throw new RequestError({ code: 'limit-exceeded', detail: beyond('filterCost', detail), source: { parameter } })
}
