import { supportsRowLocks } from '../../prisma/row-lock.js'
import { chunkKeys, whereAnyKey } from '../../prisma/keys.js'
import { callClient } from '../../prisma/call-client.js'
import { providerOf } from '../../prisma/internals.js'
import { ChangedRowError } from '../../errors/row-errors.js'
import { type Condition, dependsOn, restrict, toFilter } from '../rules/condition.js'
import { matchingKeysQuery } from '../read/matching-keys-query.js'
import { idFilter, rowKey } from '../row-id.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { lockByUpdate } from './lock-by-update.js'
import type { WriteContext } from './write-context.js'
import { writeSelect } from './find-readable-row.js'

const NONE: ReadonlySet<string> = new Set()

/**
 * Whether a statement checks a condition on the latest version of each row that it writes. A statement that waits for a lock checks the
 * columns of the row again, but neither PostgreSQL nor MySQL reads related rows again.
 */
export function isCheckedByStatement({ client }: WriteContext, model: PolicyModel, condition: Condition): boolean {
  return !usesLocks(client) || !dependsOn(condition, model, NONE)
}

/** Whether rows must be locked before they are checked. SQLite has one writer at a time. */
export function usesLocks(client: object): boolean {
  const provider = providerOf(client)
  return provider !== undefined && supportsRowLocks({ provider })
}

/**
 * Prepares the statement that writes rows under a condition. If the statement cannot check the condition by itself, locks the rows and
 * checks it.
 * @returns the condition that the statement must contain; false if a row does not meet it
 */
export async function lockForCondition(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<Condition> {
  return isCheckedByStatement(writeContext, model, condition)
    ? condition
    : lockAndCheck(writeContext, model, rows, condition)
}

/** Locks rows and checks a condition. Returns whether all of them meet it. */
export async function lockAndCheck(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<boolean> {
  await lockById(writeContext, model, rows)
  const ids = rows.map((row) => idFilter(model, row))
  const matching = await matchingKeysQuery(() => writeContext.client)(model, ids, toFilter(model, condition))
  return rows.every((row) => matching.has(rowKey(model, row)))
}

/**
 * Locks rows and reads them again.
 * @returns the current rows that still match
 * @throws ChangedRowError if a row no longer matches and the lock has overwritten its `@updatedAt`, which only a rollback can undo
 */
export async function lockMatching(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  where: Args,
): Promise<readonly Args[]> {
  if (!usesLocks(writeContext.client)) return rows
  const isForced = await lockById(writeContext, model, rows)
  const select = writeSelect(writeContext, model)
  const matching: Args[] = []
  for (const chunk of chunkKeys(model.idFields, rows)) {
    const matchingWhere = { AND: [whereAnyKey(model.idFields, chunk), where] }
    matching.push(...(await callClient(writeContext.client, model, 'findMany', { where: matchingWhere, select })))
  }
  if (matching.length < rows.length && isForced) throw new ChangedRowError(model.name)
  for (const row of matching) writeContext.locked.add(row)
  return matching
}

/**
 * Locks rows, except those that this transaction has already locked.
 * @returns whether `@updatedAt` values may have been overwritten
 */
async function lockById({ client, locked }: WriteContext, model: PolicyModel, rows: readonly Args[]): Promise<boolean> {
  const unlocked = rows.filter((row) => !locked.has(row))
  return usesLocks(client) && (await lockByUpdate(client, model, unlocked, true)).isForced
}

/** Returns the condition under which a row was found. It must still hold when the row is written. */
export function foundCondition({ foundBy }: WriteContext, row: Args): Condition {
  return foundBy.get(row) ?? true
}

/** Returns a filter for rows by id, with the conditions that the statement must still check. */
export function whereRows(model: PolicyModel, rows: readonly Args[], condition: Condition): Args {
  const ids = rows.map((row) => idFilter(model, row))
  return restrict(model, whereAnyKey(model.idFields, ids), [condition])
}
