import type { Dialect } from '../../orm/dialect.js'
import { RequestError } from '../../errors/request-error.js'
import type { Field } from '../../schema/resource.js'
import { fromText } from '../../values/from-text.js'
import { ANY_NULL } from '../../values/null.js'
import type { ParsedScalar } from '../../values/parse.js'
import { type IdSpec, readId } from './id.js'
import type { NamedField, Relationship } from '../model.js'
import { type Condition, isOperator, type Operator, operatorsOf, operatorSpec } from './operators.js'
import { requireRead } from '../permissions.js'
import type { Parameter } from './query.js'

/** Prisma's `where`. */
export type Where = Readonly<Record<string, unknown>>

/** One parameter's condition; undefined where the database has no such operator. */
export type Part = (dialect: Dialect) => Where | undefined

/** What a parameter says of what its path ends at. */
export interface Comparison {
  readonly parameter: Parameter
  readonly values: readonly string[]
  readonly operator: string | undefined
}

/** A condition on a field of the rows. */
export function fieldPart({ name, wire, field }: NamedField, { parameter, values, operator }: Comparison): Part {
  if (operator !== undefined) return joinConditions(name, readOperator(wire, field, operator, { parameter, values }))
  if (field.list) {
    const operators = operatorsOf(field).map((known) => `$${known}`)
    throw unsupportedOperator(parameter, `"${wire}" is a list. Its operators: ${operators.join(', ')}.`)
  }
  if (field.type === 'Json') {
    const value = valueOf(parameter, fromText(field, parameter.value))
    // Both nulls of a Json column are shown as the same.
    return () => ({ [name]: { equals: value === null ? ANY_NULL : value } })
  }
  const read = values.map((text) => valueOf(parameter, fromText(field, text)))
  const where = fieldWhere(name, field, read)
  return () => where
}

function readOperator(
  wire: string,
  field: Field,
  operator: string,
  { parameter, values }: Pick<Comparison, 'parameter' | 'values'>,
): Condition[] {
  const possible = operatorsOf(field)
  if (!isOperator(operator) || !possible.includes(operator)) {
    const known = possible.map((one) => `$${one}`).join(', ')
    const plain = field.list
      ? ''
      : `Without an operator it is compared for equality, with any of several values: "a,b".`
    const there = [known && `Its operators: ${known}.`, plain].filter(Boolean).join(' ')
    throw unsupportedOperator(parameter, `"${wire}" has no operator "$${operator}". ${there}`)
  }
  return conditionsOf(operator, field, parameter, values)
}

function conditionsOf(operator: Operator, field: Field, parameter: Parameter, values: readonly string[]): Condition[] {
  const spec = operatorSpec(operator)
  const read = values.map((text) => valueOf(parameter, (spec.read ?? fromText)(field, text)))
  return spec.together ? [spec.condition(read, field)] : read.map((value) => spec.condition(value, field))
}

/** Any of several conditions on one field. */
function joinConditions(name: string, conditions: readonly Condition[]): Part {
  return (dialect) => {
    const wheres: Where[] = []
    for (const condition of conditions) {
      const value = condition(dialect)
      if (value === undefined) return undefined
      wheres.push({ [name]: value })
    }
    const [first] = wheres
    return wheres.length === 1 ? first : { OR: wheres }
  }
}

/** A condition on the id of the rows. */
export function idPart(id: IdSpec, comparison: Comparison): Part {
  const { parameter, values, operator } = comparison
  const [only] = id.fields
  if (operator !== undefined) {
    if (id.compound || !only) throw unsupportedOperator(parameter, 'A compound id has no operators.')
    return fieldPart({ ...only, wire: 'id' }, comparison)
  }
  const where = idsWhere(id, parameter, values)
  return () => where
}

/** A filter on a relationship itself: by the id of what is related, or by whether there is anything. */
export function relationshipPart(relationship: Relationship, comparison: Comparison): Part {
  const { parameter, operator, values } = comparison
  if (operator === undefined) return relatedPart(relationship, comparison)
  const { name, relation, linkage } = relationship
  if (operator !== 'isNull' || !relation.optional) {
    const more = relation.optional ? ' or with "$isNull"' : ''
    throw unsupportedOperator(
      parameter,
      `"${name}" is a relationship: it is filtered by id, without an operator${more}.`,
    )
  }
  if (!linkage) requireRead(relationship, parameter.name)
  const wheres = values.map((text) => {
    const isNull = valueOf(parameter, fromText({ type: 'Boolean' }, text))
    return { [name]: isNull ? null : { isNot: null } }
  })
  const [first] = wheres
  return () => (wheres.length === 1 ? first : { OR: wheres })
}

/** By the id of a related resource: without a join where the row holds it. */
function relatedPart(relationship: Relationship, { parameter, values }: Comparison): Part {
  const { name, relation, target, linkage } = relationship
  if (!linkage) {
    requireRead(relationship, parameter.name)
    const where = { [name]: { [relation.many ? 'some' : 'is']: idsWhere(target.id, parameter, values) } }
    return () => where
  }
  const own: IdSpec = {
    ...target.id,
    fields: target.id.fields.map((id, index) => ({ ...id, name: linkage[index] ?? id.name })),
  }
  const where = idsWhere(own, parameter, values)
  return () => where
}

function idsWhere(id: IdSpec, parameter: Parameter, texts: readonly string[]): Where {
  const ids = texts.map((text) => {
    const values = readId(id, text)
    if (!values) throw invalidValue(parameter, 'is not an id of this type')
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

function valueOf(parameter: Parameter, parsed: ParsedScalar): unknown {
  if (!parsed.ok) throw invalidValue(parameter, parsed.message)
  return parsed.value
}

function invalidValue(parameter: Parameter, message: string): RequestError {
  const detail = `The value of ${parameter.name} ${message}.`
  return new RequestError({ code: 'invalid-value', detail, source: { parameter: parameter.name } })
}

/** A 400: an operator that the field, or the database, does not have. */
export function unsupportedOperator(parameter: Parameter, detail: string): RequestError {
  return new RequestError({ code: 'unsupported-operator', detail, source: { parameter: parameter.name } })
}
