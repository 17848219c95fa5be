import { rowKey, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import type { ReadContext } from '../read/read-context.js'
import type { Rules } from '../rules/rules.js'
import type { Args } from '../args.js'

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
  /** The argument of the operation that contains the data. */
  readonly argument: 'data' | 'create' | 'update'
  /** The position of this part of the write in the data: keys and list indices. */
  readonly path: readonly (string | number)[]
}

/** The progress of a row's deletion. `circled` means that the row is part of a cycle of cascades. */
export type DeletionState = 'begun' | 'circled' | 'done'

/** Returns the key of a row in {@link WriteContext.deletions}. */
export function deletionKey(model: PolicyModel, row: Args): string {
  return `${model.name} ${rowKey(model, row)}`
}

/** Whether the write has begun to delete rows of a model. */
export function deletesRowsOf({ deletions }: WriteContext, model: PolicyModel): boolean {
  return [...deletions.keys()].some((key) => key.startsWith(`${model.name} `))
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

/** The kinds of row writes. */
export type WriteKind = 'create' | 'update' | 'delete'

/** Rows that the database changes or deletes when the row that they refer to is deleted. */
export interface Cascade {
  /** The model of these rows. */
  readonly model: PolicyModel
  /** The relation from these rows to the deleted row. */
  readonly relation: PolicyRelation
  /** The referential action. */
  readonly action: 'Cascade' | 'SetNull' | 'SetDefault'
  /** The name of the inverse relation, if the resource contains it. Otherwise empty. */
  readonly path: readonly string[]
}

/**
 * The app's hooks around the flat writes of a call: see `hooks/`. Every written row triggers hooks exactly once, as a single row or as part
 * of a bulk write.
 */
export interface RowHooks {
  /** Whether a model has row hooks for a kind of write. */
  hasRowHooks(model: PolicyModel, kind: WriteKind): boolean
  /** Whether a model has bulk hooks, which replace the row hooks in bulk writes. */
  hasBulkHooks(model: PolicyModel, kind: 'update' | 'delete'): boolean
  /** Whether hooks replace the deletion of a row with an update. */
  replacesDelete(model: PolicyModel): boolean
  /** Whether any write of a call triggers hooks. */
  triggersHooks(model: PolicyModel, operation: string, args: Args): boolean
  /** The rows with hooks that the database changes or deletes when a row of the model is deleted. */
  cascades(model: PolicyModel): readonly Cascade[]
  /** The fields of a model that hooked rows refer to. If they change, the database changes these rows. */
  referencedFields(model: PolicyModel): ReadonlySet<string>

  /** Called before a row is created. Returns the data to create it with. */
  beforeCreate(writeContext: WriteContext, model: PolicyModel, data: Args): Promise<Args>
  /** Called after a row is created and its nested writes have run. */
  afterCreate(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** Called before a row is updated. Returns the data to update it with. */
  beforeUpdate(writeContext: WriteContext, model: PolicyModel, row: Args, data: Args): Promise<Args>
  /** Called after a row is updated and its nested writes have run. */
  afterUpdate(writeContext: WriteContext, model: PolicyModel, before: Args, row: Args): Promise<void>
  /** Called before a row is deleted. Returns the data to update it with instead; undefined if it is deleted. */
  beforeDelete(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<Args | undefined>
  /** Called after a row is deleted. */
  afterDelete(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** Like {@link beforeUpdate}, for the rows that match a filter. */
  beforeUpdateMany(writeContext: WriteContext, model: PolicyModel, where: Args, data: Args): Promise<Args>
  /** Like {@link afterUpdate}, for the rows of a bulk write. */
  afterUpdateMany(writeContext: WriteContext, model: PolicyModel, where: Args, data: Args, count: number): Promise<void>
  /** Like {@link beforeDelete}, for the rows that match a filter. */
  beforeDeleteMany(writeContext: WriteContext, model: PolicyModel, where: Args): Promise<Args | undefined>
  /** Like {@link afterDelete}, for the rows of a bulk write. */
  afterDeleteMany(writeContext: WriteContext, model: PolicyModel, where: Args, count: number): Promise<void>
}

const NONE: ReadonlySet<string> = new Set()

/** The {@link RowHooks} of apps without hooks. */
export const NO_HOOKS: RowHooks = {
  hasRowHooks: () => false,
  hasBulkHooks: () => false,
  replacesDelete: () => false,
  triggersHooks: () => false,
  cascades: () => [],
  referencedFields: () => NONE,
  beforeCreate: async (_writeContext, _model, data) => data,
  afterCreate: async () => undefined,
  beforeUpdate: async (_writeContext, _model, _row, data) => data,
  afterUpdate: async () => undefined,
  beforeDelete: async () => undefined,
  afterDelete: async () => undefined,
  beforeUpdateMany: async (_writeContext, _model, _where, data) => data,
  afterUpdateMany: async () => undefined,
  beforeDeleteMany: async () => undefined,
  afterDeleteMany: async () => undefined,
}
