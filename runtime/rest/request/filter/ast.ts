import type { Operator } from '../operators.js'

/**
 * The expression of a `filter`, as it was written: `not(equals(author.name,'Ada'))`. The names of its functions are those of
 * JsonApiDotNetCore, because documents and builders for them exist, and some of ours.
 */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[]; readonly at: number }
  | { readonly kind: 'not'; readonly part: Expression; readonly at: number }
  | QuantifierNode
  | ComparisonNode

/** `has(comments,equals(seq,'1'))`: what the members of a to-many relationship are like. */
export interface QuantifierNode {
  readonly kind: 'has' | 'every'
  readonly chain: FieldPath
  readonly condition: Expression | undefined
  readonly at: number
}

/** A function of a field, or of the number of members, and values. */
export interface ComparisonNode {
  readonly kind: 'compare'
  readonly name: Comparator
  /** Whether it is about `count(…)` of the chain. */
  readonly isCount: boolean
  readonly chain: FieldPath
  /** At least one, but for `isEmpty`, which takes none. */
  readonly operands: readonly Operand[]
  readonly at: number
}

/** Names with points between them: `author.profile.bio`. */
export interface FieldPath {
  readonly names: readonly string[]
  readonly at: number
}

/** What a field is compared with: a text between quotes, `null`, or another field. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'null'; readonly at: number }
  | { readonly kind: 'field'; readonly chain: FieldPath; readonly at: number }

/** A function that compares. */
export interface ComparatorSpec {
  /** The operator of `filter[…]` that means the same; none is equality. */
  readonly operator?: Operator
  /** How many values it takes: one, two, one or more, or none. */
  readonly takes: 1 | 2 | 'list' | 0
  /** Whether it compares numbers, and so those of members. */
  readonly compares?: true
}

/** The functions that compare. */
export const COMPARATORS = {
  equals: { takes: 1, compares: true },
  lessThan: { operator: 'lt', takes: 1, compares: true },
  lessOrEqual: { operator: 'lte', takes: 1, compares: true },
  greaterThan: { operator: 'gt', takes: 1, compares: true },
  greaterOrEqual: { operator: 'gte', takes: 1, compares: true },
  contains: { operator: 'contains', takes: 1 },
  startsWith: { operator: 'startsWith', takes: 1 },
  endsWith: { operator: 'endsWith', takes: 1 },
  any: { takes: 'list' },
  // Of lists, where it takes a value
  has: { operator: 'has', takes: 1 },
  // Ours
  between: { operator: 'between', takes: 2 },
  icontains: { operator: 'icontains', takes: 1 },
  istartsWith: { operator: 'istartsWith', takes: 1 },
  iendsWith: { operator: 'iendsWith', takes: 1 },
  iequals: { operator: 'iequals', takes: 1 },
  search: { operator: 'search', takes: 1 },
  hasSome: { operator: 'hasSome', takes: 'list' },
  hasEvery: { operator: 'hasEvery', takes: 'list' },
  isEmpty: { operator: 'isEmpty', takes: 0 },
} as const satisfies Readonly<Record<string, ComparatorSpec>>

/** The name of a function that compares. */
export type Comparator = keyof typeof COMPARATORS

/** Whether a text names a function that compares. */
export function isComparator(name: string): name is Comparator {
  return Object.hasOwn(COMPARATORS, name)
}

/** What is known of a function that compares. */
export function comparatorSpec(name: Comparator): ComparatorSpec {
  return COMPARATORS[name]
}

/** The names of all functions that a filter may begin with. */
export const FUNCTIONS: readonly string[] = ['and', 'or', 'not', 'every', ...Object.keys(COMPARATORS)]
