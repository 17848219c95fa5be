import type { Limits } from '../../../limits.js'
import type { Field } from '../../../schema/resource.js'
import { isCalledAsCombinator } from '../../../schema/words.js'
import { areComparable, comparedFields } from './field-comparison.js'
import { fieldPart, idPart, relationshipPart } from '../filter-conditions.js'
import { type Subject, unknownField, unsupportedOperator } from './subject.js'
import type { NamedField, Relationship, RestModel } from '../../model.js'
import { type Operator, operatorsOf } from '../operators.js'
import { requireRead } from '../../permissions.js'
import { beyondLimit } from '../beyond-limit.js'
import type { Parameter } from '../query.js'
import { isJson, jsonPathPart, requireShallow } from './json-path.js'
import { type CountOperator, countPart, emptyPart, isCountOperator, relatedThat } from './members.js'
import { parseExpression } from './parse-expression.js'
import { malformedAt, PARAMETER, placeOf } from './place.js'
import { allOf, anyOf, not, type Part } from './part.js'
import { type Reach, step } from './reach.js'
import {
  type Chain,
  type Comparing,
  COMPARATORS,
  comparatorSpec,
  type Expression,
  isComparator,
  type Members,
} from './syntax.js'

/** Where an expression is read: at the rows of a model. */
interface Scope {
  readonly text: string
  readonly model: RestModel
  readonly limits: Limits
  readonly reach: Reach
  /** Through how many to-many relationships the model was reached. */
  readonly many: number
}

/** The end of a chain: the model that its last name belongs to, and what makes a condition there one of the rows at its beginning. */
interface End {
  readonly scope: Scope
  readonly name: string
  /** What leads on into a Json field of this name; empty for the field itself. */
  readonly keys: readonly string[]
  readonly wrap: (part: Part) => Part
}

/**
 * Reads an expression: `filter=or(equals(status,'DRAFT'),has(comments))`.
 * @throws RequestError 400, 403 or 422
 */
export function readExpression({ value }: Parameter, model: RestModel, limits: Limits, reach: Reach): Part {
  return read(parseExpression(value, limits), { text: value, model, limits, reach, many: 0 })
}

function read(expression: Expression, scope: Scope): Part {
  switch (expression.kind) {
    case 'and':
      return allOf(expression.parts.map((part) => read(part, scope)))
    case 'or':
      return anyOf(expression.parts.map((part) => read(part, scope)))
    case 'not':
      return not(read(expression.part, scope))
    case 'has':
    case 'every':
      return membersPart(expression, scope)
    case 'compare':
      return comparingPart(expression, scope)
  }
}

function membersPart({ kind, chain, condition }: Members, scope: Scope): Part {
  const end = endOf(chain, scope)
  const relationship = relationshipAt(end, chain)
  const below = { ...end.scope, model: relationship.target, many: enter(relationship, end.scope) }
  const part = condition && read(condition, below)
  return end.wrap(relatedThat(relationship, part, kind === 'has' ? 'some' : 'every'))
}

function comparingPart(comparing: Comparing, scope: Scope): Part {
  const { chain, name, isCount, operands } = comparing
  const [operand] = operands
  if (operand?.kind === 'field') return twoFields(comparing, operand.chain, scope)
  const end = endOf(chain, scope)
  const values = operands.flatMap((operand) => (operand.kind === 'text' ? [operand.text] : []))
  const subject: Subject = {
    name: PARAMETER,
    label: `"${chain.names.join('.')}" at character ${(operands[0] ?? chain).at + 1} of ${PARAMETER}`,
    value: values[0] ?? '',
  }
  const isNull = operands.some(({ kind }) => kind === 'null')
  if (isCount) {
    if (isNull) throw malformedAt(scope.text, chain.at, 'A count is never null.')
    const relationship = relationshipAt(end, chain)
    enter(relationship, end.scope)
    return end.wrap(countPart(relationship, countOperator(comparing), values[0] ?? '', subject))
  }
  return end.wrap(
    fieldOrRelationship(end, comparing, name === 'isEmpty' || isNull ? ['true'] : values, isNull, subject),
  )
}

function fieldOrRelationship(
  { scope, name, keys }: End,
  comparing: Comparing,
  values: readonly string[],
  isNull: boolean,
  subject: Subject,
): Part {
  const { model } = scope
  const operator: Operator | undefined = isNull ? 'isNull' : comparatorSpec(comparing.name).operator
  const comparison = { subject, values, operator }
  const at = comparing.chain.at
  if (name === 'id') {
    const [only] = model.id.fields
    if (isNull || (operator && model.id.compound))
      throw doesNotFit(comparing, scope, 'An id is never null, and one of several parts has no order.')
    if (only && operator) requireFit(comparing, only.field, operator, scope)
    return idPart(model.id, comparison)
  }
  const attribute = model.attributes.get(name)
  if (attribute) {
    if (isCalledAsCombinator(attribute.name)) {
      throw malformedAt(
        scope.text,
        at,
        `"${name}" cannot be filtered by: the database client takes its name for another.`,
      )
    }
    if (keys.length > 0) return jsonPathPart(attribute, keys, comparison, scope.limits)
    if (operator || attribute.field.list) requireFit(comparing, attribute.field, operator, scope)
    if (comparing.name === 'any' && attribute.field.type === 'Json') {
      throw doesNotFit(comparing, scope, 'A Json value is compared with one other: equals.')
    }
    requireShallow(attribute.field, comparison.subject, comparison.values, scope.limits)
    return fieldPart(attribute, comparison)
  }
  const relationship = model.relationships.get(name)
  if (!relationship) throw unknownField({ name: PARAMETER }, model, name)
  enter(relationship, scope, false)
  if (comparing.name === 'isEmpty') {
    requireRead(relationship, PARAMETER)
    return emptyPart(relationship, 'true', subject)
  }
  if (isNull && !relationship.relation.optional) {
    const mend = relationship.relation.many
      ? 'It leads to many: see whether it isEmpty, or has members.'
      : 'It is never null.'
    throw doesNotFit(comparing, scope, mend)
  }
  if (operator && !isNull) throw doesNotFit(comparing, scope, 'A relationship is compared by id: equals and any.')
  return relationshipPart(relationship, comparison)
}

/** `greaterThan(updatedAt,publishedAt)`: fields of the same row. */
function twoFields(comparing: Comparing, other: Chain, scope: Scope): Part {
  const { chain, name, isCount } = comparing
  const quoted = `A value stands between quotes: '${other.names.join('.')}'.`
  if (isCount) throw malformedAt(scope.text, other.at, `A count is compared with a number. ${quoted}`)
  const end = endOf(chain, scope)
  const one = fieldAt(end, end.name)
  const { attributes, relationships } = end.scope.model
  if (!one && end.name !== 'id' && !attributes.has(end.name) && !relationships.has(end.name)) {
    throw unknownField({ name: PARAMETER }, end.scope.model, end.name)
  }
  const last = other.names.at(-1) ?? ''
  const isBeside =
    other.names.length === chain.names.length &&
    chain.names.every((each, index) => each === other.names[index] || index === chain.names.length - 1)
  const found = isBeside && end.keys.length === 0 ? fieldAt(end, last) : undefined
  if (!one || !found || !areComparable(one.field, found.field)) {
    const what = `"${chain.names.join('.')}" can be compared with`
    throw malformedAt(scope.text, other.at, `${what} another field of the same resource and of its own type. ${quoted}`)
  }
  const { operator } = comparatorSpec(name)
  if (operator) requireFit(comparing, one.field, operator, scope)
  return end.wrap(comparedFields(end.scope.model, one, operator ?? 'equals', found))
}

/** A field that is an attribute, or an id of its own. */
function fieldAt({ scope: { model } }: End, name: string): NamedField | undefined {
  if (name === 'id' && !model.id.compound) return model.id.fields[0] && { ...model.id.fields[0], wire: 'id' }
  const attribute = model.attributes.get(name)
  return attribute && !isCalledAsCombinator(attribute.name) ? attribute : undefined
}

/** Follows the to-one relationships of a chain up to its last name. */
function endOf({ names, at }: Chain, start: Scope): End {
  if (names.length > start.limits.depth)
    throw beyondLimit('depth', `At most ${start.limits.depth} names stand in a row in a filter.`, PARAMETER)
  const through: Relationship[] = []
  let scope = start
  const end = (index: number): End => ({
    scope,
    name: names[index] ?? '',
    keys: names.slice(index + 1),
    wrap: (part) => through.reduceRight((below, relationship) => relatedThat(relationship, below), part),
  })
  for (const [index, name] of names.slice(0, -1).entries()) {
    const relationship = scope.model.relationships.get(name)
    if (!relationship) {
      const attribute = scope.model.attributes.get(name)
      if (attribute && isJson(attribute.field)) return end(index)
      if (!attribute) throw unknownField({ name: PARAMETER }, scope.model, name)
      throw malformedAt(start.text, at, `"${name}" is a field, and no relationship.`)
    }
    if (relationship.relation.many) {
      const mend = `Say of how many of its members it is true: has(${name},…) or every(${name},…).`
      throw malformedAt(start.text, at, `"${name}" leads to many. ${mend}`)
    }
    through.push(relationship)
    scope = { ...scope, model: relationship.target, many: enter(relationship, scope) }
  }
  return end(names.length - 1)
}

function relationshipAt({ scope, name }: End, { at }: Chain): Relationship {
  const relationship = scope.model.relationships.get(name)
  if (!relationship) {
    if (!scope.model.attributes.has(name)) throw unknownField({ name: PARAMETER }, scope.model, name)
    throw malformedAt(scope.text, at, `"${name}" is a field, and no relationship.`)
  }
  if (!relationship.relation.many) {
    throw malformedAt(
      scope.text,
      at,
      `"${name}" leads to one resource: write equals(${name},null), or ${name}.<field>.`,
    )
  }
  return relationship
}

function enter(relationship: Relationship, { reach, many, limits }: Scope, isRead = true): number {
  const below = step(relationship, reach, many, limits, PARAMETER)
  if (isRead) requireRead(relationship, PARAMETER)
  return below
}

function countOperator({ name }: Comparing): CountOperator {
  const { operator } = comparatorSpec(name)
  return operator !== undefined && isCountOperator(operator) ? operator : 'equals'
}

function requireFit(comparing: Comparing, field: Field, operator: Operator | undefined, scope: Scope): void {
  const possible = operatorsOf(field)
  if (operator && possible.includes(operator)) return
  if (operator === 'isNull') throw doesNotFit(comparing, scope, 'It is never null.')
  const names = Object.keys(COMPARATORS).filter((name) => {
    const own = isComparator(name) ? comparatorSpec(name).operator : undefined
    return own ? possible.includes(own) : !field.list
  })
  throw doesNotFit(comparing, scope, `It takes: ${names.join(', ')}.`)
}

function doesNotFit({ name, chain }: Comparing, { text }: Scope, detail: string): Error {
  const what = `${placeOf(text, chain.at)}: "${chain.names.join('.')}" cannot be filtered with ${name}(…) and this value.`
  return unsupportedOperator({ name: PARAMETER }, `${what} ${detail}`)
}
