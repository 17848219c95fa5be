import type { ModelRelation } from '../../../schema/model.js'
import { isToOneQuantifier } from '../../../schema/keyword-named-fields.js'
import type { Args } from '../argument-helpers.js'

/** The keys that combine filters. */
export type Combinator = 'AND' | 'OR' | 'NOT'

/** Whether a key of a filter combines filters. */
export function isCombinator(key: string): key is Combinator {
  return key === 'AND' || key === 'OR' || key === 'NOT'
}

/** The quantifiers in filters of to-many relations. */
export const MANY_QUANTIFIERS: readonly string[] = ['some', 'every', 'none']

/** The quantifiers in filters of to-one relations. */
export const ONE_QUANTIFIERS: readonly string[] = ['is', 'isNot']

/** Whether the filter of a relation consists of quantifiers. For a to-one relation, it may also be a filter on the related row itself. */
export function isQuantified(relation: ModelRelation, filter: Args): boolean {
  return relation.many === true || isToOneQuantifier(relation, filter)
}
