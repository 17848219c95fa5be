import type { Field } from '../../../schema/resource.js'
import { fieldReference } from '../../../values/field-reference.js'
import type { NamedField, RestModel } from '../../model.js'
import { type FilterCondition, orExactly } from './condition.js'

/**
 * Returns a condition on two fields of a row: `greaterThan(updatedAt,publishedAt)`. Prisma can only compare fields of one model.
 * @param operator Prisma's operator
 */
export function fieldComparison(
  { model }: RestModel,
  one: NamedField,
  operator: string,
  other: NamedField,
): FilterCondition {
  const where = { [one.name]: { [operator]: fieldReference(model.name, other.name) } }
  const empty = [one, other].filter(({ field }) => field.optional)
  if (empty.length === 0) return () => where
  const exactly = { AND: [where, ...empty.map(({ name }) => ({ [name]: { not: null } }))] }
  return orExactly(where, exactly)
}

/**
 * Whether two fields have the same type and every database can compare them. Excludes Json, because databases define its equality
 * differently, and enums, because the schema metadata does not identify the enum.
 */
export function areComparable(one: Field, other: Field): boolean {
  return isSingle(one) && isSingle(other) && one.type === other.type && one.uuid === other.uuid
}

function isSingle({ list, type }: Field): boolean {
  return !list && type !== 'Json' && type !== 'Enum'
}
