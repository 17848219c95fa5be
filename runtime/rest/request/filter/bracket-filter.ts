import type { Limits } from '../../../limits.js'
import { isReservedFieldName } from '../../../schema/filter-ambiguity.js'
import { type Comparison, fieldCondition, idCondition, relationshipCondition } from '../filter-conditions.js'
import { reservedFieldMessage, unknownField, unsupportedOperator } from './subject.js'
import type { Relationship, RestModel } from '../../model.js'
import { isOperator } from '../operators.js'
import { assertReadable } from '../../permissions.js'
import { malformed, type Parameter } from '../query.js'
import {
  countCondition,
  isEmptyCondition,
  isCountOperator,
  isQuantifier,
  singleValue,
  quantify,
} from './quantifiers.js'
import { isJson, jsonPathCondition, assertShallowJson } from './json-path.js'
import { negated, type FilterCondition } from './condition.js'
import { type RelationDepth, enterRelation } from './relation-depth.js'

/** One word of a parameter's name: `filter[comments$none][body]` has three. */
interface Word {
  readonly text: string
  /** Whether it stands behind a `$`, so that it is no field. */
  readonly isOperator: boolean
}

/** What a parameter asks for, and where in its name its reader is. */
interface Reading {
  readonly parameter: Parameter
  readonly values: readonly string[]
  readonly model: RestModel
  readonly limits: Limits
  readonly reach: RelationDepth
  /** Through how many to-many relationships the model was reached. */
  readonly many: number
}

/**
 * Reads the condition of one `filter[…]`.
 * @param values what its field is compared with
 * @throws RequestError 400, 403 or 422
 */
export function parseBracketFilter(
  parameter: Parameter,
  values: readonly string[],
  model: RestModel,
  limits: Limits,
  reach: RelationDepth,
): FilterCondition {
  if (parameter.path.includes('')) throw malformed(parameter, 'A filter names fields between its brackets.')
  return read(wordsOf(parameter.path), { parameter, values, model, limits, reach, many: 0 })
}

function wordsOf(path: readonly string[]): readonly Word[] {
  return path.flatMap((selector) => {
    // Without a name before it, the sign is no sign of an operator.
    if (selector.startsWith('$')) return [{ text: selector, isOperator: false }]
    return selector.split('$').map((text, index) => ({ text, isOperator: index > 0 }))
  })
}

function read(words: readonly Word[], reading: Reading): FilterCondition {
  const { parameter, values, model } = reading
  const [first, ...rest] = words
  const name = first?.text ?? ''
  if (first?.isOperator) throw notHere(parameter, name)
  if (name === 'id')
    return operated(rest, reading, (operator) => idCondition(model.id, { subject: parameter, values, operator }))
  const attribute = model.attributes.get(name)
  if (attribute) {
    assertShallowJson(attribute.field, parameter, values, reading.limits)
    if (isReservedFieldName(attribute.name)) {
      throw malformed(parameter, reservedFieldMessage(name))
    }
    const [inside] = rest
    if (isJson(attribute.field) && inside && !inside.isOperator && inside.text !== 'not' && !isOperator(inside.text)) {
      throw malformed(parameter, `A path into "${name}" has dots: filter[${name}.${inside.text}].`)
    }
    return operated(rest, reading, (operator) => fieldCondition(attribute, { subject: parameter, values, operator }))
  }
  const [head = '', ...keys] = name.split('.')
  const json = keys.length > 0 ? model.attributes.get(head) : undefined
  if (json && isJson(json.field)) {
    return operated(rest, reading, (operator) =>
      jsonPathCondition(json, keys, { subject: parameter, values, operator }, reading.limits),
    )
  }
  const relationship = model.relationships.get(name)
  if (!relationship && model.relationships.has(head)) {
    const brackets = [head, ...keys].map((part) => `[${part}]`).join('')
    throw malformed(parameter, `What is related has brackets of its own: filter${brackets}.`)
  }
  if (!relationship) throw unknownField(parameter, model, name)
  const many = enterRelation(relationship, reading.reach, reading.many, reading.limits, parameter.name)
  return readRelationship(relationship, rest, { ...reading, many })
}

function readRelationship(relationship: Relationship, words: readonly Word[], reading: Reading): FilterCondition {
  const { parameter, values } = reading
  const { target, relation } = relationship
  const comparison: Comparison = { subject: parameter, values, operator: undefined }
  const [next, ...rest] = words
  if (!next) return relationshipCondition(relationship, comparison)
  const isField = !next.isOperator && isMember(target, next.text)
  const isWord = isQuantifier(next.text) || next.text === 'count' || isOperator(next.text) || next.text === 'not'
  if (isField || (!next.isOperator && !isWord)) {
    assertReadable(relationship, parameter.name)
    return quantify(relationship, read(words, { ...reading, model: target }))
  }
  if (isQuantifier(next.text)) {
    if (!relation.many)
      throw unsupportedOperator(parameter, `"${relationship.name}" leads to one resource, and not to many.`)
    if (rest.length === 0) return relationshipCondition(relationship, comparison, next.text)
    assertReadable(relationship, parameter.name)
    return quantify(relationship, read(rest, { ...reading, model: target }), next.text)
  }
  if (next.text === 'count' || (next.text === 'isEmpty' && rest.length === 0)) {
    assertReadable(relationship, parameter.name)
    const value = singleValue(values, parameter)
    if (next.text === 'isEmpty') return isEmptyCondition(relationship, value, parameter)
    const [operator = { text: 'equals', isOperator: true }, more] = rest
    if (more || !isCountOperator(operator.text)) throw notHere(parameter, (more ?? operator).text)
    return countCondition(relationship, operator.text, value, parameter)
  }
  return operated(words, reading, (operator) => relationshipCondition(relationship, { ...comparison, operator }))
}

/** `filter[name][contains]`, which is a legal name in JSON:API, means the same as `filter[name$contains]`. */
function operated(
  words: readonly Word[],
  { parameter }: Reading,
  part: (operator: string | undefined) => FilterCondition,
): FilterCondition {
  const isNegated = words[0]?.text === 'not'
  const [operator, more] = isNegated ? words.slice(1) : words
  const odd = [operator, more].find((word) => word && !word.isOperator && !isOperator(word.text)) ?? more
  if (odd) throw notHere(parameter, odd.text)
  if (!isNegated) return part(operator?.text)
  if (operator) return negated(part(operator.text))
  throw unsupportedOperator(parameter, '"not" stands before another operator: "$not$contains". Not equal is "$ne".')
}

function isMember(model: RestModel, name: string): boolean {
  return name === 'id' || model.attributes.has(name) || model.relationships.has(name)
}

function notHere(parameter: Parameter, name: string): Error {
  const word = name.slice(1)
  const mend =
    name.startsWith('$') && isOperator(word) ? ` In brackets of its own it is written without "$": [${word}].` : ''
  return malformed(parameter, `"${name}" is neither a field nor an operator here.${mend}`)
}
