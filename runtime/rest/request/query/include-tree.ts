import type { Relationship } from '../../rest-model.js'
import type { Parameter } from './parse-query.js'
import type { OrderBy } from './parse-sort.js'

/** The relations to include, as a tree, by name. */
export type IncludeTree = ReadonlyMap<string, IncludeNode>

/** A relation to include. */
export interface IncludeNode {
  /** The relations to include for its resources. */
  readonly nested: IncludeTree
  /** The parameters of the included list. Undefined if all members are included. */
  readonly list: IncludedList | undefined
}

/** The parsed `include`. Undefined if the parameter is missing, which differs from an empty value. */
export type Include = IncludeTree | undefined

/** Returns the total cost of the filters and sort orders of included lists, in points. */
export function includeCost(include: Include): number {
  let cost = 0
  for (const { list, nested } of include?.values() ?? []) cost += (list?.cost ?? 0) + includeCost(nested)
  return cost
}

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
