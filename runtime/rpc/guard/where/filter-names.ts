import type { ModelRelation } from '../../../schema/schema.js'
import { isToOneQuantifier } from '../../../schema/filter-ambiguity.js'
import type { Args } from '../arguments.js'

/** What joins several filters. */
export type Combinator = 'AND' | 'OR' | 'NOT'

/** Whether a member of a filter joins several filters. */
export function isCombinator(key: string): key is Combinator {
  return key === 'AND' || key === 'OR' || key === 'NOT'
}

/** What a filter of a to-many relation says of its rows. */
export const MANY_QUANTIFIERS: readonly string[] = ['some', 'every', 'none']

/** What a filter of a to-one relation may say of its row. */
export const ONE_QUANTIFIERS: readonly string[] = ['is', 'isNot']

/** Whether a relation's filter is made of quantifiers. One of a to-one relation may also be the filter of its row itself. */
export function isQuantified(relation: ModelRelation, filter: Args): boolean {
  return relation.many === true || isToOneQuantifier(relation, filter)
}
