import { ChangedRowError } from '../../errors/row-errors.js'
import { chunkKeys } from '../../prisma/keys.js'
import { allOf, type Condition, toFilter } from '../rules/condition.js'
import { matchingKeysQuery } from '../read/matching-keys-query.js'
import { idFilter, rowKey } from '../row-id.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { lockByUpdate } from './lock-by-update.js'
import { isCheckedByStatement, lockAndCheck } from './lock-and-check.js'
import type { WriteContext } from './write-context.js'
import { denyRow } from './write-condition.js'

/**
 * Locks rows until the transaction ends, if they still meet two conditions: the one under which they were found, and a given one. No other
 * transaction can then change them before rows are connected to them.
 * @throws PolicyError if a row does not meet the condition
 */
export async function lockRows(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<void> {
  for (const [chunk, guard] of groupByGuard(writeContext, model, rows)) {
    const lockCondition = allOf([guard, condition])
    if (lockCondition === true) continue
    const isLocked = isCheckedByStatement(writeContext, model, lockCondition)
      ? (await lockByUpdate(writeContext.client, model, chunk, lockCondition)).count === chunk.length
      : await lockAndCheck(writeContext, model, chunk, lockCondition)
    if (!isLocked) await throwRowError(writeContext, model, chunk, condition)
  }
}

/** Throws an error that explains why not all rows were written. */
export async function throwRowError(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<never> {
  await assertRowsMatch(writeContext, model, rows, condition)
  throw new ChangedRowError(model.name)
}

async function assertRowsMatch(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<void> {
  if (condition === true) return
  const matching = await matchingKeysQuery(() => writeContext.client)(
    model,
    toIds(model, rows),
    toFilter(model, condition),
  )
  if (!rows.every((row) => matching.has(rowKey(model, row)))) denyRow('update', model, 'A row')
}

/** Groups rows by the condition under which they were found, in chunks and without duplicates. */
export function groupByGuard(
  { foundBy }: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
): readonly (readonly [rows: readonly Args[], guard: Condition])[] {
  const groups = new Map<Args | undefined, Map<string, Args>>()
  for (const row of rows) {
    const group = groups.get(foundBy.get(row)) ?? new Map<string, Args>()
    groups.set(foundBy.get(row), group.set(rowKey(model, row), row))
  }
  return [...groups].flatMap(([guard, group]) =>
    chunkKeys(model.idFields, [...group.values()]).map((chunk) => [chunk, guard ?? true] as const),
  )
}

/** Returns the id of each row, as a filter. */
export function toIds(model: PolicyModel, rows: readonly Args[]): Args[] {
  return rows.map((row) => idFilter(model, row))
}
