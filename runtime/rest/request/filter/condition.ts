import type { Dialect } from '../../../orm/dialect.js'

/** Prisma's `where`. */
export type Where = Readonly<Record<string, unknown>>

/**
 * One condition on the rows. Throws RequestError 400 where the database lacks its operator.
 *
 * To SQL, a comparison with NULL is neither true nor false, and neither is its opposite. Here it is false, and its opposite true: what
 * `not` says of a row is never what is left out. So whoever negates a condition asks for its exact form.
 * @param exact whether the database must know of each row that the condition holds or does not hold; otherwise, that it holds is enough
 */
export interface FilterCondition {
  (dialect: Dialect, exact: boolean): Where
  /** The condition that a {@link negated} one is the opposite of. */
  readonly opposite?: FilterCondition
}

/** Holds where all of some hold. */
export function allOf(parts: readonly FilterCondition[]): FilterCondition {
  return joined('AND', parts)
}

/** Holds where any of some holds. */
export function anyOf(parts: readonly FilterCondition[]): FilterCondition {
  return joined('OR', parts)
}

/** Holds for each row for which the other does not, and for no other row. */
export function not(part: FilterCondition): FilterCondition {
  return (dialect) => ({ NOT: part(dialect, true) })
}

/**
 * As {@link not}, for an operator at the end of a path. Negates the whole path through to-one relationships, so the condition also holds if a
 * related row does not exist.
 */
export function negated(opposite: FilterCondition): FilterCondition {
  return Object.assign(not(opposite), { opposite })
}

function joined(combinator: 'AND' | 'OR', parts: readonly FilterCondition[]): FilterCondition {
  const [only] = parts
  if (parts.length === 1 && only) return only
  return (dialect, exact) => ({ [combinator]: parts.map((part) => part(dialect, exact)) })
}

/** Returns a condition with another `where` if it must be exact. */
export function orExactly(where: Where, exactly: Where): FilterCondition {
  return (_dialect, exact) => (exact ? exactly : where)
}
