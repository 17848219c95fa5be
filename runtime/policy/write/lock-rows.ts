import { RequestError } from '../../errors/request-error.js'
import { ChangedRowError, MissingRowError } from '../../errors/policy-error.js'
import { callClient, type PortRow } from '../../prisma/call-client.js'
import { chunkKeys } from '../../prisma/keys.js'
import type { Args } from '../args.js'
import { type PolicyModel, idFilter, rowKey } from '../policy-schema.js'
import { matchingKeysQuery } from '../read/redact.js'
import { allOf, type Condition, toFilter } from '../rules/condition.js'
import { writeSelect } from './find-readable-row.js'
import { lockAndReload, lockIfMet, lockMatching } from './lock-and-check.js'
import { denyRow } from './write-condition.js'
import { type WriteContext, deletionKey } from './write-context.js'

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
    if (!(await lockIfMet(writeContext, model, chunk, allOf([guard, condition])))) {
      await throwRowError(writeContext, model, chunk, condition)
    }
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

/** Maximum number of rows that one bulk write may write if they are loaded first. */
const MAX_ROWS = 10_000

/** Returns `{ limit }` to spread into the arguments of a call, or `{}` if there is no limit. */
export function limitArgs(limit: unknown): { readonly limit?: unknown } {
  return limit === undefined || limit === null ? {} : { limit }
}

/**
 * Loads the rows of a bulk write before they are written.
 * @throws RequestError 400 if there are too many
 */
async function findBulkRows(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  limit: unknown,
): Promise<readonly Args[]> {
  const max = limitArgs(limit)['limit']
  const take = typeof max === 'number' ? Math.min(max, MAX_ROWS + 1) : MAX_ROWS + 1
  const rows = await findInOrder(writeContext, model, where, take)
  if (rows.length <= MAX_ROWS) return rows
  const detail = `The request writes more than ${MAX_ROWS} rows of ${model.name}. Write fewer rows per request.`
  throw new RequestError({ code: 'limit-exceeded', detail })
}

/**
 * Locks the rows of a bulk write. Another transaction may have changed them since they were found. Rows that no longer match are not in the
 * result. If the write has a limit and no found row still matches, other matching rows are locked.
 * @throws RequestError 400 if there are too many
 */
export async function lockBulkRows(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  limit: unknown,
): Promise<readonly Args[]> {
  for (;;) {
    const rows = await findBulkRows(writeContext, model, where, limit)
    const locked = await lockMatching(writeContext, model, rows, where)
    if (limitArgs(limit)['limit'] === undefined || rows.length === 0 || locked.length > 0) return locked
  }
}

/**
 * Locks and writes the rows of a bulk write one by one. If the write has a limit and no found row still matches, other matching
 * rows are written.
 * @param isHooked whether hooks receive each row. A hook may change later rows of the same write, so each row is locked only just before it
 * is written
 * @returns the results of `write`
 */
export async function writeEach<R>(
  writeContext: WriteContext,
  model: PolicyModel,
  { where, limit, isHooked }: { readonly where: Args; readonly limit: unknown; readonly isHooked: boolean },
  write: (row: Args) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (;;) {
    const found = await findBulkRows(writeContext, model, where, limit)
    for (const row of found) writeContext.foundBy.set(row, where)
    const rows = isHooked ? found : await lockMatching(writeContext, model, found, where)
    for (const keys of rows) {
      const row = isHooked ? await lockBulkRow(writeContext, model, keys) : keys
      if (row) results.push(await write(row))
    }
    if (limitArgs(limit)['limit'] === undefined || found.length === 0 || results.length > 0) return results
  }
}

/**
 * Locks a row of a bulk write before its hooks receive it.
 * @returns undefined if the row no longer matches
 */
async function lockBulkRow(writeContext: WriteContext, model: PolicyModel, keys: Args): Promise<Args | undefined> {
  // The row was already deleted together with an earlier row.
  if (writeContext.deletions.has(deletionKey(model, keys))) return keys
  try {
    const row = await lockAndReload(writeContext, model, keys)
    writeContext.locked.add(row)
    return row
  } catch (error) {
    if (error instanceof MissingRowError) return undefined
    throw error
  }
}

/** Finds rows in the order of their ids, so that two transactions that lock the same rows do not cause a deadlock. */
function findInOrder(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  take: number,
): PromiseLike<readonly PortRow[]> {
  const orderBy = model.idFields.map((name) => ({ [name]: 'asc' }))
  return callClient(writeContext.client, model, 'findMany', {
    where,
    select: writeSelect(writeContext, model),
    orderBy,
    take,
  })
}
