import type { Comparator } from './comparison-functions.js'

/**
 * The syntax tree of a `filter` expression such as `not(equals(author.name,'Ada'))`. The function names are those of JsonApiDotNetCore, for
 * which documentation and query builders exist, plus some additions.
 */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Expression[]; readonly at: number }
  | { readonly kind: 'not'; readonly part: Expression; readonly at: number }
  | QuantifierNode
  | ComparisonNode

/** `has(comments,equals(seq,'1'))`: a condition on the related resources of a to-many relationship. */
export interface QuantifierNode {
  readonly kind: 'has' | 'every'
  readonly chain: FieldPath
  readonly condition: Expression | undefined
  readonly at: number
}

/** A function that compares a field, or the number of related resources, with values. */
export interface ComparisonNode {
  readonly kind: 'compare'
  readonly name: Comparator
  /** Whether it compares `count(…)` of the relationship. */
  readonly isCount: boolean
  readonly chain: FieldPath
  /** At least one operand, except for `isEmpty`, which has none. */
  readonly operands: readonly Operand[]
  readonly at: number
}

/** Names separated by dots: `author.profile.bio`. */
export interface FieldPath {
  readonly names: readonly string[]
  readonly at: number
}

/** An operand of a comparison: quoted text, `null` or another field. */
export type Operand =
  | { readonly kind: 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'null'; readonly at: number }
  | { readonly kind: 'field'; readonly chain: FieldPath; readonly at: number }
