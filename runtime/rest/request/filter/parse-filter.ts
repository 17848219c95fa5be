import type { Dialect } from '../../../prisma/dialect.js'
import { limitError } from '../request-errors.js'
import type { FilterCondition, Where } from './combine-conditions.js'
import { parseBracketFilter } from './parse-bracket-filter.js'
import type { RelationCounter } from './relationship-condition.js'
import type { RestModel } from '../../rest-model.js'
import type { Settings } from '../../settings.js'
import { malformedParameter, parametersInFamily, type Parameter, type Query } from '../query/parse-query.js'

/** Compiles a filter for a database. Throws RequestError 400 if the database does not support one of its operators. */
export type Filter = (dialect: Dialect) => Where

/**
 * Parses `filter[…]` (contract 4.2) and, with the feature `expressions`, the expression in `filter`. Typos are rejected. If they were
 * ignored, the response would contain more rows than requested.
 * @returns undefined if there is no filter
 * @throws RequestError 400 if a name, an operator or the structure is invalid; 403 if a relationship is unreadable; 422 if a value has the
 * wrong type
 */
export function parseFilter(query: Query, model: RestModel, settings: Settings): Filter | undefined {
  const { limits, features } = settings
  const parameters = parametersInFamily(query, 'filter')
  if (parameters.length === 0) return undefined
  if (parameters.length > limits.listLength)
    throw limitError('listLength', `A request can have at most ${limits.listLength} filters.`, parameters[0]?.name)
  const lists = new Map<string, Parameter & { values: string[] }>()
  const parts: FilterCondition[] = []
  const counter: RelationCounter = { count: 0 }
  let expression: Parameter | undefined
  for (const parameter of parameters) {
    if (parameter.path.length === 0) {
      if (!features.expressions)
        throw malformedParameter(parameter, 'A filter must name a field in brackets: filter[<field>].')
      if (expression)
        throw malformedParameter(parameter, 'Only one expression is allowed. Combine conditions with and(…) or or(…).')
      expression = parameter
      parts.push(features.expressions.compile(parameter, model, settings, counter))
    } else if (parameter.path.length > 1 && parameter.path.at(-1) === '') {
      // `filter[id][]=1&filter[id][]=2` is one list.
      const list = lists.get(parameter.name)
      if (list) list.values.push(parameter.value)
      else lists.set(parameter.name, { ...parameter, path: parameter.path.slice(0, -1), values: [parameter.value] })
    } else {
      parts.push(parsePart(parameter, splitValues(parameter.value), model, settings, counter))
    }
  }
  for (const list of lists.values()) parts.push(parsePart(list, list.values, model, settings, counter))
  return (dialect) => {
    const wheres = parts.map((part) => part(dialect, false))
    const [first] = wheres
    return wheres.length === 1 && first ? first : { AND: wheres }
  }
}

/** Splits a value at commas. `\,` is a literal comma and `\\` a literal backslash. */
export function splitValues(text: string): string[] {
  if (!text.includes('\\')) return text.split(',')
  // With a comma in front, each value follows one.
  const values = `,${text}`.match(/,(?:\\.|[^,])*/g) ?? []
  return values.map((value) => value.slice(1).replace(/\\([,\\])/g, '$1'))
}

function parsePart(
  parameter: Parameter,
  values: readonly string[],
  model: RestModel,
  settings: Settings,
  counter: RelationCounter,
): FilterCondition {
  const { limits } = settings
  if (parameter.path.length > limits.depth) {
    throw limitError('depth', `A filter can have at most ${limits.depth} pairs of brackets.`, parameter.name)
  }
  if (values.length > limits.listLength)
    throw limitError('listLength', `A list can have at most ${limits.listLength} values.`, parameter.name)
  return parseBracketFilter(parameter, values, model, settings, counter)
}
