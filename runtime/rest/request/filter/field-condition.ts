import type { Limits } from '../../../limits.js'
import type { Field } from '../../../schema/resource.js'
import { fromText } from '../../../values/from-json.js'
import { ANY_NULL, DB_NULL } from '../../../values/prisma-values.js'
import type { NamedField } from '../../rest-model.js'
import { limitError } from '../request-errors.js'
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

/** Returns a condition on a field. */
export function fieldCondition(
  { name, wire, field }: NamedField,
  { subject, values, operator }: Comparison,
): FilterCondition {
  if (operator !== undefined) return operatorCondition({ name, wire, field }, operator, subject, values)
  if (field.list) {
    const operators = operatorsForField(field).map((supported) => `$${supported}`)
    throw unsupportedOperator(subject, `"${wire}" is a list. Its operators: ${operators.join(', ')}.`)
  }
  // A Json value may contain commas.
  if (field.type === 'Json') return jsonCondition(name, field, subject)
  const parsed = values.map((text) => parsedValue(subject, fromText(field, text)))
  return conditionExcludingNull(name, field, fieldWhere(name, field, parsed))
}

function operatorCondition(
  { name, wire, field }: NamedField,
  operator: string,
  subject: Subject,
  values: readonly string[],
): FilterCondition {
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
  const part = fieldCondition({ name, wire, field }, { subject, values, operator: undefined })
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

function jsonCondition(name: string, field: Field, subject: Subject): FilterCondition {
  const value = parsedValue(subject, fromText(field, subject.value))
  // Responses show both kinds of null in a Json column as null.
  if (value === null) return () => ({ [name]: { equals: ANY_NULL } })
  return conditionExcludingNull(name, field, { [name]: { equals: value } })
}

function conditionExcludingNull(name: string, field: Field, where: Where): FilterCondition {
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

/**
 * Checks that Json values are not nested too deeply, because the time that Prisma needs grows with the square of the depth.
 * @param values the values as in the request
 * @throws RequestError 400 if a value is too deep
 */
export function assertShallowJson(
  { type }: Field,
  subject: Subject,
  values: readonly string[],
  { depth }: Limits,
): void {
  if (type !== 'Json') return
  for (const text of [subject.value, ...values]) {
    if (nestingDepth(text) > depth)
      throw limitError('depth', `A value must not nest deeper than ${depth} levels.`, subject.name)
  }
}

/** Returns the nesting depth of JSON, or an arbitrary number for other text. A list only counts if it is in another list. */
function nestingDepth(text: string): number {
  let [level, deepest] = [0, 0]
  const open: (readonly [token: string, before: number])[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') {
      const isLevel = token === '{' || open.at(-1)?.[0] === '['
      open.push([token, level])
      if (isLevel) deepest = Math.max(deepest, ++level)
    } else if (token === ']' || token === '}') level = open.pop()?.[1] ?? 0
  }
  return deepest
}

/** Whether a field can be filtered by paths. */
export function isJson({ type, list }: Field): boolean {
  return type === 'Json' && !list
}
