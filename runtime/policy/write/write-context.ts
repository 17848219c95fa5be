import { rowKey } from '../row-id.js'
import type { ReadContext } from '../read/read-context.js'
import type { Rules } from '../rules/rules.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { RowHooks } from './row-hooks.js'

/**
 * The context of one write, including its nested writes. A write runs as a series of flat writes in one transaction, followed by deferred
 * checks: see {@link runDeferredChecks}.
 */
export interface WriteContext {
  readonly rules: Rules
  /** See {@link ReadContext}. Used to render the result. */
  readonly computed?: ReadContext['computed']
  /** The client inside the write's transaction, without policies: it can access every row. */
  readonly client: object
  /** Checks that run after all rows are written. See {@link runDeferredChecks}. */
  readonly checks: DeferredCheck[]
  /** Writes single rows and, recursively, their nested writes. */
  readonly rows: RowWriter
  /** The filter that found each row, if it was more than the id. It must still match when the row is written. */
  readonly foundBy: WeakMap<Args, Args>
  /** Rows that this transaction has locked and then read. */
  readonly locked: WeakSet<Args>
  /** The state of each row that this write deletes, by key. Cascading deletes can be circular. */
  readonly deletions: Map<string, DeletionState>
  /** The app's hooks around each flat write. */
  readonly hooks: RowHooks
  /** The position of this part of the write in the arguments: relation names, operations and list indices. */
  readonly path: readonly (string | number)[]
}

/** The progress of a row's deletion. `circled` means that a cascade reached the row again while it was being deleted. */
export type DeletionState = 'begun' | 'circled' | 'done'

/** Returns the key of a row in {@link WriteContext.deletions}. */
export function deletionKey(model: PolicyModel, row: Args): string {
  return `${model.name} ${rowKey(model, row)}`
}

/** Returns the context for a nested part of the write. */
export function nestedContext(writeContext: WriteContext, ...path: readonly (string | number)[]): WriteContext {
  return { ...writeContext, path: [...writeContext.path, ...path] }
}

/** Writes a single row with its nested writes. Implemented in `row-writer.ts`. */
export interface RowWriter {
  create(writeContext: WriteContext, model: PolicyModel, data: unknown, link?: ParentLink): Promise<Args>
  update(writeContext: WriteContext, model: PolicyModel, row: Args, data: unknown, link?: ParentLink): Promise<Args>
  remove(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** Writes the rows with hooks that the database would change or delete when `row` is deleted. */
  cascade(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void>
}

/** Foreign key values that link a nested row to its parent. */
export interface ParentLink {
  readonly values: Args
  /** The name of the relation that these values set. */
  readonly relation: string
}

/** A check of a written row that runs after all writes of the operation. */
export interface DeferredCheck {
  readonly model: PolicyModel
  readonly id: Args
  readonly condition: Args
  readonly failure: () => Error
}

/** Returns the names of the fields that a hook added to or changed in the data. */
export function changedKeys(before: Args, after: Args): string[] {
  return after === before ? [] : Object.keys(after).filter((name) => after[name] !== before[name])
}
