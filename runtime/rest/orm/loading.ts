import type { Limits } from '../../limits.js'
import type { AdjustArgs } from '../../orm/computed-args.js'
import type { RestModel } from '../model.js'
import { tooManyIncludedError, tooManyListsError } from '../request/include.js'
import type { IncludedList } from '../request/included-lists.js'
import type { Row } from './row.js'
import type { SelectedRelationship, Selection } from './selection.js'

/** What loading needs to know. */
export interface Loading {
  readonly orm: unknown
  readonly adjust: AdjustArgs
  readonly cutLists: LoadLimitedLists | undefined
  readonly most: number
  /** How many rows may still be loaded. */
  left: number
  /** How many queries may still cut lists. */
  lists: number
  readonly limits: Limits
}

/**
 * Loads lists that are cut together.
 * @param keys of the rows that have the lists
 * @returns the members that are shown; one more of each list is in its row, where there is one. Undefined where each list has to be asked
 *   for by itself
 */
export type LoadLimitedLists = (
  loading: Loading,
  keys: readonly Row[],
  many: RelationBatch,
) => Promise<readonly Row[] | undefined>

/** Lists of one relation that are to be loaded. */
export interface RelationBatch extends Pick<SelectedRelationship, 'relationship' | 'list'> {
  readonly model: RestModel
  readonly included: Selection
  /** The fields that the keys consist of. */
  readonly owners: readonly string[]
  /** Notes a row as a member of the one whose key stands in these fields of a row, in the order of the key's own. */
  readonly place: (names: readonly string[], holder: Row, member: Row) => void
}

/** As many rows as show that there are too many. Nothing more is asked for once that is known of another relation. */
export function rowBudget({ left, most }: Loading, list: IncludedList | undefined): { readonly take?: number } {
  if (left < 0) throw tooManyIncludedError(most)
  const limit = Math.min(left, list?.limit ?? Infinity)
  return limit === Infinity ? {} : { take: limit + 1 }
}

/** @throws RequestError 400 where rows were loaded beyond what may be included */
export function consumeRows(loading: Loading, count: number): void {
  loading.left -= count
  if (loading.left < 0) throw tooManyIncludedError(loading.most)
}

/** @throws RequestError 400 where so many queries would cut lists that it takes too many */
export function consumeListQueries(loading: Loading, count: number): void {
  loading.lists -= count
  if (loading.lists < 0) throw tooManyListsError(loading.limits.includedLists)
}
