import { type Limits, tooDear } from '../../limits.js'
import { filterCost, orderCost } from '../../orm/filter-cost.js'
import type { RestModel } from '../model.js'
import { beyondLimit } from './beyond-limit.js'
import { ofFamily, type Query } from './query.js'

/** A collection asks its filter of the database twice: for the page, and for `meta.total` where the page does not tell it. */
const ASKED = 2

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
  const cost = ASKED * filterCost(model, where) + orderCost(model, orderBy)
  if (cost <= limits.filterCost) return
  const filters = ofFamily(query, 'filter')
  const [only] = filters
  const parameter = only ? (filters.length === 1 ? only.name : 'filter') : 'sort'
  throw beyondLimit('filterCost', tooDear(cost, limits), parameter)
}
