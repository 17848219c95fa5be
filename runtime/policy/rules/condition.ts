import { hasFieldReference } from '../../values/prisma-values.js'
import { isObject } from '../../values/is-object.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'

/** When an action is allowed: always, never, or for rows that match a filter. */
export type Condition = boolean | Args

/** Combines conditions with AND. */
export function allOf(conditions: Iterable<Condition>): Condition {
  const filters = new Set<Args>()
  for (const condition of conditions) {
    if (condition === false) return false
    if (condition !== true) filters.add(condition)
  }
  const [first, ...others] = filters
  if (!first) return true
  return others.length === 0 ? first : { AND: [first, ...others] }
}

/** Combines conditions with OR. */
export function anyOf(conditions: Iterable<Condition>): Condition {
  const filters = new Set<Args>()
  for (const condition of conditions) {
    if (condition === true) return true
    if (condition !== false) filters.add(condition)
  }
  const [first, ...others] = filters
  if (!first) return false
  return others.length === 0 ? first : { OR: [first, ...others] }
}

/**
 * Converts a condition to a filter. The result is never an empty `OR`, because Prisma ignores a nested one, so that all rows would match.
 */
export function toFilter(model: PolicyModel, condition: Condition): Args {
  if (condition === true) return {}
  return condition === false ? model.noRows : condition
}

/** Adds conditions to a filter with AND. The filter's own conditions keep their positions. */
export function restrict(model: PolicyModel, where: Args, conditions: Iterable<Condition>): Args {
  const condition = allOf(conditions)
  if (condition === true) return where
  const before = where['AND']
  if (before === undefined && Object.keys(where).length === 0) return toFilter(model, condition)
  return { ...where, AND: [before ?? [], toFilter(model, condition)].flat() }
}

/** Negates a filter. Prisma ignores an empty filter inside `NOT`, so the filter is combined with one that matches every row. */
export function negate(model: PolicyModel, where: Args): Args {
  return { NOT: { AND: [where, { NOT: model.noRows }] } }
}

/** Whether a filter has no conditions, so that every row matches. */
export function isEmpty(where: unknown): boolean {
  return isObject(where) && Object.values(where).every((value) => value === undefined)
}

/**
 * Whether a write to some fields of the row, or to other rows, may change the result of a condition. Conditions on relations always depend
 * on other rows.
 */
export function dependsOn(condition: unknown, model: PolicyModel, fields: ReadonlySet<string>): boolean {
  if (Array.isArray(condition)) return condition.some((part) => dependsOn(part, model, fields))
  if (!isObject(condition)) return false
  return Object.entries(condition).some(([key, value]) => {
    if (key === 'AND' || key === 'OR' || key === 'NOT') return dependsOn(value, model, fields)
    return fields.has(key) || model.relations.has(key) || (fields.size > 0 && hasFieldReference(value))
  })
}
