import { RequestError } from '../../../errors/request-error.js'
import type { RestModel } from '../../rest-model.js'
import { parametersInFamily, type Query } from './parse-query.js'

/** The fields in each `fields[type]`, by model (JSON:API "Sparse Fieldsets"). */
export type Fieldsets = ReadonlyMap<RestModel, ReadonlySet<string>>

const NONE: Fieldsets = new Map()

/**
 * Parses `fields[type]`.
 * @param byType all models of the API, by `type`
 * @throws RequestError 400 if a type or field is unknown
 */
export function parseFieldsets(query: Query, byType: ReadonlyMap<string, RestModel>): Fieldsets {
  const parameters = parametersInFamily(query, 'fields')
  if (parameters.length === 0) return NONE
  const fieldsets = new Map<RestModel, ReadonlySet<string>>()
  for (const parameter of parameters) {
    const [type = ''] = parameter.path
    const model = byType.get(type)
    if (!model) throw unknown(parameter.name, `Unknown resource type "${type}".`)
    const names = parameter.value === '' ? [] : parameter.value.split(',')
    for (const name of names) {
      if (name === 'id' || name === 'type') continue
      if (model.attributes.has(name) || model.computed.has(name) || model.relationships.has(name)) continue
      throw unknown(parameter.name, `"${type}" has no field "${name}".`)
    }
    fieldsets.set(model, new Set([...(fieldsets.get(model) ?? []), ...names]))
  }
  return fieldsets
}

function unknown(parameter: string, detail: string): RequestError {
  return new RequestError({ code: 'unknown-field', detail, source: { parameter } })
}
