import { decodeForm, queryPairs } from '../../http/decode-url.js'
import { RequestError } from '../../errors/request-error.js'

/** The supported query parameters of JSON:API, by the first part of their name. */
export type Family = 'filter' | 'fullText' | 'sort' | 'page' | 'include' | 'fields' | IncludedFamily | 'relatedCount'

/** The parameters of included lists. JSON:API reserves names with a capital letter for implementations. */
export type IncludedFamily = 'includeFilter' | 'includeSort' | 'includePage'

/** One query parameter: `filter[author][name]=Ann` has the path `['author', 'name']`. */
export interface Parameter {
  readonly family: Family
  /** The complete, decoded name. */
  readonly name: string
  readonly path: readonly string[]
  readonly value: string
}

/** The parameters of a request. */
export interface Query {
  readonly parameters: readonly Parameter[]
}

const INCLUDED: readonly Family[] = ['includeFilter', 'includeSort', 'includePage']
const FAMILIES: readonly Family[] = [
  'filter',
  'fullText',
  'sort',
  'page',
  'include',
  'fields',
  ...INCLUDED,
  'relatedCount',
]

/** The parameters of a collection: all families. */
export const COLLECTION_FAMILIES = FAMILIES

/** The parameters of a single resource. */
export const SINGLE_FAMILIES: readonly Family[] = ['include', 'fields', ...INCLUDED, 'relatedCount']

const NO_PARAMETERS: Query = { parameters: [] }

const NAME = /^([A-Za-z]+)((?:\[[^[\]]*\])*)$/

/**
 * Parses the query of a request's URL as `application/x-www-form-urlencoded`. Brackets may be encoded. Unknown parameters are rejected,
 * because a mistyped `filter` would otherwise return all rows.
 * @param families the parameters that the endpoint supports
 * @throws RequestError 400 if a parameter is malformed or not supported
 */
export function parseQuery(url: string, families: readonly Family[]): Query {
  const pairs = queryPairs(url)
  if (pairs.length === 0) return NO_PARAMETERS
  const parameters: Parameter[] = []
  for (const pair of pairs) {
    const name = decode(pair[0])
    const value = decode(pair[1])
    const [, family = '', brackets = ''] = NAME.exec(name) ?? []
    if (name === '') throw new RequestError({ code: 'malformed-parameter', detail: 'A parameter has no name.' })
    if (!isFamily(family)) throw unsupported(name, `Unknown parameter. ${possible(families)}`)
    if (!families.includes(family)) throw unsupported(name, `"${family}" is not supported here. ${possible(families)}`)
    const path = brackets === '' ? [] : brackets.slice(1, -1).split('][')
    checkShape(family, name, path)
    parameters.push({ family, name, path, value })
  }
  return { parameters }
}

/** Returns the parameters of one family, in the order of the request. */
export function parametersInFamily(query: Query, family: Family): readonly Parameter[] {
  if (query.parameters.length === 0) return query.parameters
  return query.parameters.filter((parameter) => parameter.family === family)
}

/**
 * Returns the entries of parameters with comma-separated lists. A list may also consist of one parameter per entry, as generated clients
 * send it.
 */
export function splitEntries(parameters: readonly Parameter[]): readonly string[] {
  return parameters.flatMap(({ value }) => value.split(','))
}

/** Returns a 400 error for a malformed parameter. */
export function malformedParameter(parameter: { readonly name: string }, detail: string): RequestError {
  return new RequestError({ code: 'malformed-parameter', detail, source: { parameter: parameter.name } })
}

function possible(families: readonly Family[]): string {
  return families.length === 0 ? 'This URL has no query parameters.' : `Available: ${families.join(', ')}.`
}

function unsupported(name: string, detail: string): RequestError {
  return new RequestError({ code: 'unsupported-parameter', detail, source: { parameter: name } })
}

function isFamily(name: string): name is Family {
  return FAMILIES.some((family) => family === name)
}

function checkShape(family: Family, name: string, path: readonly string[]): void {
  const detail = {
    // A filter without brackets is an expression.
    filter: undefined,
    fields: path.length !== 1 && 'Must name one resource type: fields[<type>].',
    fullText: (path.length !== 1 || path[0] === '') && 'Must name fields: fullText[title,content].',
    page: path.length !== 1 && PAGE_PARAMETERS,
    include: path.length > 0 && 'Must not have brackets.',
    sort: path.length > 0 && 'Must not have brackets.',
    relatedCount: path.length > 0 && 'Must not have brackets.',
    includeFilter: path.length === 0 && `Must name the included path first: includeFilter[comments]. ${PATH}`,
    includeSort: path.length !== 1 && `Must name the included path: includeSort[comments]. ${PATH}`,
    includePage: path.length !== 2 && `Must name the included path first: includePage[comments][limit]. ${PATH}`,
  }[family]
  if (detail) throw malformedParameter({ name }, detail)
}

/** The parameters of the family `page`, for error messages. */
export const PAGE_PARAMETERS =
  'Use page[offset] and page[limit], page[number] and page[size], or page[after], page[before] and page[size]; ' +
  'page[total] sets whether the response contains the total.'

const PATH = 'Paths use dots: [posts.comments].'

function decode(text: string): string {
  const decoded = decodeForm(text)
  if (decoded !== undefined) return decoded
  throw new RequestError({ code: 'malformed-parameter', detail: 'The query is not percent-encoded UTF-8.' })
}
