import type { Dialect } from '../../prisma/dialect.js'
import type { Settings } from '../../rest/settings.js'
import type { RestModel } from '../../rest/rest-model.js'
import { limitError } from '../../rest/request/limit-error.js'
import type { Where } from '../../rest/request/filter/combine-conditions.js'
import { parseBracketFilter } from '../../rest/request/filter/parse-bracket-filter.js'
import { malformedParameter, parametersInFamily, type Query } from '../../rest/request/parse-query.js'
import type { OrderBy } from '../../rest/request/parse-sort.js'

/** A full-text search in one or more fields. */
export interface FullText {
  readonly where: Where
  /** Sorts by relevance, best match first. */
  readonly order: OrderBy
}

/**
 * Parses `fullText[title,content]=fox`. The value uses the database's search syntax.
 * @returns undefined if there is no search
 * @throws RequestError 400 if a field is not text; 403 if a relationship is unreadable
 */
export function parseFullText(
  query: Query,
  model: RestModel,
  settings: Settings,
  dialect: Dialect,
): FullText | undefined {
  const { limits } = settings
  const [parameter, second] = parametersInFamily(query, 'fullText')
  if (!parameter) return undefined
  if (second) throw malformedParameter(second, 'Only one search is allowed. It can search in multiple fields.')
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
    const part = parseBracketFilter({ ...parameter, path: [`${field}$search`] }, [value], model, settings, { count: 0 })
    Object.assign(where, part(dialect, false))
  }
  return { where, order: { _relevance: { fields: Object.keys(where), search: value, sort: 'desc' } } }
}
