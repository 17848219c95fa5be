import { ChangedRowError, MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { providerOf } from '../../prisma/internals.js'
import { chunkKeys, whereAnyKey, selectFields } from '../../prisma/keys.js'
import { supportsRowLocks } from '../../prisma/transactions/row-lock.js'
import type { Args } from '../args.js'
import { type PolicyModel, idFilter, rowKey } from '../policy-schema.js'
import { matchingKeysQuery } from '../read/redact.js'
import { type Condition, dependsOn, restrict, toFilter } from '../rules/condition.js'
import { writeSelect } from './find-readable-row.js'
import type { WriteContext } from './write-context.js'

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

/** Locks rows that meet a condition. Returns whether all of them meet it. Without a condition, no row is locked. */
export async function lockIfMet(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<boolean> {
  if (condition === true) return true
  return isCheckedByStatement(writeContext, model, condition)
    ? (await lockByUpdate(writeContext.client, model, rows, condition)).count === rows.length
    : lockAndCheck(writeContext, model, rows, condition)
}

/** Locks rows and checks a condition. Returns whether all of them meet it. */
async function lockAndCheck(
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

/** Maximum number of attempts to lock a row with unchanged `@updatedAt` values. After that, the row is locked without comparing them. */
const MAX_ATTEMPTS = 2

/** The result of locking rows. */
interface Lock {
  /** The number of locked rows. */
  readonly count: number
  /** Whether `@updatedAt` values of rows may have been overwritten. */
  readonly isForced: boolean
}

/**
 * Locks rows until the transaction ends, if they meet a condition. Prisma has no `SELECT … FOR UPDATE`, but an update that changes nothing
 * locks a row as well. Prisma would change `@updatedAt` fields that the update leaves out, so they are explicitly set to their current
 * values.
 * @param rows the rows as they were found
 * @param condition a condition that the statement can check
 */
export async function lockByUpdate(
  client: object,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<Lock> {
  const { idFields } = model
  const { updatedAtFields } = model.locking
  const column = lockColumn(model)
  const update = async (chunk: readonly Args[], data: Args, timestamps: Args = {}) => {
    const where = restrict(model, { ...timestamps, ...whereAnyKey(idFields, chunk) }, [condition])
    return (await callClient(client, model, 'updateMany', { where, data })).count
  }
  let count = 0
  let isForced = false
  if (updatedAtFields.length === 0) {
    const chunks = column === undefined ? rows.map((row) => [row]) : chunkKeys(idFields, rows)
    for (const chunk of chunks) {
      count += await update(chunk, column === undefined ? whereAnyKey(idFields, chunk) : { [column]: { increment: 0 } })
    }
    return { count, isForced }
  }
  const pickTimestamps = (row: Args) => Object.fromEntries(updatedAtFields.map((name) => [name, row[name]]))
  for (const row of rows) {
    let timestamps: Args | undefined = pickTimestamps(row)
    for (let attempt = 1; timestamps; attempt++) {
      const isLast = attempt > MAX_ATTEMPTS
      const changed = await update([row], timestamps, isLast ? {} : timestamps)
      count += changed
      isForced ||= isLast && changed > 0
      if (changed > 0 || isLast) break
      const query = { where: idFilter(model, row), select: selectFields(updatedAtFields) }
      timestamps = (await callClient(client, model, 'findFirst', query)) ?? undefined
    }
  }
  return { count, isForced }
}

/**
 * Returns a column that a statement can write without changing it and without knowing its value. PostgreSQL does not allow a statement to
 * write generated columns.
 */
function lockColumn({ fields, idFields }: PolicyModel): string | undefined {
  const numbers = [...fields].filter(([, { type, list }]) => !list && /^(Int|BigInt|Float|Decimal)$/.test(type))
  return (numbers.find(([, { generated }]) => !generated) ?? numbers.find(([name]) => idFields.includes(name)))?.[0]
}

/**
 * Locks a row until the transaction ends and reads it again before hooks receive it, so that decisions based on the row are still valid
 * when it is written. On MySQL, the transaction must be READ COMMITTED. Otherwise, the result would be the row as of the transaction's
 * first query.
 * @param row the row as it was found
 * @returns the current row, which still meets the condition under which it was found. The condition is not checked again when the row is
 *   written, because a hook or a nested write may have changed the row.
 * @throws MissingRowError if it no longer exists or is no longer readable
 */
export async function lockAndReload(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<Args> {
  const { client, foundBy } = writeContext
  const guard = foundBy.get(row)
  const locks = usesLocks(client)
  // SQLite has one writer at a time. Without a condition, the row does not need to be read again.
  if (!locks && !guard) return row
  const byId = idFilter(model, row)
  const query = { where: guard ? restrict(model, byId, [guard]) : byId, select: writeSelect(writeContext, model) }
  // In an app's transaction with repeatable reads, MySQL's query would not see that the row has changed.
  const checked = guard && isCheckedByStatement(writeContext, model, guard) ? guard : true
  const isLocked = !locks || (await lockByUpdate(client, model, [row], checked)).count > 0
  const current = isLocked && (await callClient(client, model, 'findFirst', query))
  if (!current) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  return current
}
