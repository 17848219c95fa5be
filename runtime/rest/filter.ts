import type { Dialect } from '../dialect.js'
import { RequestError } from '../errors/request-error.js'
import type { Limits } from '../limits.js'
import type { Field } from '../resource.js'
import { fromText } from '../values/from-text.js'
import { ANY_NULL } from '../values/null.js'
import type { ParsedScalar } from '../values/parse.js'
import { type IdSpec, readId } from './id.js'
import type { NamedField, Relationship, RestModel } from './model.js'
import { type Condition, isOperator, type Operator, operatorsOf, operatorSpec } from './operators.js'
import { requireRead } from './permissions.js'
import { malformed, ofFamily, type Parameter, type Query } from './query.js'

/** Prisma's `where`. */
export type Where = Readonly<Record<string, unknown>>

/** What `filter` asks for, once the database is known. Throws RequestError 400 where it lacks an operator. */
export type Filter = (dialect: Dialect) => Where

/** One parameter's condition; undefined where the database has no such operator. */
type Part = (dialect: Dialect) => Where | undefined

/**
 * Reads `filter[…]` (contract 4.2). A typo is refused and never ignored, because what it leaves out would answer more rows.
 * @returns undefined where there is no filter
 * @throws RequestError 400 for a name, an operator or a shape that does not fit; 403 for what may not be read; 422 for a value
 *   of the wrong type
 */
export function readFilter(query: Query, model: RestModel, limits: Limits): Filter | undefined {
  const parameters = ofFamily(query, 'filter')
  if (parameters.length === 0) return undefined
  if (parameters.length > limits.listLength) throw tooMuch(parameters[0], `At most ${limits.listLength} filters.`)
  const lists = new Map<string, Parameter & { values: string[] }>()
  const conditions: { parameter: Parameter; part: Part }[] = []
  requireFewRelations(parameters, model, limits)
  for (const parameter of parameters) {
    // `filter[id][]=1&filter[id][]=2` is one list.
    if (parameter.path.length > 1 && parameter.path.at(-1) === '') {
      const list = lists.get(parameter.name)
      if (list) list.values.push(parameter.value)
      else lists.set(parameter.name, { ...parameter, path: parameter.path.slice(0, -1), values: [parameter.value] })
    } else {
      conditions.push({ parameter, part: readPart(parameter, splitValues(parameter.value), model, limits) })
    }
  }
  for (const list of lists.values())
    conditions.push({ parameter: list, part: readPart(list, list.values, model, limits) })
  return (dialect) => {
    const wheres = conditions.map(({ parameter, part }) => {
      const where = part(dialect)
      if (!where) throw unsupportedOperator(parameter, 'The database has no such operator.')
      return where
    })
    const [first] = wheres
    return wheres.length === 1 && first ? first : { AND: wheres }
  }
}

/** Refuses filters that reach into relations more often than a database can plan a query for. */
function requireFewRelations(parameters: readonly Parameter[], from: RestModel, limits: Limits): void {
  let count = 0
  for (const parameter of parameters) {
    let model: RestModel | undefined = from
    let many = 0
    for (const selector of parameter.path) {
      const relationship: Relationship | undefined = model?.relationships.get(selector.split('$', 1)[0] ?? '')
      if (!relationship) break
      model = relationship.target
      if (relationship.relation.many && ++many > limits.manyDepth) {
        throw tooMuch(parameter, `A filter can reach through at most ${limits.manyDepth} to-many relationships.`)
      }
      if (++count > limits.relations) {
        throw tooMuch(parameter, `Filters can reach into relationships at most ${limits.relations} times.`)
      }
    }
  }
}

/** Splits a value at its commas. `\,` is a comma and `\\` a backslash of the value itself. */
export function splitValues(text: string): string[] {
  if (!text.includes('\\')) return text.split(',')
  const values: string[] = []
  let value = ''
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const next = text.charAt(at + 1)
    if (char === '\\' && (next === ',' || next === '\\')) {
      value += next
      at++
    } else if (char === ',') {
      values.push(value)
      value = ''
    } else {
      value += char
    }
  }
  return [...values, value]
}

function readPart(parameter: Parameter, values: readonly string[], model: RestModel, limits: Limits): Part {
  if (parameter.path.includes('')) throw malformed(parameter, 'A filter names fields between its brackets.')
  if (parameter.path.length > limits.depth) {
    throw tooMuch(parameter, `Filters can have at most ${limits.depth} selectors.`)
  }
  if (values.length > limits.listLength) throw tooMuch(parameter, `At most ${limits.listLength} values in a list.`)
  const [last = '', operator] = splitOperator(parameter)
  return readPath([...parameter.path.slice(0, -1), last], { parameter, values, operator, model })
}

interface Reading {
  readonly parameter: Parameter
  readonly values: readonly string[]
  readonly operator: string | undefined
  readonly model: RestModel
}

function readPath(path: readonly string[], reading: Reading): Part {
  const { model } = reading
  const [name = '', ...below] = path
  if (name === 'id') return idPart(below, reading)
  const attribute = model.attributes.get(name)
  if (attribute) {
    const by = operatorBelow(below, reading)
    return fieldPart(attribute, { ...reading, operator: by })
  }
  const relationship = model.relationships.get(name)
  if (!relationship) throw unknownField(reading.parameter, model, name)
  const [next] = below
  if (next !== undefined && below.length === 1 && isOperator(next) && !isMember(relationship.target, next)) {
    return relationshipPart(relationship, { ...reading, operator: operatorBelow(below, reading) })
  }
  if (below.length > 0) {
    requireRead(relationship, reading.parameter.name)
    const inner = readPath(below, { ...reading, model: relationship.target })
    return (dialect) => {
      const where = inner(dialect)
      return where && { [name]: { [relationship.relation.many ? 'some' : 'is']: where } }
    }
  }
  return relationshipPart(relationship, reading)
}

/** A filter on a relationship itself: by the id of what is related, or by whether there is anything. */
function relationshipPart(relationship: Relationship, reading: Reading): Part {
  const { parameter, operator, values } = reading
  if (operator === undefined) return relatedPart(relationship, reading)
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

function isMember(model: RestModel, name: string): boolean {
  return model.attributes.has(name) || model.relationships.has(name)
}

/** `filter[name][contains]`, which is a legal name in JSON:API, means the same as `filter[name$contains]`. */
function operatorBelow(below: readonly string[], { parameter, operator }: Reading): string | undefined {
  const [name] = below
  if (name === undefined) return operator
  if (below.length > 1 || operator !== undefined || !isOperator(name)) {
    throw malformed(parameter, `"${name}" is neither a field nor an operator here.`)
  }
  return name
}

function splitOperator(parameter: Parameter): [field: string, operator: string | undefined] {
  const last = parameter.path.at(-1) ?? ''
  const at = last.indexOf('$')
  return at < 0 ? [last, undefined] : [last.slice(0, at), last.slice(at + 1)]
}

function fieldPart({ name, wire, field }: NamedField, { parameter, values, operator }: Reading): Part {
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
  { parameter, values }: Pick<Reading, 'parameter' | 'values'>,
): Condition[] {
  const possible = operatorsOf(field)
  if (!isOperator(operator) || !possible.includes(operator)) {
    const known = possible.map((one) => `$${one}`).join(', ')
    const detail = `"${wire}" has no operator "$${operator}". ${known ? `Its operators: ${known}.` : 'It has none.'}`
    throw unsupportedOperator(parameter, detail)
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

function idPart(below: readonly string[], reading: Reading): Part {
  const { model, parameter, values } = reading
  const operator = operatorBelow(below, reading)
  const [only] = model.id.fields
  if (operator !== undefined) {
    if (model.id.compound || !only) throw unsupportedOperator(parameter, 'A compound id has no operators.')
    return fieldPart({ ...only, wire: 'id' }, { ...reading, operator })
  }
  const where = idsWhere(model.id, parameter, values)
  return () => where
}

/** By the id of a related resource: without a join where the row holds it. */
function relatedPart(relationship: Relationship, { parameter, values }: Reading): Part {
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

function unknownField(parameter: Parameter, model: RestModel, name: string): RequestError {
  const detail = `"${model.type}" has no field "${name}".`
  return new RequestError({ code: 'unknown-field', detail, source: { parameter: parameter.name } })
}

function unsupportedOperator(parameter: Parameter, detail: string): RequestError {
  return new RequestError({ code: 'unsupported-operator', detail, source: { parameter: parameter.name } })
}

function tooMuch(parameter: Parameter | undefined, detail: string): RequestError {
  const source = { parameter: parameter?.name ?? 'filter' }
  return new RequestError({ code: 'limit-exceeded', detail, source })
}
