import { assertReadable } from '../../rest/relationship-capabilities.js'
import { allOf, anyOf, not, type FilterCondition, withExact } from '../../rest/request/filter/combine-conditions.js'
import {
  type CountOperator,
  countCondition,
  isEmptyCondition,
  isCountOperator,
  quantify,
  relationshipCondition,
  type RelationCounter,
  enterRelation,
} from '../../rest/request/filter/relationship-condition.js'
import { fieldCondition, idCondition } from '../../rest/request/filter/field-condition.js'
import {
  reservedFieldMessage,
  type Subject,
  unknownField,
  unsupportedOperator,
} from '../../rest/request/filter/filter-errors.js'
import { type Operator, operatorsForField } from '../../rest/request/filter/filter-operators.js'
import { limitError } from '../../rest/request/request-errors.js'
import type { Parameter } from '../../rest/request/query/parse-query.js'
import type { NamedField, Relationship, RestModel } from '../../rest/rest-model.js'
import type { Settings } from '../../rest/settings.js'
import { isReservedFieldName } from '../../schema/keyword-named-fields.js'
import type { Field } from '../../schema/resource.js'
import { fieldReference } from '../../values/prisma-values.js'
import { COMPARATORS, comparatorSpec, isComparator } from './comparison-functions.js'
import {
  type FieldPath,
  type ComparisonNode,
  type Expression,
  type QuantifierNode,
  malformedAtPosition,
  PARAMETER,
  describePosition,
  parseExpression,
} from './parse-expression.js'

/** The context in which an expression is compiled: the model and the number of relationships traversed so far. */
interface Scope {
  readonly text: string
  readonly model: RestModel
  readonly settings: Settings
  readonly counter: RelationCounter
  /** The number of to-many relationships on the path to the model. */
  readonly depth: number
}

/**
 * The end of a field path: the model of its last name, and a function that converts a condition on that model into a condition on the rows
 * at the start of the path.
 */
interface PathEnd {
  readonly scope: Scope
  readonly name: string
  /** The path inside a Json field of this name. Empty for the field itself. */
  readonly keys: readonly string[]
  readonly wrap: (part: FilterCondition) => FilterCondition
}

/**
 * Compiles an expression: `filter=or(equals(status,'DRAFT'),has(comments))`.
 * @throws RequestError 400, 403 or 422
 */
export function compileExpression(
  { value }: Parameter,
  model: RestModel,
  settings: Settings,
  counter: RelationCounter,
): FilterCondition {
  return compileNode(parseExpression(value, settings.limits), { text: value, model, settings, counter, depth: 0 })
}

function compileNode(expression: Expression, scope: Scope): FilterCondition {
  switch (expression.kind) {
    case 'and':
      return allOf(expression.parts.map((part) => compileNode(part, scope)))
    case 'or':
      return anyOf(expression.parts.map((part) => compileNode(part, scope)))
    case 'not':
      return not(compileNode(expression.part, scope))
    case 'has':
    case 'every':
      return compileQuantifier(expression, scope)
    case 'compare':
      return compileComparison(expression, scope)
  }
}

function compileQuantifier({ kind, chain, condition }: QuantifierNode, scope: Scope): FilterCondition {
  const end = resolveEnd(chain, scope)
  const relationship = relationshipAt(end, chain)
  const scopeOfMembers = { ...end.scope, model: relationship.target, depth: enter(relationship, end.scope) }
  const part = condition && compileNode(condition, scopeOfMembers)
  return end.wrap(quantify(relationship, part, kind === 'has' ? 'some' : 'every'))
}

function compileComparison(node: ComparisonNode, scope: Scope): FilterCondition {
  const { chain, name, isCount, operands } = node
  const [operand] = operands
  if (operand?.kind === 'field') return compareFields(node, operand.chain, scope)
  const end = resolveEnd(chain, scope)
  const values = operands.flatMap((operand) => (operand.kind === 'text' ? [operand.text] : []))
  const subject: Subject = {
    name: PARAMETER,
    label: `"${chain.names.join('.')}" at character ${(operands[0] ?? chain).at + 1} of ${PARAMETER}`,
    value: values[0] ?? '',
  }
  const isNull = operands.some(({ kind }) => kind === 'null')
  if (isCount) {
    if (isNull) throw malformedAtPosition(scope.text, chain.at, 'A count is never null.')
    const relationship = relationshipAt(end, chain)
    enter(relationship, end.scope)
    return end.wrap(countCondition(relationship, countOperator(node), values[0] ?? '', subject))
  }
  return end.wrap(fieldOrRelationship(end, node, name === 'isEmpty' || isNull ? ['true'] : values, isNull, subject))
}

function fieldOrRelationship(
  { scope, name, keys }: PathEnd,
  node: ComparisonNode,
  values: readonly string[],
  isNull: boolean,
  subject: Subject,
): FilterCondition {
  const { model } = scope
  const operator: Operator | undefined = isNull ? 'isNull' : comparatorSpec(node.name).operator
  const comparison = { subject, values, operator }
  const position = node.chain.at
  if (name === 'id') {
    const [only] = model.id.fields
    if (isNull || (operator && model.id.compound))
      throw operatorMismatchError(node, scope, 'An id is never null, and a compound id has no order.')
    if (only && operator) assertOperatorFits(node, only.field, operator, scope)
    return idCondition(model.id, comparison)
  }
  const attribute = model.attributes.get(name)
  if (attribute) {
    if (isReservedFieldName(attribute.name)) {
      throw malformedAtPosition(scope.text, position, reservedFieldMessage(name))
    }
    const { limits, features } = scope.settings
    const { jsonFilters } = features
    if (keys.length > 0 && jsonFilters) return jsonFilters.pathCondition(attribute, keys, comparison, limits)
    if (operator || attribute.field.list) assertOperatorFits(node, attribute.field, operator, scope)
    if (node.name === 'any' && attribute.field.type === 'Json') {
      throw operatorMismatchError(node, scope, 'A Json value supports only equals.')
    }
    jsonFilters?.assertValid(attribute, comparison, limits)
    return fieldCondition(attribute, comparison, jsonFilters)
  }
  const relationship = model.relationships.get(name)
  if (!relationship) throw unknownField({ name: PARAMETER }, model, name)
  enter(relationship, scope, false)
  if (node.name === 'isEmpty') {
    assertReadable(relationship, PARAMETER)
    return isEmptyCondition(relationship, 'true', subject)
  }
  if (isNull && !relationship.relation.optional) {
    const hint = relationship.relation.many ? 'It is a to-many relationship. Use isEmpty or has.' : 'It is never null.'
    throw operatorMismatchError(node, scope, hint)
  }
  if (operator && !isNull)
    throw operatorMismatchError(node, scope, 'A relationship supports only equals and any, each with ids.')
  return relationshipCondition(relationship, comparison)
}

/** Compares two fields of the same row: `greaterThan(updatedAt,publishedAt)`. */
function compareFields(node: ComparisonNode, otherPath: FieldPath, scope: Scope): FilterCondition {
  const { chain, name, isCount } = node
  const quoted = `Values must be quoted: '${otherPath.names.join('.')}'.`
  if (isCount) throw malformedAtPosition(scope.text, otherPath.at, `A count must be compared with a number. ${quoted}`)
  const end = resolveEnd(chain, scope)
  const left = fieldAt(end, end.name)
  const { attributes, relationships } = end.scope.model
  if (!left && end.name !== 'id' && !attributes.has(end.name) && !relationships.has(end.name)) {
    throw unknownField({ name: PARAMETER }, end.scope.model, end.name)
  }
  const last = otherPath.names.at(-1) ?? ''
  const isSibling =
    otherPath.names.length === chain.names.length &&
    chain.names.every((step, index) => step === otherPath.names[index] || index === chain.names.length - 1)
  const right = isSibling && end.keys.length === 0 ? fieldAt(end, last) : undefined
  if (!left || !right || !areComparable(left.field, right.field)) {
    const prefix = `"${chain.names.join('.')}" can be compared with`
    throw malformedAtPosition(
      scope.text,
      otherPath.at,
      `${prefix} another field of the same resource that has the same type. ${quoted}`,
    )
  }
  const { operator } = comparatorSpec(name)
  if (operator) assertOperatorFits(node, left.field, operator, scope)
  return end.wrap(twoFieldComparison(end.scope.model, left, operator ?? 'equals', right))
}

/** Returns the field with this name: an attribute or an id that is not compound. */
function fieldAt({ scope: { model } }: PathEnd, name: string): NamedField | undefined {
  if (name === 'id' && !model.id.compound) return model.id.fields[0] && { ...model.id.fields[0], wire: 'id' }
  const attribute = model.attributes.get(name)
  return attribute && !isReservedFieldName(attribute.name) ? attribute : undefined
}

/** Follows the to-one relationships of a path up to its last name. */
function resolveEnd({ names, at }: FieldPath, start: Scope): PathEnd {
  if (names.length > start.settings.limits.depth)
    throw limitError('depth', `A filter path can have at most ${start.settings.limits.depth} names.`, PARAMETER)
  const relationships: Relationship[] = []
  let scope = start
  const end = (index: number): PathEnd => ({
    scope,
    name: names[index] ?? '',
    keys: names.slice(index + 1),
    wrap: (part) => relationships.reduceRight((below, relationship) => quantify(relationship, below), part),
  })
  for (const [index, name] of names.slice(0, -1).entries()) {
    const relationship = scope.model.relationships.get(name)
    if (!relationship) {
      const attribute = scope.model.attributes.get(name)
      if (attribute && start.settings.features.jsonFilters?.hasPaths(attribute.field)) return end(index)
      if (!attribute) throw unknownField({ name: PARAMETER }, scope.model, name)
      throw malformedAtPosition(start.text, at, `"${name}" is a field, not a relationship.`)
    }
    if (relationship.relation.many) {
      const hint = `Use a quantifier: has(${name},…) or every(${name},…).`
      throw malformedAtPosition(start.text, at, `"${name}" is a to-many relationship. ${hint}`)
    }
    relationships.push(relationship)
    scope = { ...scope, model: relationship.target, depth: enter(relationship, scope) }
  }
  return end(names.length - 1)
}

function relationshipAt({ scope, name }: PathEnd, { at }: FieldPath): Relationship {
  const relationship = scope.model.relationships.get(name)
  if (!relationship) {
    if (!scope.model.attributes.has(name)) throw unknownField({ name: PARAMETER }, scope.model, name)
    throw malformedAtPosition(scope.text, at, `"${name}" is a field, not a relationship.`)
  }
  if (!relationship.relation.many) {
    throw malformedAtPosition(
      scope.text,
      at,
      `"${name}" is a to-one relationship. Use equals(${name},null) or ${name}.<field>.`,
    )
  }
  return relationship
}

function enter(relationship: Relationship, { counter, depth, settings }: Scope, isRead = true): number {
  const below = enterRelation(relationship, counter, depth, settings.limits, PARAMETER)
  if (isRead) assertReadable(relationship, PARAMETER)
  return below
}

function countOperator({ name }: ComparisonNode): CountOperator {
  const { operator } = comparatorSpec(name)
  return operator !== undefined && isCountOperator(operator) ? operator : 'equals'
}

function assertOperatorFits(node: ComparisonNode, field: Field, operator: Operator | undefined, scope: Scope): void {
  const possible = operatorsForField(field)
  if (operator && possible.includes(operator)) return
  if (operator === 'isNull') throw operatorMismatchError(node, scope, 'It is never null.')
  const names = Object.keys(COMPARATORS).filter((name) => {
    const comparatorOperator = isComparator(name) ? comparatorSpec(name).operator : undefined
    return comparatorOperator ? possible.includes(comparatorOperator) : !field.list
  })
  throw operatorMismatchError(node, scope, `Available: ${names.join(', ')}.`)
}

function operatorMismatchError({ name, chain }: ComparisonNode, { text }: Scope, detail: string): Error {
  const prefix = `${describePosition(text, chain.at)}: "${chain.names.join('.')}" cannot be filtered with ${name}(…) and this value.`
  return unsupportedOperator({ name: PARAMETER }, `${prefix} ${detail}`)
}

/**
 * Returns a condition on two fields of a row: `greaterThan(updatedAt,publishedAt)`. Prisma can only compare fields of the same model.
 * @param operator Prisma's operator
 */
function twoFieldComparison(
  { model }: RestModel,
  left: NamedField,
  operator: string,
  right: NamedField,
): FilterCondition {
  const where = { [left.name]: { [operator]: fieldReference(model.name, right.name) } }
  const empty = [left, right].filter(({ field }) => field.optional)
  if (empty.length === 0) return () => where
  const exactly = { AND: [where, ...empty.map(({ name }) => ({ [name]: { not: null } }))] }
  return withExact(where, exactly)
}

/**
 * Whether two fields have the same type and every database can compare them. Excludes Json, because its equality depends on the database.
 * Also excludes enums, because the schema metadata does not say whether two fields have the same enum.
 */
function areComparable(left: Field, right: Field): boolean {
  return isSingle(left) && isSingle(right) && left.type === right.type && left.uuid === right.uuid
}

function isSingle({ list, type }: Field): boolean {
  return !list && type !== 'Json' && type !== 'Enum'
}
