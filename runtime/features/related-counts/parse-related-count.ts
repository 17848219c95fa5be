import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import type { RestModel } from '../../rest/rest-model.js'
import { assertReadable } from '../../rest/relationship-capabilities.js'
import { limitError } from '../../rest/request/limit-error.js'
import { splitEntries, malformedParameter, parametersInFamily, type Query } from '../../rest/request/parse-query.js'

const NONE: ReadonlySet<string> = new Set()

/**
 * Parses `relatedCount`: the to-many relationships of the primary data whose related resources are counted.
 * @param model the model of the primary data; undefined for linkage, which has no relationships
 * @throws RequestError 400; 403 if a relationship is unreadable
 */
export function parseRelatedCount(query: Query, model: RestModel | undefined, limits: Limits): ReadonlySet<string> {
  const parameters = parametersInFamily(query, 'relatedCount')
  const [parameter] = parameters
  if (!parameter) return NONE
  if (!model) throw malformedParameter(parameter, 'This response does not contain relationships.')
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
  return names
}
