import { fromText } from '../../../values/from-json.js'
import { assertReadable } from '../../relationship-capabilities.js'
import type { Relationship } from '../../rest-model.js'
import type { IdDefinition } from '../resource-id.js'
import { anyOf, negate, type FilterCondition, withExact, not } from './combine-conditions.js'
import { type Comparison, idsWhere } from './field-condition.js'
import { unsupportedOperator, parsedValue, type Subject } from './filter-errors.js'
import { isOperator, operatorSpec } from './filter-operators.js'
import type { Limits } from '../../../limits.js'
import { limitError } from '../request-errors.js'

/**
 * Returns a condition on a relationship itself: on the ids of related resources, or on whether related resources exist.
 * @param quantifier the quantifier for a to-many relationship
 */
export function relationshipCondition(
  relationship: Relationship,
  comparison: Comparison,
  quantifier?: Quantifier,
): FilterCondition {
  const { subject, operator, values } = comparison
  if (operator === undefined) return relatedIdCondition(relationship, comparison, quantifier)
  const { name, relation, linkage } = relationship
  const equality = isOperator(operator) ? operatorSpec(operator).equality : undefined
  if (equality) {
    const part = relatedIdCondition(relationship, comparison)
    return equality === 'not' ? negate(part) : part
  }
  if (operator !== 'isNull' || !relation.optional) {
    const more = relation.optional ? ' or "$isNull"' : relation.many ? ', "$isEmpty" or "$count"' : ''
    throw unsupportedOperator(subject, `"${name}" is a relationship. Compare it with an id, or use "$ne"${more}.`)
  }
  if (!linkage) assertReadable(relationship, subject.name)
  const wheres = values.map((text) => {
    const isNull = parsedValue(subject, fromText({ type: 'Boolean' }, text))
    return { [name]: isNull ? null : { isNot: null } }
  })
  return anyOf(wheres.map((where) => () => where))
}

/** Returns a condition on the id of a related resource. Requires no join if the row contains that id. */
function relatedIdCondition(
  relationship: Relationship,
  { subject, values }: Comparison,
  quantifier?: Quantifier,
): FilterCondition {
  const { target, relation, linkage } = relationship
  if (!linkage) {
    assertReadable(relationship, subject.name)
    const where = idsWhere(target.id, subject, values)
    return quantify(relationship, () => where, quantifier)
  }
  const foreignKeyId: IdDefinition = {
    ...target.id,
    fields: target.id.fields.map((id, index) => ({ ...id, name: linkage[index] ?? id.name })),
  }
  const where = idsWhere(foreignKeyId, subject, values)
  const empty = linkage.filter((name) => relation.nullableKeys.includes(name))
  if (empty.length === 0) return () => where
  const exactly = { AND: [where, ...empty.map((name) => ({ [name]: { not: null } }))] }
  return withExact(where, exactly)
}

/** The quantifier of a filter on a to-many relationship. */
type Quantifier = 'some' | 'every' | 'none'

/** Whether a string is a quantifier. */
export function isQuantifier(name: string): name is Quantifier {
  return name === 'some' || name === 'every' || name === 'none'
}

/**
 * Returns a condition on the related rows of a relationship.
 * @param condition the condition on the related rows; undefined matches any row
 * @param quantifier the quantifier for a to-many relationship; ignored for to-one relationships
 */
export function quantify(
  { name, relation }: Pick<Relationship, 'name' | 'relation'>,
  condition: FilterCondition | undefined,
  quantifier: Quantifier = 'some',
): FilterCondition {
  if (!relation.many) {
    if (condition?.opposite) return negate(quantify({ name, relation }, condition.opposite))
    return (dialect, exact) => ({ [name]: { is: condition ? condition(dialect, exact) : {} } })
  }
  // `every` requires an exact condition: SQL does not treat a row for which the condition is unknown as a counterexample.
  const isExact = quantifier === 'every'
  return (dialect) => ({ [name]: { [quantifier]: condition ? condition(dialect, isExact) : {} } })
}

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
