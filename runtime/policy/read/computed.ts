import type { PolicyModel } from '../schema.js'

/**
 * Rows without the fields that extensions compute, as the database has them: a client that such extensions are on computes them from
 * whatever it loads, whether or not it may be shown. The client that the caller holds computes them again, from what is left.
 * @param rows one row, a list of rows, or what is none
 * @returns copies
 */
export function withoutComputed(model: PolicyModel, rows: unknown): unknown {
  if (Array.isArray(rows)) return rows.map((row) => withoutComputed(model, row))
  return typeof rows === 'object' && rows !== null ? ownMembers(model, rows) : rows
}

/** As {@link withoutComputed}, of one row. */
export function ownMembers(model: PolicyModel, row: object): Record<string, unknown> {
  const own: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const relation = model.relations.get(name)
    if (relation) own[name] = withoutComputed(relation.target, value)
    else if (model.fields.has(name) || name === '_count') own[name] = value
  }
  return own
}
