import type { Feature } from '../../http/feature.js'
import type { Dialect } from '../../prisma/dialect.js'
import type { Where } from '../../rest/request/filter/combine-conditions.js'
import { parseBracketFilter } from '../../rest/request/filter/parse-bracket-filter.js'
import { limitError } from '../../rest/request/request-errors.js'
import {
  type Families,
  malformedParameter,
  parametersInFamily,
  type Query,
} from '../../rest/request/query/parse-query.js'
import type { OrderBy } from '../../rest/request/query/parse-sort.js'
import { restFeature } from '../../rest/rest-features.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { Settings } from '../../rest/settings.js'

const FAMILIES: Families = new Map([
  [
    'fullText',
    {
      isCollectionOnly: true,
      explain: ([fields = '', ...others]) =>
        fields === '' || others.length > 0 ? 'Must name fields: fullText[title,content].' : undefined,
    },
  ],
])

/**
 * Enables full-text search over several fields: `fullText[title,content]=fox`.
 * Called by the emitted `index.ts`.
 */
export function fullTextSearch(): Feature<'fullText'> {
  return restFeature('fullText', { families: FAMILIES, parse: parseFullText })
}

/** A full-text search in one or more fields. */
interface FullText {
  readonly where: Where
  /** Sorts by relevance, best match first. */
  readonly order: OrderBy
}

/**
 * Parses `fullText[title,content]=fox`. The value uses the database's search syntax.
 * @returns undefined if there is no search
 * @throws RequestError 400 if a field is not text; 403 if a relationship is unreadable
 */
function parseFullText(query: Query, model: RestModel, settings: Settings, dialect: Dialect): FullText | undefined {
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
