import { isReservedFieldName } from '../../../schema/keyword-named-fields.js'
import { type Comparison, fieldCondition, idCondition } from './field-condition.js'
import {
  relationshipCondition,
  isQuantifier,
  quantify,
  countCondition,
  isEmptyCondition,
  isCountOperator,
  type RelationCounter,
  enterRelation,
} from './relationship-condition.js'
import { reservedFieldMessage, unknownField, unsupportedOperator, singleValue } from './filter-errors.js'
import type { Relationship, RestModel } from '../../rest-model.js'
import type { Settings } from '../../settings.js'
import { isOperator } from './filter-operators.js'
import { assertReadable } from '../../relationship-capabilities.js'
import { malformedParameter, type Parameter } from '../query/parse-query.js'
import { negate, type FilterCondition } from './combine-conditions.js'

/** One word of a parameter's name. For example, `filter[comments$none][body]` has three words. */
interface Word {
  readonly text: string
  /** Whether the word follows a `$`, and therefore is not a field. */
  readonly isOperator: boolean
}

/** A parameter and the parser's current position in its name. */
interface FilterContext {
  readonly parameter: Parameter
  readonly values: readonly string[]
  readonly model: RestModel
  readonly settings: Settings
  readonly counter: RelationCounter
  /** The number of to-many relationships on the path to the model. */
  readonly depth: number
}

/**
 * Parses the condition of one `filter[…]`.
 * @param values the values to compare the field with
 * @throws RequestError 400, 403 or 422
 */
export function parseBracketFilter(
  parameter: Parameter,
  values: readonly string[],
  model: RestModel,
  settings: Settings,
  counter: RelationCounter,
): FilterCondition {
  if (parameter.path.includes('')) throw malformedParameter(parameter, 'A filter must have field names in brackets.')
  return parseWords(splitWords(parameter.path), { parameter, values, model, settings, counter, depth: 0 })
}

function splitWords(path: readonly string[]): readonly Word[] {
  return path.flatMap((selector) => {
    // A `$` at the start does not introduce an operator, because no name precedes it.
    if (selector.startsWith('$')) return [{ text: selector, isOperator: false }]
    return selector.split('$').map((text, index) => ({ text, isOperator: index > 0 }))
  })
}

function parseWords(words: readonly Word[], context: FilterContext): FilterCondition {
  const { parameter, values, model, settings } = context
  const [first, ...rest] = words
  const name = first?.text ?? ''
  if (first?.isOperator) throw unexpectedWordError(parameter, name)
  if (name === 'id')
    return parseOperators(rest, context, (operator) => idCondition(model.id, { subject: parameter, values, operator }))
  const attribute = model.attributes.get(name)
  const { limits, features } = settings
  const { jsonFilters } = features
  const toComparison = (operator: string | undefined): Comparison => ({ subject: parameter, values, operator })
  if (attribute) {
    const [inner] = rest
    const isWord = !inner || inner.isOperator || inner.text === 'not' || isOperator(inner.text)
    jsonFilters?.assertValid(attribute, toComparison(undefined), limits, isWord ? undefined : inner.text)
    if (isReservedFieldName(attribute.name)) {
      throw malformedParameter(parameter, reservedFieldMessage(name))
    }
    return parseOperators(rest, context, (operator) => fieldCondition(attribute, toComparison(operator), jsonFilters))
  }
  const [head = '', ...keys] = name.split('.')
  const json = model.attributes.get(head)
  if (json && jsonFilters?.hasPaths(json.field)) {
    return parseOperators(rest, context, (operator) =>
      jsonFilters.pathCondition(json, keys, toComparison(operator), limits),
    )
  }
  const relationship = model.relationships.get(name)
  if (!relationship && model.relationships.has(head)) {
    const brackets = [head, ...keys].map((part) => `[${part}]`).join('')
    throw malformedParameter(parameter, `Put the related field in its own brackets: filter${brackets}.`)
  }
  if (!relationship) throw unknownField(parameter, model, name)
  const many = enterRelation(relationship, context.counter, context.depth, limits, parameter.name)
  return parseRelationship(relationship, rest, { ...context, depth: many })
}

function parseRelationship(
  relationship: Relationship,
  words: readonly Word[],
  context: FilterContext,
): FilterCondition {
  const { parameter, values } = context
  const { target, relation } = relationship
  const comparison: Comparison = { subject: parameter, values, operator: undefined }
  const [next, ...rest] = words
  if (!next) return relationshipCondition(relationship, comparison)
  const isField = !next.isOperator && hasField(target, next.text)
  const isWord = isQuantifier(next.text) || next.text === 'count' || isOperator(next.text) || next.text === 'not'
  if (isField || (!next.isOperator && !isWord)) {
    assertReadable(relationship, parameter.name)
    return quantify(relationship, parseWords(words, { ...context, model: target }))
  }
  if (isQuantifier(next.text)) {
    if (!relation.many) throw unsupportedOperator(parameter, `"${relationship.name}" is a to-one relationship.`)
    if (rest.length === 0) return relationshipCondition(relationship, comparison, next.text)
    assertReadable(relationship, parameter.name)
    return quantify(relationship, parseWords(rest, { ...context, model: target }), next.text)
  }
  if (next.text === 'count' || (next.text === 'isEmpty' && rest.length === 0)) {
    assertReadable(relationship, parameter.name)
    const value = singleValue(values, parameter)
    if (next.text === 'isEmpty') return isEmptyCondition(relationship, value, parameter)
    const [operator = { text: 'equals', isOperator: true }, more] = rest
    if (more || !isCountOperator(operator.text)) throw unexpectedWordError(parameter, (more ?? operator).text)
    return countCondition(relationship, operator.text, value, parameter)
  }
  return parseOperators(words, context, (operator) => relationshipCondition(relationship, { ...comparison, operator }))
}

/** Parses operators. `filter[name][contains]`, whose name is valid in JSON:API, is equivalent to `filter[name$contains]`. */
function parseOperators(
  words: readonly Word[],
  { parameter }: FilterContext,
  createCondition: (operator: string | undefined) => FilterCondition,
): FilterCondition {
  const isNegated = words[0]?.text === 'not'
  const [operator, more] = isNegated ? words.slice(1) : words
  const unexpected = [operator, more].find((word) => word && !word.isOperator && !isOperator(word.text)) ?? more
  if (unexpected) throw unexpectedWordError(parameter, unexpected.text)
  if (!isNegated) return createCondition(operator?.text)
  if (operator) return negate(createCondition(operator.text))
  throw unsupportedOperator(
    parameter,
    '"not" must be followed by an operator, such as "$not$contains". For "not equal", use "$ne".',
  )
}

function hasField(model: RestModel, name: string): boolean {
  return name === 'id' || model.attributes.has(name) || model.relationships.has(name)
}

function unexpectedWordError(parameter: Parameter, name: string): Error {
  const word = name.slice(1)
  const hint = name.startsWith('$') && isOperator(word) ? ` In separate brackets, omit the "$": [${word}].` : ''
  return malformedParameter(parameter, `"${name}" is neither a field nor an operator here.${hint}`)
}
