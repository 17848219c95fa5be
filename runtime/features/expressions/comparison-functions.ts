import type { Operator } from '../../rest/request/filter/filter-operators.js'

/** A comparison function. */
export interface ComparatorSpec {
  /** The equivalent `filter[…]` operator. Undefined for equality. */
  readonly operator?: Operator
  /** The number of values: one, two, one or more (`list`), or none. */
  readonly arity: 1 | 2 | 'list' | 0
  /** Whether it can also compare counts of related resources, other fields and, with `equals`, null. */
  readonly compares?: true
}

/** The comparison functions, by name. */
export const COMPARATORS = {
  equals: { arity: 1, compares: true },
  lessThan: { operator: 'lt', arity: 1, compares: true },
  lessOrEqual: { operator: 'lte', arity: 1, compares: true },
  greaterThan: { operator: 'gt', arity: 1, compares: true },
  greaterOrEqual: { operator: 'gte', arity: 1, compares: true },
  contains: { operator: 'contains', arity: 1 },
  startsWith: { operator: 'startsWith', arity: 1 },
  endsWith: { operator: 'endsWith', arity: 1 },
  any: { arity: 'list' },
  // With a value, `has` compares a list. Without one, it is a quantifier.
  has: { operator: 'has', arity: 1 },
  // JsonApiDotNetCore does not have this function.
  between: { operator: 'between', arity: 2 },
  icontains: { operator: 'icontains', arity: 1 },
  istartsWith: { operator: 'istartsWith', arity: 1 },
  iendsWith: { operator: 'iendsWith', arity: 1 },
  iequals: { operator: 'iequals', arity: 1 },
  search: { operator: 'search', arity: 1 },
  hasSome: { operator: 'hasSome', arity: 'list' },
  hasEvery: { operator: 'hasEvery', arity: 'list' },
  isEmpty: { operator: 'isEmpty', arity: 0 },
} as const satisfies Readonly<Record<string, ComparatorSpec>>

/** The name of a comparison function. */
export type Comparator = keyof typeof COMPARATORS

/** Whether a comparison function has this name. */
export function isComparator(name: string): name is Comparator {
  return Object.hasOwn(COMPARATORS, name)
}

/** Returns the specification of a comparison function. */
export function comparatorSpec(name: Comparator): ComparatorSpec {
  return COMPARATORS[name]
}

/** The names of all functions that an expression may start with. */
export const FUNCTIONS: readonly string[] = ['and', 'or', 'not', 'every', ...Object.keys(COMPARATORS)]
