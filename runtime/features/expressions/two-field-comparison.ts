import type { Field } from '../../schema/resource.js'
import { fieldReference } from '../../values/field-reference.js'
import type { NamedField, RestModel } from '../../rest/rest-model.js'
import { type FilterCondition, withExact } from '../../rest/request/filter/combine-conditions.js'

/**
 * Returns a condition on two fields of a row: `greaterThan(updatedAt,publishedAt)`. Prisma can only compare fields of the same model.
 * @param operator Prisma's operator
 */
export function twoFieldComparison(
  { model }: RestModel,
  left: NamedField,
  operator: string,
  right: NamedField,
): FilterCondition {
  const where = { [left.name]: { [operator]: fieldReference(model.name, right.name) } }
  const empty = [left, right].filter(({ field }) => field.optional)
  if (empty.length === 0) return () => where
  const exactly = { AND: [where, ...empty.map(({ name }) => ({ [name]: { not: null } }))] }
  return withExact(where, exactly)
}

/**
 * Whether two fields have the same type and every database can compare them. Excludes Json, because its equality depends on the database.
 * Also excludes enums, because the schema metadata does not say whether two fields have the same enum.
 */
export function areComparable(left: Field, right: Field): boolean {
  return isSingle(left) && isSingle(right) && left.type === right.type && left.uuid === right.uuid
}

function isSingle({ list, type }: Field): boolean {
  return !list && type !== 'Json' && type !== 'Enum'
}
