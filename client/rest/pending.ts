import type { ToLinkage } from './linkage.js'

/** A call of a custom route that has not been sent yet, for `runOperations`. */
export interface PendingRoute {
  /**
   * Creates the operation.
   * @param createdIds the local ids of resources that the request creates
   * @throws TypeError if a value cannot be sent
   */
  readonly toOperation: (createdIds: ReadonlySet<unknown>) => object
}

/** A change that has not been sent yet, for `runOperations`. */
export interface PendingChange {
  /** The method of the collection or relationship. */
  readonly method: string
  /** The arguments of the method. */
  readonly args: readonly unknown[]
  readonly type: string
  readonly toLinkage: ToLinkage
  /** A unique local id. Other changes in the same request can use it as the id of the created resource. */
  readonly id: string
  /** The owner and name of the relationship to change. Undefined if the change is not to a relationship. */
  readonly relationship: readonly [owner: unknown, name: string] | undefined
}
