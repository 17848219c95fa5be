import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { type Dialect, supportsFullText } from '../../prisma/dialect.js'
import type { RestModel } from '../rest-model.js'
import { limitError } from './limit-error.js'
import type { Where } from './filter/combine-conditions.js'
import { parseBracketFilter } from './filter/parse-bracket-filter.js'
import { malformedParameter, parametersInFamily, type Query } from './parse-query.js'
import type { OrderBy } from './parse-sort.js'

/** A full-text search in one or more fields. */
export interface FullText {
  readonly where: Where
  /** Sorts by relevance, best match first. */
  readonly order: OrderBy
}

/**
 * Parses `fullText[title,content]=fox`. The value uses the database's search syntax.
 * @returns undefined if there is no search
 * @throws RequestError 400 if a field is not text or the database has no full-text search; 403 if a relationship is unreadable
 */
export function parseFullText(query: Query, model: RestModel, limits: Limits, dialect: Dialect): FullText | undefined {
  const [parameter, second] = parametersInFamily(query, 'fullText')
  if (!parameter) return undefined
  if (second) throw malformedParameter(second, 'Only one search is allowed. It can search in multiple fields.')
  if (!supportsFullText(dialect)) {
    const detail = 'The database or its client does not support full-text search. Use filter[…][contains].'
    throw new RequestError({ code: 'unsupported-parameter', detail, source: { parameter: parameter.name } })
  }
  const { name, path, value } = parameter
  if (value.trim() === '') throw malformedParameter(parameter, 'Must contain words to search for.')
  const names = (path[0] ?? '').split(',')
  if (new Set(names).size < names.length)
    throw malformedParameter(parameter, 'Must not contain a field more than once.')
  if (names.length > limits.listLength)
    throw limitError('listLength', `A search can have at most ${limits.listLength} fields.`, name)
  const where: Record<string, unknown> = {}
  for (const field of names) {
    // Equivalent to `filter[title$search]`, with the same checks. Prisma combines the fields of one object into one search.
    const part = parseBracketFilter({ ...parameter, path: [`${field}$search`] }, [value], model, limits, { count: 0 })
    Object.assign(where, part(dialect, false))
  }
  return { where, order: { _relevance: { fields: Object.keys(where), search: value, sort: 'desc' } } }
}
