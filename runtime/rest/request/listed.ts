import type { RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import { requireLowCost } from './cost.js'
import { readFilter } from './filter.js'
import type { Where } from './filter/part.js'
import { readFullText } from './full-text.js'
import type { Page } from './page.js'
import { ofFamily, type Query } from './query.js'
import { type OrderBy, readSort } from './sort.js'

/** Which resources a collection is asked for, in which order: as Prisma takes it. */
export interface Listed {
  /** Absent for all. */
  readonly where?: Where
  readonly orderBy: readonly OrderBy[]
}

/**
 * Reads `filter`, `fullText` and `sort`. What is searched for comes in the order in which it fits, unless `sort` says another.
 * @param page whose total the answer tells, or does not
 * @throws RequestError 400, 403 or 422
 */
export function readListed(
  query: Query,
  model: RestModel,
  { total }: Pick<Page, 'total'>,
  context: RestContext,
): Listed {
  const { limits } = context.settings
  const filter = readFilter(query, model, limits)?.(context.dialect)
  const fullText = readFullText(query, model, limits, context.dialect)
  const sorted = readSort(query, model, limits)
  const isRanked = fullText !== undefined && ofFamily(query, 'sort').length === 0
  const asked = { filter, sorted, isSearched: fullText !== undefined, isRanked, isCounted: total !== 'none' }
  requireLowCost(query, model, asked, limits)
  const orderBy = isRanked ? [fullText.order, ...sorted] : sorted
  const where = filter && fullText ? { AND: [filter, fullText.where] } : (filter ?? fullText?.where)
  return where ? { where, orderBy } : { orderBy }
}
