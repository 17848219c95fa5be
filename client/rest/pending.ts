import type { ToLinkage } from './linkage.js'

/** A change that is not made yet: one of several that are made at once. */
export interface PendingChange {
  /** The method of a collection, or of a relationship. */
  readonly method: string
  /** What the method was given. */
  readonly args: readonly unknown[]
  readonly type: string
  readonly linked: ToLinkage
  /** Like no other: it stands for the id of what the change makes, wherever another change of the same request takes one. */
  readonly id: string
  /** The relationship that changes, and whose. */
  readonly of: readonly [id: unknown, relation: string] | undefined
}
