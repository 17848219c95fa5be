import type { Model } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'

/**
 * Copies the exposed properties of rows, at every depth: readable fields, exposed computed fields, relations and their `_count`.
 * @param rows one row, a list of rows, or null
 */
export function exposeRows(rows: unknown, model: Model): unknown {
  if (Array.isArray(rows)) return rows.map((row) => exposeRows(row, model))
  if (!isObject(rows)) return null
  const exposed: Record<string, unknown> = {}
  // Properties are read by name, so that computed fields are not evaluated unless they are exposed.
  for (const name of Object.keys(rows)) {
    const field = model.fields.get(name)
    const relation = model.relations.get(name)
    if (field) {
      if (!field.writeOnly) exposed[name] = rows[name]
    } else if (model.computed.has(name)) {
      exposed[name] = rows[name]
    } else if (relation) {
      exposed[name] = exposeRows(rows[name], relation.target)
    } else if (name === '_count') {
      const value = rows[name]
      if (!isObject(value)) continue
      exposed[name] = Object.fromEntries(
        Object.entries(value).filter(([relationName]) => model.relations.has(relationName)),
      )
    }
  }
  return exposed
}
