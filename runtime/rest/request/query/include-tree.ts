import type { RestModel } from '../../rest-model.js'
import type { Row } from '../../orm/row.js'
import type { OrderBy } from './parse-sort.js'

/** The relations to include, as a tree, by name. */
export type IncludeTree = ReadonlyMap<string, IncludeNode>

/** A relation to include. */
export interface IncludeNode {
  /** The relations to include for its resources. */
  readonly nested: IncludeTree
  /** The parameters of the included list. Set by the feature `includedLists`. Undefined if all members are included. */
  list: IncludedList | undefined
}

/** The parsed `include`. Undefined if the parameter is missing, which differs from an empty value. */
export type Include = IncludeTree | undefined

/** A link of a relationship: its name, and its path below the URL of the resource. */
export type RelationshipLink = readonly [name: string, path: string]

/** The JSON of a relationship's `links`, split at the places where the resource's own URL is inserted. */
export interface LinksJson {
  /** Empty if no route serves the relationship. */
  readonly links: readonly string[]
  /** `links` for a truncated list, with a link to the next page. */
  readonly nextLinks: readonly string[]
}

/** The members of an included list that a resource contains. */
export interface ListedMembers {
  /** The resource identifiers as JSON. */
  readonly identifiers: readonly string[]
  /** Whether the list has more members. */
  readonly isTruncated: boolean
}

/** The parsed parameters of an included list. Created by the feature `includedLists`. */
export interface IncludedList {
  /** Filters the members. Default: all. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Sorts the members. Default: by id. */
  readonly orderBy?: readonly OrderBy[]
  /** Maximum number of members. Default: all. */
  readonly limit?: number
  /** The cost of the filter and the sort order, in points. */
  readonly cost: number
  /** Adds the parameters to the links of the relationship. */
  readonly formatLinks: (links: readonly RelationshipLink[]) => LinksJson
  /**
   * Returns the members that a resource contains.
   * @param rows the loaded members, with the next member if there is one
   * @param before the members that the resource already contains, because another include path includes the same list
   */
  readonly collect: (
    rows: readonly Row[],
    toIdentifier: (row: Row) => string,
    before: ListedMembers | undefined,
  ) => ListedMembers
  /** Returns the member of the relationship's `meta` that states whether the list has more members. Empty without a limit. */
  readonly formatMore: (isTruncated: boolean) => string
}

/** The relations that a request includes. */
export interface IncludedRelations {
  readonly tree: IncludeTree
  /** The model at which the paths of the tree start. */
  readonly model: RestModel
  /** Converts a path in the request to a path in the tree. */
  readonly toTreePath: (path: readonly string[]) => readonly string[]
}
