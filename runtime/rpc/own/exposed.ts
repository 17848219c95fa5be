import type { Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'

/**
 * Copies of rows with what of them is on the wire, at every depth: fields that are read, relations, and `_count` of these.
 * @param rows one, a list, or none
 */
export function exposed(rows: unknown, model: Model): unknown {
  if (Array.isArray(rows)) return rows.map((row) => exposed(row, model))
  if (!isObject(rows)) return null
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rows)) {
    const field = model.fields.get(name)
    const relation = model.relations.get(name)
    if (field) {
      if (!field.writeOnly) kept[name] = value
    } else if (relation) {
      kept[name] = exposed(value, relation.target)
    } else if (name === '_count' && isObject(value)) {
      kept[name] = Object.fromEntries(Object.entries(value).filter(([counted]) => model.relations.has(counted)))
    }
  }
  return kept
}
