import { RequestError } from '../../errors/request-error.js'
import { MissingRowError } from '../../errors/policy-error.js'
import { callClient, type PortRow } from '../../orm/client-port.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import { lockAndReload } from './lock-and-reload.js'
import { foundCondition, lockForCondition, lockMatching } from './lock-rows.js'
import { removalKey, writeSelect, type WriteContext } from './write-context.js'

/** Maximum number of rows that one bulk write may write if they are loaded first. */
const MAX_ROWS = 10_000

/** Returns the `limit` of a call as a member of arguments. */
export function limitArgs(limit: unknown): { readonly limit?: unknown } {
  return limit === undefined || limit === null ? {} : { limit }
}

/**
 * Loads the rows of a bulk write before they are written.
 * @throws RequestError 400 if there are too many
 */
async function findSet(
  writing: WriteContext,
  model: PolicyModel,
  where: Args,
  limit: unknown,
): Promise<readonly Args[]> {
  const wanted = limitArgs(limit)['limit']
  const take = typeof wanted === 'number' ? Math.min(wanted, MAX_ROWS + 1) : MAX_ROWS + 1
  const rows = await findInOrder(writing, model, where, take)
  if (rows.length <= MAX_ROWS) return rows
  const detail = `The request writes more than ${MAX_ROWS} rows of ${model.name}. Write fewer rows per request.`
  throw new RequestError({ code: 'limit-exceeded', detail })
}

/**
 * Locks the rows of a bulk write. Another transaction may have changed them since they were found: rows that no longer match are not in the
 * result. If no row of a write with a limit matches any more, the next ones are locked.
 * @throws RequestError 400 if there are too many
 */
export async function lockSet(
  writing: WriteContext,
  model: PolicyModel,
  where: Args,
  limit: unknown,
): Promise<readonly Args[]> {
  for (;;) {
    const rows = await findSet(writing, model, where, limit)
    const locked = await lockMatching(writing, model, rows, where)
    if (limitArgs(limit)['limit'] === undefined || rows.length === 0 || locked.length > 0) return locked
  }
}

/**
 * Locks and writes the rows of a bulk write one by one. If no row of a write with a limit matches any more, the next ones are written.
 * @param isHooked whether hooks receive each row. They may change the rows after it, so each row is locked just before it is written
 * @returns the results of `write`
 */
export async function writeEach<R>(
  writing: WriteContext,
  model: PolicyModel,
  { where, limit, isHooked }: { readonly where: Args; readonly limit: unknown; readonly isHooked: boolean },
  write: (row: Args) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (;;) {
    const found = await findSet(writing, model, where, limit)
    for (const row of found) writing.foundBy.set(row, where)
    const rows = isHooked ? found : await lockMatching(writing, model, found, where)
    for (const one of rows) {
      const row = isHooked ? await lockMember(writing, model, one) : one
      if (row) results.push(await write(row))
    }
    if (limitArgs(limit)['limit'] === undefined || found.length === 0 || results.length > 0) return results
  }
}

/**
 * Locks a row of a bulk write before its hooks receive it.
 * @returns undefined if the row no longer matches
 */
async function lockMember(writing: WriteContext, model: PolicyModel, found: Args): Promise<Args | undefined> {
  // The row was already deleted together with a previous row.
  if (writing.removals.has(removalKey(model, found))) return found
  try {
    const row = await lockAndReload(writing, model, found)
    writing.locked.add(row)
    const guard = foundCondition(writing, row)
    return (await lockForCondition(writing, model, [row], guard)) === false ? undefined : row
  } catch (error) {
    if (error instanceof MissingRowError) return undefined
    throw error
  }
}

/** Finds rows in the order of their ids, so that two transactions that lock the same rows do not cause a deadlock. */
function findInOrder(
  writing: WriteContext,
  model: PolicyModel,
  where: Args,
  take: number,
): PromiseLike<readonly PortRow[]> {
  const orderBy = model.idFields.map((name) => ({ [name]: 'asc' }))
  return callClient(writing.client, model, 'findMany', { where, select: writeSelect(writing, model), orderBy, take })
}
