import { RequestError } from '../../errors/request-error.js'
import type { Feature } from '../../http/feature.js'
import type { Limits } from '../../limits.js'
import { selectFields } from '../../prisma/keys.js'
import { isRow, type Row } from '../../rest/orm/row.js'
import type { RequestedCounts } from '../../rest/orm/selection.js'
import { assertReadable } from '../../rest/relationship-capabilities.js'
import { limitError } from '../../rest/request/request-errors.js'
import {
  explainBrackets,
  type Families,
  splitEntries,
  malformedParameter,
  parametersInFamily,
  type Query,
} from '../../rest/request/query/parse-query.js'
import { restFeature } from '../../rest/rest-features.js'
import type { RestModel } from '../../rest/rest-model.js'

const FAMILIES: Families = new Map([['relatedCount', { explain: explainBrackets }]])

/**
 * Enables counts of related resources: `relatedCount=comments`.
 * Called by the emitted `index.ts`.
 */
export function relatedCounts(): Feature<'relatedCounts'> {
  return restFeature('relatedCounts', { families: FAMILIES, parse: parseRelatedCount })
}

/**
 * Parses `relatedCount`: the to-many relationships of the primary data whose related resources are counted.
 * @param model the model of the primary data; undefined for linkage, which has no relationships, and for rows of custom routes
 * @returns undefined if the request has no such parameter
 * @throws RequestError 400; 403 if a relationship is unreadable
 */
function parseRelatedCount(query: Query, model: RestModel | undefined, limits: Limits): RequestedCounts | undefined {
  const parameters = parametersInFamily(query, 'relatedCount')
  const [parameter] = parameters
  if (!parameter) return undefined
  if (!model) throw malformedParameter(parameter, 'This response cannot contain counts.')
  const names = new Set(splitEntries(parameters))
  if (names.size > limits.filterRelations) {
    throw limitError(
      'filterRelations',
      `At most ${limits.filterRelations} relationships can be counted.`,
      parameter.name,
    )
  }
  for (const name of names) {
    const relationship = model.relationships.get(name)
    if (!relationship) {
      const detail = `"${model.type}" has no relationship "${name}".`
      throw new RequestError({ code: 'unknown-field', detail, source: { parameter: parameter.name } })
    }
    if (!relationship.relation.many)
      throw malformedParameter(parameter, `"${name}" is a to-one relationship and cannot be counted.`)
    assertReadable(relationship, parameter.name)
  }
  return {
    has: (name) => names.has(name),
    args: (counted) => ({ _count: { select: selectFields(counted) } }),
    formatTotal,
  }
}

function formatTotal(row: Row, name: string): string {
  const counts = row['_count']
  const count = isRow(counts) ? counts[name] : undefined
  return typeof count === 'number' ? `"total":${count}` : ''
}
