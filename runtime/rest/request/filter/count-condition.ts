import type { Relationship } from '../../rest-model.js'
import { type Subject, unsupportedOperator, parsedValue } from './filter-errors.js'
import { fromText } from '../../../values/from-text.js'
import { not, type FilterCondition } from './combine-conditions.js'
import { quantify } from './quantifiers.js'

/** A comparison operator for the number of related resources. */
export type CountOperator = 'equals' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'

/** Whether a string is a comparison operator for the number of related resources. */
export function isCountOperator(name: string): name is CountOperator {
  return ['equals', 'ne', 'lt', 'lte', 'gt', 'gte'].includes(name)
}

/** Comparisons that only test whether related resources exist, so the database does not need to count them. */
const NONE = ['equals 0', 'lt 1', 'lte 0']
const SOME = ['ne 0', 'gt 0', 'gte 1']

/**
 * Returns a condition on the number of related resources. Prisma's `where` cannot compare counts, so only comparisons that test for
 * existence are supported.
 * @throws RequestError 400 for other comparisons; 422 if the value is not a number
 */
export function countCondition(
  relationship: Relationship,
  operator: CountOperator,
  text: string,
  subject: Subject,
): FilterCondition {
  const { name, relation } = relationship
  if (!relation.many) throw unsupportedOperator(subject, `"${name}" is a to-one relationship and cannot be counted.`)
  const comparison = `${operator} ${String(parsedValue(subject, fromText({ type: 'Int' }, text)))}`
  const hasMembers = quantify(relationship, undefined)
  if (SOME.includes(comparison)) return hasMembers
  if (NONE.includes(comparison)) return not(hasMembers)
  throw unsupportedOperator(subject, `A filter can only test whether "${name}" is empty or not.`)
}

/** Returns the condition for `isEmpty` of a to-many relationship. */
export function isEmptyCondition(relationship: Relationship, text: string, subject: Subject): FilterCondition {
  const { name, relation } = relationship
  if (!relation.many) throw unsupportedOperator(subject, `"${name}" is a to-one relationship. Compare it with null.`)
  const hasMembers = quantify(relationship, undefined)
  return parsedValue(subject, fromText({ type: 'Boolean' }, text)) === true ? not(hasMembers) : hasMembers
}
