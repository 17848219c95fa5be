import type { ToLinkage } from './linkage.js'

/** A change that is not sent yet, for `runOperations`. */
export interface PendingChange {
  /** The method of the collection or relationship. */
  readonly method: string
  /** The arguments of the method. */
  readonly args: readonly unknown[]
  readonly type: string
  readonly link: ToLinkage
  /** A unique local id. Other changes of the same request can use it as the id of the created resource. */
  readonly id: string
  /** The owner and name of a changed relationship. */
  readonly of: readonly [id: unknown, relation: string] | undefined
}
