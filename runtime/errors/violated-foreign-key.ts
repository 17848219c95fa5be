import type { Model } from '../schema/schema.js'

/**
 * The foreign key that leads nowhere, where a write can mean one only: the fields of the only one that it gives as values. What the
 * request says, and not what the database does: under access policies a row that may not be read and one that does not exist
 * have to be answered in the same words, on every database.
 * @param value gives what the write gives for a field
 */
export function violatedForeignKey(model: Model, value: (field: string) => unknown): readonly string[] | undefined {
  const keys = [...model.relations.values()].flatMap(({ foreignKey }) => (foreignKey ? [Object.keys(foreignKey)] : []))
  const given = keys.filter((fields) => fields.some((name) => (value(name) ?? null) !== null))
  const [only] = given
  return given.length === 1 && only?.every((name) => model.fields.has(name)) ? only : undefined
}
