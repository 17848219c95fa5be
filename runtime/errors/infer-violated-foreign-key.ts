import type { Model } from '../schema/model.js'

/**
 * Returns the fields of the violated foreign key if the write sets only one foreign key. The database error is not used, because its
 * details depend on the database. Under access policies, an unreadable row and a missing row must result in the same response on every
 * database.
 * @param value returns the value that the write sets for a field
 * @returns undefined if the write sets several foreign keys, or if the key is not fully exposed
 */
export function inferViolatedForeignKey(
  model: Model,
  value: (field: string) => unknown,
): readonly string[] | undefined {
  const keys = [...model.relations.values()].flatMap(({ foreignKey }) => (foreignKey ? [Object.keys(foreignKey)] : []))
  const writtenKeys = keys.filter((fields) => fields.some((name) => (value(name) ?? null) !== null))
  const [only] = writtenKeys
  return writtenKeys.length === 1 && only?.every((name) => model.fields.has(name)) ? only : undefined
}
