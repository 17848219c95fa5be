import type { Dialect } from '../../../prisma/dialect.js'

/** Prisma's `where`. */
export type Where = Readonly<Record<string, unknown>>

/**
 * A condition on the rows. Throws RequestError 400 if the database lacks its operator.
 *
 * In SQL, a comparison with NULL is neither true nor false, and neither is its negation. In this API, such a comparison is false and its
 * negation is true, so that `not` matches exactly the rows that the condition does not match. A negation must therefore use the exact form
 * of a condition.
 * @param exact whether the condition must be true or false for each row; otherwise, it may be unknown instead of false
 */
export interface FilterCondition {
  (dialect: Dialect, exact: boolean): Where
  /** The negated condition, if this is the result of {@link negate}. */
  readonly opposite?: FilterCondition
}

/** Returns a condition that is true if all parts are true. */
export function allOf(parts: readonly FilterCondition[]): FilterCondition {
  return combine('AND', parts)
}

/** Returns a condition that is true if any part is true. */
export function anyOf(parts: readonly FilterCondition[]): FilterCondition {
  return combine('OR', parts)
}

/** Returns a condition that is true for exactly the rows for which the part is not true. */
export function not(part: FilterCondition): FilterCondition {
  return (dialect) => ({ NOT: part(dialect, true) })
}

/**
 * Like {@link not}, for an operator at the end of a path. Negates the whole path through to-one relationships, so the condition is also
 * true if a related row does not exist.
 */
export function negate(opposite: FilterCondition): FilterCondition {
  return Object.assign(not(opposite), { opposite })
}

function combine(combinator: 'AND' | 'OR', parts: readonly FilterCondition[]): FilterCondition {
  const [only] = parts
  if (parts.length === 1 && only) return only
  return (dialect, exact) => ({ [combinator]: parts.map((part) => part(dialect, exact)) })
}

/** Returns a condition that uses a different `where` if it must be exact. */
export function withExact(where: Where, exactly: Where): FilterCondition {
  return (_dialect, exact) => (exact ? exactly : where)
}
