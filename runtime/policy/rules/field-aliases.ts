import type { PolicyModel } from '../schema.js'

/** The names by which rules may speak of a field: a relation and its foreign key are one thing under two names. */
export interface RuleNames {
  /** A `cannot` that names any of these forbids the field. */
  readonly forbid: readonly string[]
  /** Ways of allowing it. All parts of a way must be allowed, each by a `can` that names any of its names. */
  readonly allow: readonly (readonly (readonly string[])[])[]
}

/**
 * The names of a field in rules.
 *
 * Where a relation has a key of one column, either name stands for both. Of a key of several columns, the relation stands for all,
 * but each column only for itself, and a column that several relations share is allowed by its own name, or by all of theirs.
 * @param field a field or a relation
 */
export function fieldAliases(model: PolicyModel, field: string): RuleNames {
  const holders = (column: string) =>
    [...model.relations.values()].filter(({ foreignKey }) => foreignKey && Object.hasOwn(foreignKey, column))
  const columns = Object.keys(model.relations.get(field)?.foreignKey ?? {})
  if (columns.length > 0) {
    const sharing = columns.flatMap(holders).map(({ name }) => name)
    const forbid = [...new Set([field, ...columns, ...sharing])]
    if (columns.length === 1) return { forbid, allow: [[[field, ...columns]]] }
    return { forbid, allow: [[[field]], columns.map((column) => [column])] }
  }
  const owners = holders(field).map(({ name }) => name)
  const [owner] = owners
  const isAlone = owner !== undefined && owners.length === 1
  if (isAlone || owners.length === 0) return { forbid: [field, ...owners], allow: [[[field, ...owners]]] }
  return { forbid: [field, ...owners], allow: [[[field]], owners.map((name) => [name])] }
}
