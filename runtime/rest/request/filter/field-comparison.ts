import type { Field } from '../../../schema/resource.js'
import { fieldReference } from '../../../values/field-reference.js'
import type { NamedField, RestModel } from '../../model.js'
import { type FilterCondition, orExactly } from './condition.js'

/**
 * A condition on two fields of a row: `greaterThan(updatedAt,publishedAt)`. Prisma compares fields of one model.
 * @param operator Prisma's
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
 * Whether the values of two fields are of one type, so that Prisma and every database compare them. Of Json values each database has its
 * own notion of equality, and of enums it is not known here whether two are the same one.
 */
export function areComparable(one: Field, other: Field): boolean {
  return isSingle(one) && isSingle(other) && one.type === other.type && one.uuid === other.uuid
}

function isSingle({ list, type }: Field): boolean {
  return !list && type !== 'Json' && type !== 'Enum'
}
