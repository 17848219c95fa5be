import type { Limits } from '../../../limits.js'
import type { Field } from '../../../schema/resource.js'
import { fromText } from '../../../values/from-json.js'
import { DB_NULL } from '../../../values/prisma-values.js'
import type { NamedField } from '../../rest-model.js'
import { malformedParameter } from '../query/parse-query.js'
import { type IdDefinition, parseLenientId } from '../resource-id.js'
import { anyOf, negate, type FilterCondition, type Where, withExact } from './combine-conditions.js'
import { invalidValue, missingOperator, type Subject, unsupportedOperator, parsedValue } from './filter-errors.js'
import {
  type OperatorCondition,
  isOperator,
  type Operator,
  operatorsForField,
  operatorSpec,
} from './filter-operators.js'

/** A comparison of a field or a relationship with values. */
export interface Comparison {
  readonly subject: Subject
  readonly values: readonly string[]
  readonly operator: string | undefined
}

/** Conditions on Json fields. Implemented by the feature `jsonFilters`. */
export interface JsonFilters {
  /**
   * Checks the value of a condition on a field of any type.
   * @param next the text after the field's name that is not an operator, if there is one
   * @throws RequestError 400 if a Json value is nested too deeply, or if `next` is a path into the value
   */
  readonly assertValid: (named: NamedField, comparison: Comparison, limits: Limits, next?: string) => void
  /** Returns the condition that the value of a Json field equals the value in the request. */
  readonly equals: (named: NamedField, subject: Subject) => FilterCondition
  /** Whether a field can be filtered by paths. */
  readonly hasPaths: (field: Field) => boolean
  /**
   * Returns a condition on a value inside a Json field.
   * @throws RequestError 400 or 422
   */
  readonly pathCondition: (
    named: NamedField,
    path: readonly string[],
    comparison: Comparison,
    limits: Limits,
  ) => FilterCondition
}

/**
 * Returns a condition on a field.
 * @param json required for Json fields
 */
export function fieldCondition(named: NamedField, comparison: Comparison, json?: JsonFilters): FilterCondition {
  const { name, wire, field } = named
  const { subject, values, operator } = comparison
  if (operator !== undefined) return operatorCondition(named, operator, comparison, json)
  if (field.list) {
    const operators = operatorsForField(field).map((supported) => `$${supported}`)
    throw unsupportedOperator(subject, `"${wire}" is a list. Its operators: ${operators.join(', ')}.`)
  }
  if (field.type === 'Json' && json) return json.equals(named, subject)
  const parsed = values.map((text) => parsedValue(subject, fromText(field, text)))
  return conditionExcludingNull(name, field, fieldWhere(name, field, parsed))
}

function operatorCondition(
  named: NamedField,
  operator: string,
  { subject, values }: Comparison,
  json: JsonFilters | undefined,
): FilterCondition {
  const { name, wire, field } = named
  const available = operatorsForField(field)
  if (!isOperator(operator) || !available.includes(operator)) {
    const operatorList = available.map((operatorName) => `$${operatorName}`).join(', ')
    const plain = field.list
      ? ''
      : field.type === 'Json'
        ? 'Without an operator, the whole value is compared.'
        : 'Without an operator, it matches any of the given values: "a,b".'
    const hint = [operatorList && `Its operators: ${operatorList}.`, plain].filter(Boolean).join(' ')
    throw unsupportedOperator(subject, `"${wire}" has no operator "$${operator}". ${hint}`)
  }
  const { equality } = operatorSpec(operator)
  if (!equality) {
    return anyOf(
      createConditions(operator, field, subject, values).map((condition) =>
        toFilterCondition(name, field, condition, operator, subject),
      ),
    )
  }
  const part = fieldCondition(named, { subject, values, operator: undefined }, json)
  return equality === 'not' ? negate(part) : part
}

function createConditions(
  operator: Operator,
  field: Field,
  subject: Subject,
  values: readonly string[],
): OperatorCondition[] {
  const spec = operatorSpec(operator)
  if (spec.values !== undefined && values.length !== spec.values) {
    throw malformedParameter(subject, `"${operator}" requires ${spec.values} values, but has ${values.length}.`)
  }
  const parsed = values.map((text) => parsedValue(subject, (spec.read ?? fromText)(field, text)))
  return spec.together ? [spec.condition(parsed, field)] : parsed.map((value) => spec.condition(value, field))
}

function toFilterCondition(
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
    return exact && !operatorSpec(operator).nullable ? excludeNull(name, field, where) : where
  }
}

/** Returns a condition that, if it must be exact, is false instead of unknown if the field has no value. */
export function conditionExcludingNull(name: string, field: Field, where: Where): FilterCondition {
  const exactly = excludeNull(name, field, where)
  return withExact(where, exactly)
}

/** Extends a condition so that it is false instead of unknown if the field has no value. */
function excludeNull(name: string, { optional, list, type }: Field, where: Where): Where {
  // The database may store NULL for a list that the client shows as empty.
  if (list) return { AND: [where, { NOT: { [name]: { equals: null } } }] }
  if (!optional) return where
  return { AND: [where, { [name]: { not: type === 'Json' ? DB_NULL : null } }] }
}

/** Returns a condition on the id. */
export function idCondition(id: IdDefinition, comparison: Comparison): FilterCondition {
  const { subject, values, operator } = comparison
  const [only] = id.fields
  const equality = operator !== undefined && isOperator(operator) ? operatorSpec(operator).equality : undefined
  if (operator !== undefined && !equality) {
    if (id.compound || !only) throw unsupportedOperator(subject, 'A compound id supports only $ne, $in and $notIn.')
    return fieldCondition({ ...only, wire: 'id' }, comparison)
  }
  const where = idsWhere(id, subject, values)
  return equality === 'not' ? negate(() => where) : () => where
}

/** Returns a filter for rows with one of the given ids. */
export function idsWhere(id: IdDefinition, subject: Subject, texts: readonly string[]): Where {
  const ids = texts.map((text) => {
    const values = parseLenientId(id, text)
    if (!values) throw invalidValue(subject, 'is not a valid id of this type')
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

/** Returns a filter for rows whose field equals one of the values. */
function fieldWhere(name: string, field: Field, values: readonly unknown[]): Where {
  if (values.length === 1) return { [name]: { equals: values[0] } }
  // Prisma's Boolean filter has no `in`.
  if (field.type === 'Boolean') return { OR: values.map((value) => ({ [name]: { equals: value } })) }
  return { [name]: { in: [...values] } }
}
