import type { PolicyModel } from '../policy-schema.js'

/** The names that rules can use for a field. A relation and its foreign key are the same thing under two names. */
export interface RuleNames {
  /** A `cannot` rule that names any of these forbids the field. */
  readonly forbid: readonly string[]
  /**
   * Alternatives that allow the field. An alternative applies if each of its parts is allowed by a `can` rule with one of the part's names.
   */
  readonly allow: readonly (readonly (readonly string[])[])[]
}

/**
 * Returns the names of a field in rules.
 *
 * If a foreign key has one column, the relation and the column are interchangeable. If it has several, the relation represents all of them,
 * and each column represents only itself. A column that multiple relations share is allowed by its own name, or by the names of all these
 * relations.
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
  const isOnlyOwner = owner !== undefined && owners.length === 1
  if (isOnlyOwner || owners.length === 0) return { forbid: [field, ...owners], allow: [[[field, ...owners]]] }
  return { forbid: [field, ...owners], allow: [[[field]], owners.map((name) => [name])] }
}
