import type { Limits } from '../../limits.js'
import type { AdjustArgs } from '../../prisma/computed-fields.js'
import type { RestModel } from '../rest-model.js'
import type { Row } from './row.js'
import type { SelectedRelationship, Selection } from './selection.js'

/** The state and context in which included rows are loaded. */
export interface Loading {
  readonly orm: unknown
  readonly adjust: AdjustArgs
  readonly loadLimited: LoadLimitedLists | undefined
  readonly joinLists: JoinLimitedLists | undefined
  readonly maxRows: number
  /** The number of rows that may still be loaded. */
  left: number
  /** The number of queries for limited lists that may still run. */
  lists: number
  readonly limits: Limits
}

/** Loads the members of lists. Each key is that of a row that has one of the lists. */
export type LoadMembers = (loading: Loading, keys: readonly Row[], batch: RelationBatch) => Promise<readonly Row[]>

/**
 * Loads limited lists. Prisma would read all members of all rows before it applies the limit.
 * @param load loads the members of lists without their limits
 * @returns the members to include; each row's list also contains the next member, if there is one
 */
export type LoadLimitedLists = (
  loading: Loading,
  keys: readonly Row[],
  batch: RelationBatch,
  load: LoadMembers,
) => Promise<readonly Row[]>

/**
 * Loads multiple limited lists together, with joins.
 * @param keys the keys of the rows that have the lists
 * @returns like {@link LoadLimitedLists}. Undefined if each list requires its own query
 */
export type JoinLimitedLists = (
  loading: Loading,
  keys: readonly Row[],
  batch: RelationBatch,
) => Promise<readonly Row[] | undefined>

/** The lists of one relation to load. */
export interface RelationBatch extends Pick<SelectedRelationship, 'relationship' | 'list'> {
  readonly model: RestModel
  readonly included: Selection
  /** The fields that the keys consist of. */
  readonly owners: readonly string[]
  /** Adds a member to the list of its owner. The named fields of `owner` contain the owner's key, in the order of the key's fields. */
  readonly addMember: (names: readonly string[], owner: Row, member: Row) => void
}
