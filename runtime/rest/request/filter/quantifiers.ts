import type { Relationship } from '../../rest-model.js'
import { negate, type FilterCondition } from './combine-conditions.js'

/** The quantifier of a filter on a to-many relationship. */
export type Quantifier = 'some' | 'every' | 'none'

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
