import type { PolicyModel, PolicyRelation } from '../schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

/** How rows are written. */
export type WriteKind = 'create' | 'update' | 'delete'

/** Rows that the database itself changes or deletes when a row is deleted that they refer to. */
export interface Cascade {
  /** The model of those rows. */
  readonly model: PolicyModel
  /** Their relation to the deleted row. */
  readonly relation: PolicyRelation
  /** What happens to them. */
  readonly action: 'Cascade' | 'SetNull' | 'SetDefault'
  /** The relation that leads to them, where the resource tells it. */
  readonly path: readonly string[]
}

/**
 * What an app does around the flat writes that a write is made of: see `hooks/`. Whatever row is written, in whichever way, is told
 * here exactly once, alone or as one of a set.
 */
export interface RowHooks {
  /** Whether a row that is written so is told alone. */
  hearsRow(model: PolicyModel, kind: WriteKind): boolean
  /** Whether rows that are written together are told as a set, and not alone. */
  hearsSet(model: PolicyModel, kind: 'update' | 'delete'): boolean
  /** Whether rows are kept when they are deleted: another write takes the place of it. */
  keeps(model: PolicyModel): boolean
  /** Whether anything that a call writes is told. */
  hearsCall(model: PolicyModel, operation: string, args: Args): boolean
  /** The rows that are told when a row of a model is deleted, since the database changes or deletes them with it. */
  cascades(model: PolicyModel): readonly Cascade[]
  /** Fields of a model that told rows refer to: the database would change those rows with it. */
  referred(model: PolicyModel): ReadonlySet<string>

  /** Before a row is created: gives the data to create it with. */
  creating(writing: WriteContext, model: PolicyModel, data: Args): Promise<Args>
  /** After a row and what is nested in it was created. */
  created(writing: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** Before a row is changed: gives the data to change it with. */
  changing(writing: WriteContext, model: PolicyModel, row: Args, data: Args): Promise<Args>
  /** After a row and what is nested in it was changed. */
  changed(writing: WriteContext, model: PolicyModel, before: Args, row: Args): Promise<void>
  /** Before a row is deleted: gives what to change it with instead; undefined where it is to be deleted. */
  removing(writing: WriteContext, model: PolicyModel, row: Args): Promise<Args | undefined>
  /** After a row was deleted. */
  removed(writing: WriteContext, model: PolicyModel, row: Args): Promise<void>
  /** As {@link changing}, of the rows that a filter finds. */
  changingSet(writing: WriteContext, model: PolicyModel, where: Args, data: Args): Promise<Args>
  /** As {@link changed}, of a set. */
  changedSet(writing: WriteContext, model: PolicyModel, where: Args, data: Args, count: number): Promise<void>
  /** As {@link removing}, of the rows that a filter finds. */
  removingSet(writing: WriteContext, model: PolicyModel, where: Args): Promise<Args | undefined>
  /** As {@link removed}, of a set. */
  removedSet(writing: WriteContext, model: PolicyModel, where: Args, count: number): Promise<void>
}

const NONE: ReadonlySet<string> = new Set()

/** Where an app has no hooks. */
export const NO_HOOKS: RowHooks = {
  hearsRow: () => false,
  hearsSet: () => false,
  keeps: () => false,
  hearsCall: () => false,
  cascades: () => [],
  referred: () => NONE,
  creating: async (_writing, _model, data) => data,
  created: async () => undefined,
  changing: async (_writing, _model, _row, data) => data,
  changed: async () => undefined,
  removing: async () => undefined,
  removed: async () => undefined,
  changingSet: async (_writing, _model, _where, data) => data,
  changedSet: async () => undefined,
  removingSet: async () => undefined,
  removedSet: async () => undefined,
}
