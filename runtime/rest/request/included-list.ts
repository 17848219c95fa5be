import type { Relationship } from '../rest-model.js'
import type { Parameter } from './parse-query.js'
import type { OrderBy } from './parse-sort.js'

/** The parsed parameters of an included list: `includeFilter`, `includeSort` and `includePage` with the path of the list. */
export interface IncludedList {
  /** Filters the members. Default: all. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Sorts the members. Default: by id. */
  readonly orderBy?: readonly OrderBy[]
  /** Maximum number of members. Default: all. */
  readonly limit?: number
  /** The cost of the filter and the sort order, in points. */
  readonly cost: number
  /** The equivalent parameters of the related collection, without the limit. */
  readonly parameters: readonly NamedValue[]
}

/** The name and the value of a query parameter. */
export type NamedValue = Pick<Parameter, 'name' | 'value'>

/** The relations that a request includes. */
export interface IncludedRelations {
  /** Returns the relation at a path such as `posts.comments`. Undefined if it is not included. */
  readonly find: (path: string) => IncludedRelation | undefined
  /** Returns the total cost of the lists parsed so far, in points. */
  readonly cost: () => number
}

/** A relation that a request includes. The feature `includedLists` sets `node.list`. */
export interface IncludedRelation {
  readonly relationship: Relationship
  readonly node: { list: IncludedList | undefined }
}
