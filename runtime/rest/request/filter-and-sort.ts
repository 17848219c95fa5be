import type { Where } from './filter/combine-conditions.js'
import type { OrderBy } from './parse-sort.js'

/** The filter and sort order of a collection in Prisma's format. */
export interface FilterAndSort {
  /** Undefined for all rows. */
  readonly where?: Where
  readonly orderBy: readonly OrderBy[]
}
