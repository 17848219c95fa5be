import type { Limits } from '../../../limits.js'
import { limitError } from '../limit-error.js'
import type { Relationship } from '../../model.js'

/** How far the filters of a request have reached into relationships. One for all of its filters. */
export interface RelationDepth {
  /** How many times. */
  count: number
}

/**
 * Takes one step into a relationship.
 * @param many through how many to-many relationships the step's own place was reached
 * @param parameter the name of the parameter that takes it
 * @returns through how many the other end is reached
 * @throws RequestError 400 for more than a database can plan a query for
 */
export function enterRelation(
  { relation }: Relationship,
  reach: RelationDepth,
  many: number,
  { toManyDepth, filterRelations }: Limits,
  parameter: string,
): number {
  const below = relation.many ? many + 1 : many
  if (below > toManyDepth) {
    throw limitError(
      'toManyDepth',
      `A filter can reach through at most ${toManyDepth} to-many relationships.`,
      parameter,
    )
  }
  if (++reach.count > filterRelations) {
    throw limitError(
      'filterRelations',
      `Filters can reach into relationships at most ${filterRelations} times.`,
      parameter,
    )
  }
  return below
}
