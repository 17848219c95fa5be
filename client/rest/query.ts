import { jsonText } from './json.js'
import { needsExpression } from './combinators.js'
import { valueOrJsonToText, valueToText } from './text.js'

/** The untyped query of a request. */
export interface RawQuery {
  readonly filter?: object
  readonly fullText?: { readonly fields: readonly string[]; readonly search: string }
  readonly sort?: readonly string[]
  readonly include?: readonly string[]
  readonly lists?: Readonly<Record<string, RawList | undefined>>
  readonly relatedCount?: readonly string[]
  readonly fields?: Readonly<Record<string, readonly string[] | undefined>>
  readonly page?: object
}

/** Options of an included list. */
interface RawList {
  readonly filter?: object
  readonly sort?: readonly string[]
  readonly limit?: number
}

const OPTIONS: readonly string[] = ['filter', 'fullText', 'sort', 'include', 'lists', 'relatedCount', 'fields', 'page']

/**
 * Builds the query string of a URL with its `?`, or an empty string for an empty query.
 * @param getType returns the resource type of a collection
 * @throws TypeError if an option is unknown, or if a condition is undefined, because omitting the condition would return more rows
 */
export async function buildQueryString(query: RawQuery, getType: (collection: string) => string): Promise<string> {
  const unknown = Object.keys(query).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined) throw new TypeError(`Unknown query option "${unknown}". Available: ${OPTIONS.join(', ')}.`)
  const {
    filter = {},
    fullText,
    sort = [],
    include = [],
    lists = {},
    relatedCount = [],
    fields = {},
    page = {},
  } = query
  const parameters = new URLSearchParams()
  await addFilters(parameters, 'filter', filter)
  if (fullText) {
    // Omitting an empty search would return more rows.
    if (!fullText.search) throw new TypeError('fullText.search must not be empty.')
    parameters.append(`fullText[${fullText.fields.join(',')}]`, fullText.search)
  }
  if (sort.length > 0) parameters.append('sort', sort.join(','))
  for (const [name, value] of Object.entries(page)) {
    if (value !== undefined) parameters.append(`page[${name}]`, String(value))
  }
  if (include.length > 0) parameters.append('include', include.join(','))
  if (relatedCount.length > 0) parameters.append('relatedCount', relatedCount.join(','))
  for (const [path, list] of Object.entries(lists)) {
    if (list?.limit !== undefined) parameters.append(`includePage[${path}][limit]`, String(list.limit))
    if (list?.sort?.length) parameters.append(`includeSort[${path}]`, list.sort.join(','))
    await addFilters(parameters, `includeFilter[${path}]`, list?.filter ?? {})
  }
  for (const [name, names] of Object.entries(fields)) {
    if (names) parameters.append(`fields[${getType(name)}]`, names.join(','))
  }
  const text = String(parameters)
  return text && `?${text}`
}

/** Adds one parameter per condition. Conditions with combinators become one expression. The code for expressions is loaded on first use. */
async function addFilters(parameters: URLSearchParams, family: string, filter: object): Promise<void> {
  const entries = Object.entries(filter)
  const joined = entries.filter(needsExpression)
  for (const [name, value] of entries) {
    if (!joined.some(([other]) => other === name)) addFilter(parameters, `${family}[${name}]`, value)
  }
  if (joined.length === 0) return
  const { buildExpression } = await import('./expression.js')
  parameters.append(family, buildExpression(Object.fromEntries(joined)))
}

function addFilter(parameters: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) {
    throw new TypeError(`${name} is undefined. Omit it or use null.`)
  }
  if (value === null) return parameters.append(`${name}[isNull]`, 'true')
  if (Array.isArray(value)) {
    if (value.length === 0) throw new TypeError(`${name} must not be empty.`)
    return parameters.append(name, value.map((item) => escaped(toFilterText(name, item))).join(','))
  }
  const json = jsonText(value)
  // A Json value is not split at its commas.
  if (json !== undefined) return parameters.append(name, json)
  const text = valueToText(value)
  if (text !== undefined) return parameters.append(name, escaped(text))
  const conditions = Object.entries(value)
  if (conditions.length === 0) throw new TypeError(`${name} has no condition.`)
  for (const [key, condition] of conditions) addFilter(parameters, `${name}[${key}]`, condition)
}

function toFilterText(name: string, value: unknown): string {
  const text = valueOrJsonToText(value)
  if (text === undefined) throw new TypeError(`${name} has an invalid value.`)
  return text
}

/** Escapes a value, because unescaped commas separate values. */
function escaped(text: string): string {
  return text.replaceAll(/[\\,]/g, '\\$&')
}
