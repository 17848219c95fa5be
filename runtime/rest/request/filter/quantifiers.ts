import type { Relationship } from '../../model.js'
import { malformed } from '../query.js'
import { type Subject, unsupportedOperator, parsedValue } from './subject.js'
import { fromText } from '../../../values/from-text.js'
import { negated, not, type FilterCondition } from './condition.js'

/** What a filter of a to-many relationship says of its members. */
export type Quantifier = 'some' | 'every' | 'none'

/** Whether a text names a quantifier. */
export function isQuantifier(name: string): name is Quantifier {
  return name === 'some' || name === 'every' || name === 'none'
}

/**
 * A condition on what a relationship leads to.
 * @param condition on the related rows; undefined for any
 * @param quantifier of how many members it must hold; of a to-one relationship there is nothing to say
 */
export function quantify(
  { name, relation }: Pick<Relationship, 'name' | 'relation'>,
  condition: FilterCondition | undefined,
  quantifier: Quantifier = 'some',
): FilterCondition {
  if (!relation.many) {
    if (condition?.opposite) return negated(quantify({ name, relation }, condition.opposite))
    return (dialect, exact) => ({ [name]: { is: condition ? condition(dialect, exact) : {} } })
  }
  // A member of which the database does not know whether it holds would be none that does not hold.
  const isExact = quantifier === 'every'
  return (dialect) => ({ [name]: { [quantifier]: condition ? condition(dialect, isExact) : {} } })
}

/** How the number of members is compared. */
export type CountOperator = 'equals' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'

/** Whether a text names a comparison of counts. */
export function isCountOperator(name: string): name is CountOperator {
  return ['equals', 'ne', 'lt', 'lte', 'gt', 'gte'].includes(name)
}

/** The comparisons that ask whether there are members at all, with what they are compared with: the database need not count for them. */
const NONE = ['equals 0', 'lt 1', 'lte 0']
const SOME = ['ne 0', 'gt 0', 'gte 1']

/**
 * A condition on how many members there are. Prisma's `where` has no counts: the only ones that it can be asked for in one query are
 * whether there is any.
 * @throws RequestError 400 for all other numbers; 422 for what is no number
 */
export function countCondition(
  relationship: Relationship,
  operator: CountOperator,
  text: string,
  subject: Subject,
): FilterCondition {
  const { name, relation } = relationship
  if (!relation.many) throw unsupportedOperator(subject, `"${name}" leads to one resource: there is nothing to count.`)
  const comparison = `${operator} ${String(parsedValue(subject, fromText({ type: 'Int' }, text)))}`
  const any = quantify(relationship, undefined)
  if (SOME.includes(comparison)) return any
  if (NONE.includes(comparison)) return not(any)
  throw unsupportedOperator(subject, `The members of "${name}" can only be tested for existence.`)
}

/** `isEmpty` of a to-many relationship: whether it has no members. */
export function isEmptyCondition(relationship: Relationship, text: string, subject: Subject): FilterCondition {
  const { name, relation } = relationship
  if (!relation.many) throw unsupportedOperator(subject, `"${name}" leads to one resource: see whether it is null.`)
  const any = quantify(relationship, undefined)
  return parsedValue(subject, fromText({ type: 'Boolean' }, text)) === true ? not(any) : any
}

/** The one value of a parameter that takes no list. */
export function singleValue(values: readonly string[], subject: Subject): string {
  const [only] = values
  if (only === undefined || values.length > 1) throw malformed(subject, 'It takes one value.')
  return only
}
