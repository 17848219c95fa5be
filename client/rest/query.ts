import { jsonText } from './json.js'
import { textOf } from './text.js'

/** What a request asks for, as it stands in the query of its URL. */
export interface RawQuery {
  readonly filter?: object
  readonly sort?: readonly string[]
  readonly include?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>
  readonly page?: object
}

/** What a query may have. */
const MEMBERS: readonly string[] = ['filter', 'sort', 'include', 'fields', 'page']

/**
 * Writes the query of a URL, with its `?`; empty where it asks for nothing.
 * @param typeOf the `type` of the resources of a collection
 * @throws TypeError for what cannot be said, as a condition that is undefined: left out, it would answer more rows
 */
export function searchOf(query: RawQuery, typeOf: (collection: string) => string): string {
  const unknown = Object.keys(query).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) throw new TypeError(`A query has no "${unknown}". It may have ${MEMBERS.join(', ')}.`)
  const { filter = {}, sort = [], include = [], fields = {}, page = {} } = query
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) addFilter(parameters, `filter[${name}]`, value)
  if (sort.length > 0) parameters.append('sort', sort.join(','))
  for (const [name, value] of Object.entries(page)) {
    if (value !== undefined) parameters.append(`page[${name}]`, String(value))
  }
  if (include.length > 0) parameters.append('include', include.join(','))
  for (const [name, names] of Object.entries(fields)) {
    if (names) parameters.append(`fields[${typeOf(name)}]`, names.join(','))
  }
  const text = String(parameters)
  return text === '' ? '' : `?${text}`
}

function addFilter(parameters: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) {
    throw new TypeError(`${name} is undefined. Leave it out, or give null to find what has no value.`)
  }
  if (value === null) return parameters.append(`${name}[isNull]`, 'true')
  if (Array.isArray(value)) {
    if (value.length === 0) throw new TypeError(`${name} is an empty list, which nothing can match.`)
    return parameters.append(name, value.map((one) => escaped(oneText(name, one))).join(','))
  }
  const whole = jsonText(value)
  // A Json value is not taken apart at its commas.
  if (whole !== undefined) return parameters.append(name, whole)
  const text = textOf(value)
  if (text !== undefined) return parameters.append(name, escaped(text))
  const conditions = Object.entries(value)
  if (conditions.length === 0) throw new TypeError(`${name} has no condition.`)
  for (const [key, condition] of conditions) addFilter(parameters, `${name}[${key}]`, condition)
}

function oneText(name: string, value: unknown): string {
  const text = jsonText(value) ?? textOf(value)
  if (text === undefined) throw new TypeError(`${name} holds what no value can be compared with.`)
  return text
}

/** Values are separated by commas. */
function escaped(text: string): string {
  return text.replaceAll(/[\\,]/g, '\\$&')
}
