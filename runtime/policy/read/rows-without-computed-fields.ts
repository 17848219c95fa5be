import type { PolicyModel } from '../policy-schema.js'

/**
 * Returns copies of rows without computed fields. A client with result extensions computes them from everything that it loads, readable or
 * not. The caller's client computes them again, from the remaining fields.
 * @param rows one row, a list of rows, or another value, which is returned unchanged
 */
export function rowsWithoutComputedFields(model: PolicyModel, rows: unknown): unknown {
  if (Array.isArray(rows)) return rows.map((row) => rowsWithoutComputedFields(model, row))
  return typeof rows === 'object' && rows !== null ? rowWithoutComputedFields(model, rows) : rows
}

/** Like {@link rowsWithoutComputedFields}, for one row. */
export function rowWithoutComputedFields(model: PolicyModel, row: object): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  // Properties are read by name, so that no computed field is evaluated.
  for (const name of Object.keys(row)) {
    const relation = model.relations.get(name)
    if (relation) result[name] = rowsWithoutComputedFields(relation.target, Reflect.get(row, name))
    else if (model.fields.has(name) || name === '_count') result[name] = Reflect.get(row, name)
  }
  return result
}
