import { callClient } from '../../orm/port.js'
import { restrict } from '../rules/condition.js'
import { meeting } from '../read/find.js'
import { idOf, keyOf } from '../read/plan.js'
import type { PolicyModel } from '../schema.js'
import type { Tree } from '../tree.js'
import type { Writing } from './writing.js'

/**
 * Whether a field may be read of a row that may be read itself. Where it may not, nothing that a write does may depend on it: its
 * answer would tell what the field holds.
 */
export async function isShown(writing: Writing, model: PolicyModel, row: Tree, field: string): Promise<boolean> {
  const condition = writing.rules.condition('read', model, field)
  if (typeof condition === 'boolean') return condition
  if (isAlwaysShown(writing, model, field)) return true
  return (
    (await callClient(writing.client, model, 'count', { where: restrict(model, idOf(model, row), [condition]) })) > 0
  )
}

/** As {@link isShown}, of rows: the keys of those of which it may be read. */
export async function shownAmong(
  writing: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
  field: string,
): Promise<ReadonlySet<string>> {
  const condition = writing.rules.condition('read', model, field)
  if (condition === false || rows.length === 0) return new Set()
  if (condition === true || isAlwaysShown(writing, model, field)) return new Set(rows.map((row) => keyOf(model, row)))
  const ids = rows.map((row) => idOf(model, row))
  return meeting(() => writing.client)(model, ids, condition)
}

/** Whether a field may be read of every row that may be read. */
export function isAlwaysShown({ rules }: Writing, model: PolicyModel, field: string): boolean {
  const condition = rules.condition('read', model, field)
  return condition === true || (condition !== false && condition === rules.condition('read', model))
}
