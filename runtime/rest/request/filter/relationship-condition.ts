import { fromText } from '../../../values/from-text.js'
import { type Quantifier, quantify } from './quantifiers.js'
import { anyOf, negate, type FilterCondition, withExact } from './combine-conditions.js'
import { unsupportedOperator, parsedValue } from './filter-errors.js'
import type { IdDefinition } from '../resource-id.js'
import type { Relationship } from '../../rest-model.js'
import { isOperator, operatorSpec } from './filter-operators.js'
import { assertReadable } from '../../relationship-capabilities.js'
import { type Comparison, idsWhere } from './field-condition.js'

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
    throw unsupportedOperator(
      subject,
      `"${name}" is a relationship. Compare it with an id without an operator, or use "$ne"${more}.`,
    )
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
