import type { Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'

/**
 * Copies of rows with what of them is on the wire, at every depth: fields that are read, computed fields that are exposed, relations, and `_count` of these.
 * @param rows one, a list, or none
 */
export function exposeRows(rows: unknown, model: Model): unknown {
  if (Array.isArray(rows)) return rows.map((row) => exposeRows(row, model))
  if (!isObject(rows)) return null
  const kept: Record<string, unknown> = {}
  // By name, so that no computed field is computed that is not shown.
  for (const name of Object.keys(rows)) {
    const field = model.fields.get(name)
    const relation = model.relations.get(name)
    if (field) {
      if (!field.writeOnly) kept[name] = rows[name]
    } else if (model.computed.has(name)) {
      kept[name] = rows[name]
    } else if (relation) {
      kept[name] = exposeRows(rows[name], relation.target)
    } else if (name === '_count') {
      const value = rows[name]
      if (!isObject(value)) continue
      kept[name] = Object.fromEntries(Object.entries(value).filter(([counted]) => model.relations.has(counted)))
    }
  }
  return kept
}
