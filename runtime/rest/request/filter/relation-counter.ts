import type { Limits } from '../../../limits.js'
import { limitError } from '../request-errors.js'
import type { Relationship } from '../../rest-model.js'

/** Counts the relationships that a request's filters traverse. Shared by all filters of the request. */
export interface RelationCounter {
  /** The number of traversed relationships. */
  count: number
}

/**
 * Counts one step into a relationship.
 * @param depth the number of to-many relationships before this step
 * @param parameter the name of the parameter
 * @returns the number of to-many relationships including this step
 * @throws RequestError 400 if the filters traverse too many relationships for a database to plan the query in time
 */
export function enterRelation(
  { relation }: Relationship,
  counter: RelationCounter,
  depth: number,
  { toManyDepth, filterRelations }: Limits,
  parameter: string,
): number {
  const nextDepth = relation.many ? depth + 1 : depth
  if (nextDepth > toManyDepth) {
    throw limitError(
      'toManyDepth',
      `A filter can traverse at most ${toManyDepth} nested to-many relationships.`,
      parameter,
    )
  }
  if (++counter.count > filterRelations) {
    throw limitError(
      'filterRelations',
      `Filters can traverse relationships at most ${filterRelations} times.`,
      parameter,
    )
  }
  return nextDepth
}
