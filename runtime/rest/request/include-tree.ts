import type { IncludedList } from './included-list.js'

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
