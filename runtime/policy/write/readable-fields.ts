import { callClient } from '../../orm/client-port.js'
import { restrict } from '../rules/condition.js'
import { rowMatcher } from '../read/run-query.js'
import { idFilter, rowKey } from '../read/redaction.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

/**
 * Whether a field may be read of a row that may be read itself. Where it may not, nothing that a write does may depend on it: its
 * answer would tell what the field holds.
 */
export async function isFieldReadable(
  writing: WriteContext,
  model: PolicyModel,
  row: Args,
  field: string,
): Promise<boolean> {
  const condition = writing.rules.condition('read', model, field)
  if (typeof condition === 'boolean') return condition
  if (isAlwaysReadable(writing, model, field)) return true
  return (
    (await callClient(writing.client, model, 'count', { where: restrict(model, idFilter(model, row), [condition]) })) >
    0
  )
}

/** As {@link isShown}, of rows: the keys of those of which it may be read. */
export async function rowsWithReadableField(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  field: string,
): Promise<ReadonlySet<string>> {
  const condition = writing.rules.condition('read', model, field)
  if (condition === false || rows.length === 0) return new Set()
  if (condition === true || isAlwaysReadable(writing, model, field))
    return new Set(rows.map((row) => rowKey(model, row)))
  const ids = rows.map((row) => idFilter(model, row))
  return rowMatcher(() => writing.client)(model, ids, condition)
}

/** Whether a field may be read of every row that may be read. */
export function isAlwaysReadable({ rules }: WriteContext, model: PolicyModel, field: string): boolean {
  const condition = rules.condition('read', model, field)
  return condition === true || (condition !== false && condition === rules.condition('read', model))
}
