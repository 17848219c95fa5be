import type { Field } from '../../schema/resource.js'
import { fromText } from '../../values/from-text.js'
import { ANY_NULL, DB_NULL } from '../../values/null.js'
import { type Quantifier, quantify } from './filter/quantifiers.js'
import { anyOf, negated, type FilterCondition, type Where, orExactly } from './filter/condition.js'
import { invalidValue, missingOperator, type Subject, unsupportedOperator, parsedValue } from './filter/subject.js'
import { type IdDefinition, parseLenientId } from './id.js'
import type { NamedField, Relationship } from '../model.js'
import { type OperatorCondition, isOperator, type Operator, operatorsForField, operatorSpec } from './operators.js'
import { assertReadable } from '../permissions.js'
import { malformed } from './query.js'

/** What is said of a field or a relationship. */
export interface Comparison {
  readonly subject: Subject
  readonly values: readonly string[]
  readonly operator: string | undefined
}

/** A condition on a field of the rows. */
export function fieldCondition(
  { name, wire, field }: NamedField,
  { subject, values, operator }: Comparison,
): FilterCondition {
  if (operator !== undefined) return operatorPart({ name, wire, field }, operator, subject, values)
  if (field.list) {
    const operators = operatorsForField(field).map((known) => `$${known}`)
    throw unsupportedOperator(subject, `"${wire}" is a list. Its operators: ${operators.join(', ')}.`)
  }
  // A Json value holds commas of its own.
  if (field.type === 'Json') return jsonPart(name, field, subject)
  const read = values.map((text) => parsedValue(subject, fromText(field, text)))
  return knownPart(name, field, fieldWhere(name, field, read))
}

function operatorPart(
  { name, wire, field }: NamedField,
  operator: string,
  subject: Subject,
  values: readonly string[],
): FilterCondition {
  const possible = operatorsForField(field)
  if (!isOperator(operator) || !possible.includes(operator)) {
    const known = possible.map((one) => `$${one}`).join(', ')
    const plain = field.list
      ? ''
      : field.type === 'Json'
        ? 'Without an operator it is compared as a whole.'
        : `Without an operator it is compared for equality, with any of several values: "a,b".`
    const there = [known && `Its operators: ${known}.`, plain].filter(Boolean).join(' ')
    throw unsupportedOperator(subject, `"${wire}" has no operator "$${operator}". ${there}`)
  }
  const { equality } = operatorSpec(operator)
  if (!equality) {
    return anyOf(
      conditionsOf(operator, field, subject, values).map((one) => conditionPart(name, field, one, operator, subject)),
    )
  }
  const part = fieldCondition({ name, wire, field }, { subject, values, operator: undefined })
  return equality === 'not' ? negated(part) : part
}

function conditionsOf(
  operator: Operator,
  field: Field,
  subject: Subject,
  values: readonly string[],
): OperatorCondition[] {
  const spec = operatorSpec(operator)
  if (spec.values !== undefined && values.length !== spec.values) {
    throw malformed(subject, `"${operator}" takes ${spec.values} values, and there are ${values.length}.`)
  }
  const read = values.map((text) => parsedValue(subject, (spec.read ?? fromText)(field, text)))
  return spec.together ? [spec.condition(read, field)] : read.map((value) => spec.condition(value, field))
}

function conditionPart(
  name: string,
  field: Field,
  condition: OperatorCondition,
  operator: Operator,
  subject: Subject,
): FilterCondition {
  return (dialect, exact) => {
    const value = condition(dialect)
    if (value === undefined) throw missingOperator(subject, operator)
    const where = { [name]: value }
    return exact && !operatorSpec(operator).nullable ? known(name, field, where) : where
  }
}

function jsonPart(name: string, field: Field, subject: Subject): FilterCondition {
  const value = parsedValue(subject, fromText(field, subject.value))
  // Both nulls of a Json column are shown as the same.
  if (value === null) return () => ({ [name]: { equals: ANY_NULL } })
  return knownPart(name, field, { [name]: { equals: value } })
}

function knownPart(name: string, field: Field, where: Where): FilterCondition {
  const exactly = known(name, field, where)
  return orExactly(where, exactly)
}

/** The same condition, which is false and not unknown where there is no value. */
function known(name: string, { optional, list, type }: Field, where: Where): Where {
  // The database may hold no list, where the client shows an empty one.
  if (list) return { AND: [where, { NOT: { [name]: { equals: null } } }] }
  if (!optional) return where
  return { AND: [where, { [name]: { not: type === 'Json' ? DB_NULL : null } }] }
}

/** A condition on the id of the rows. */
export function idCondition(id: IdDefinition, comparison: Comparison): FilterCondition {
  const { subject, values, operator } = comparison
  const [only] = id.fields
  const equality = operator !== undefined && isOperator(operator) ? operatorSpec(operator).equality : undefined
  if (operator !== undefined && !equality) {
    if (id.compound || !only)
      throw unsupportedOperator(subject, 'A compound id has no operators but $ne, $in and $notIn.')
    return fieldCondition({ ...only, wire: 'id' }, comparison)
  }
  const where = idsWhere(id, subject, values)
  return equality === 'not' ? negated(() => where) : () => where
}

/**
 * A filter on a relationship itself: by the id of what is related, or by whether there is anything.
 * @param quantifier of how many members of a to-many relationship the ids must be
 */
export function relationshipCondition(
  relationship: Relationship,
  comparison: Comparison,
  quantifier?: Quantifier,
): FilterCondition {
  const { subject, operator, values } = comparison
  if (operator === undefined) return relatedPart(relationship, comparison, quantifier)
  const { name, relation, linkage } = relationship
  const equality = isOperator(operator) ? operatorSpec(operator).equality : undefined
  if (equality) {
    const part = relatedPart(relationship, comparison)
    return equality === 'not' ? negated(part) : part
  }
  if (operator !== 'isNull' || !relation.optional) {
    const more = relation.optional ? ', "$isNull"' : relation.many ? ', "$isEmpty", "$count"' : ''
    throw unsupportedOperator(
      subject,
      `"${name}" is a relationship: it is filtered by id, without an operator or with "$ne"${more}.`,
    )
  }
  if (!linkage) assertReadable(relationship, subject.name)
  const wheres = values.map((text) => {
    const isNull = parsedValue(subject, fromText({ type: 'Boolean' }, text))
    return { [name]: isNull ? null : { isNot: null } }
  })
  return anyOf(wheres.map((where) => () => where))
}

/** By the id of a related resource: without a join where the row holds it. */
function relatedPart(
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
  const own: IdDefinition = {
    ...target.id,
    fields: target.id.fields.map((id, index) => ({ ...id, name: linkage[index] ?? id.name })),
  }
  const where = idsWhere(own, subject, values)
  const empty = linkage.filter((name) => relation.nullableKeys.includes(name))
  if (empty.length === 0) return () => where
  const exactly = { AND: [where, ...empty.map((name) => ({ [name]: { not: null } }))] }
  return orExactly(where, exactly)
}

function idsWhere(id: IdDefinition, subject: Subject, texts: readonly string[]): Where {
  const ids = texts.map((text) => {
    const values = parseLenientId(id, text)
    if (!values) throw invalidValue(subject, 'is not an id of this type')
    return values
  })
  const [only] = id.fields
  if (!id.compound && only)
    return fieldWhere(
      only.name,
      only.field,
      ids.map((values) => values[only.name]),
    )
  const [first] = ids
  return ids.length === 1 && first ? first : { OR: ids }
}

/** A field that equals any of some values. */
function fieldWhere(name: string, field: Field, values: readonly unknown[]): Where {
  if (values.length === 1) return { [name]: { equals: values[0] } }
  // Prisma's Boolean filter has no `in`.
  if (field.type === 'Boolean') return { OR: values.map((value) => ({ [name]: { equals: value } })) }
  return { [name]: { in: [...values] } }
}
