import { ChangedRowError } from '../../errors/row-errors.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../orm/keys.js'
import { callClient } from '../../orm/call-client.js'
import { allOf, type Condition, toFilter, restrict } from '../rules/condition.js'
import { rowMatcher } from '../read/row-matcher.js'
import { idFilter, rowKey } from '../row-id.js'
import { createReadContext } from '../read/read-context.js'
import { readableCondition } from '../read/readable-condition.js'
import { bumpVersion } from './bump-version.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { readableWhere } from '../read/readable-where.js'
import { lockByUpdate } from './lock-by-update.js'
import { isCheckedByStatement, lockAndCheck, lockForCondition, whereRows } from './lock-and-check.js'
import { changedKeys, type WriteContext } from './write-context.js'
import { findReadableRow, findReadableRowOrThrow, writeSelect } from './find-readable-row.js'
import { deferUpdateCheck } from './deferred-checks.js'
import { denyRow, writeCondition } from './write-condition.js'

/**
 * Finds readable rows, several hundred per query.
 * @param wheres plain filters, each for one row
 * @param guard an additional condition
 * @returns the keys of each row; null if it was not found
 */
export async function findRows(
  writeContext: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
  guard: Condition = true,
): Promise<readonly (Args | null)[]> {
  const found = await findInChunks(writeContext, model, wheres, guard)
  const rows: (Args | null)[] = []
  // The database may match text that is spelled differently, for example in upper case. The row is then not found by the text in the filter
  // and requires its own query.
  for (const where of wheres) rows.push(found(where) ?? (await findReadableRow(writeContext, model, where, guard)))
  return rows
}

/**
 * Like {@link findRows}, but throws if a row was not found.
 * @throws MissingRowError with Prisma's code
 */
export async function findRowsOrThrow(
  writeContext: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
): Promise<Args[]> {
  const found = await findInChunks(writeContext, model, wheres, true)
  const rows: Args[] = []
  for (const where of wheres) rows.push(found(where) ?? (await findReadableRowOrThrow(writeContext, model, where)))
  return rows
}

async function findInChunks(
  writeContext: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
  guard: Condition,
): Promise<(where: Args) => Args | undefined> {
  const [first] = wheres
  const names = first && wheres.length > 1 ? Object.keys(first) : []
  const isSameShape = (where: Args) =>
    Object.keys(where).length === names.length &&
    names.every((name) => model.fields.has(name) && ['string', 'number', 'bigint'].includes(typeof where[name]))
  if (names.length === 0 || !wheres.every(isSameShape)) return () => undefined
  const select = { ...writeSelect(writeContext, model), ...Object.fromEntries(names.map((name) => [name, true])) }
  const foundBy = allOf([...readableCondition(writeContext, model, names), guard])
  const rows = new Map<string, Args>()
  for (const chunk of chunkKeys(names, wheres)) {
    const where = restrict(model, readableWhere(createReadContext(writeContext), model, whereAnyKey(names, chunk)), [
      guard,
    ])
    for (const row of await callClient(writeContext.client, model, 'findMany', { where, select })) {
      rows.set(serializeKey(names, row), row)
      if (typeof foundBy !== 'boolean') writeContext.foundBy.set(row, foundBy)
    }
  }
  return (where) => rows.get(serializeKey(names, where))
}

/**
 * Sets the same foreign key values on readable rows.
 * @throws PolicyError if one of them may not be updated
 */
export async function updateForeignKeys(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  values: Args,
  relationName: string,
): Promise<void> {
  const { hooks } = writeContext
  const isBulk = rows.length > 1 && (hooks.hasBulkHooks(model, 'update') || !hooks.hasRowHooks(model, 'update'))
  if (!isBulk) {
    for (const row of rows)
      await writeContext.rows.update(writeContext, model, row, {}, { values, relation: relationName })
    return
  }
  writeCondition(writeContext.rules, 'update', model, [relationName])
  const ids = whereAnyKey(model.idFields, toIds(model, rows))
  const data = hooks.hasBulkHooks(model, 'update')
    ? await hooks.beforeUpdateMany(writeContext, model, ids, values)
    : values
  const names = [relationName, ...changedKeys(values, data)]
  const condition = writeCondition(writeContext.rules, 'update', model, names)
  for (const [chunk, guard] of groupByGuard(writeContext, model, rows)) {
    const checked = await lockForCondition(writeContext, model, chunk, allOf([guard, condition]))
    if (checked === false) await throwRowError(writeContext, model, chunk, condition)
    const where = whereRows(model, chunk, checked)
    const { count } = await callClient(writeContext.client, model, 'updateMany', {
      where,
      data: bumpVersion(model, data),
    })
    if (count < chunk.length) await throwRowError(writeContext, model, chunk, condition)
    for (const row of chunk) deferUpdateCheck(writeContext, model, { ...row, ...data }, names, condition)
  }
  if (hooks.hasBulkHooks(model, 'update')) await hooks.afterUpdateMany(writeContext, model, ids, data, rows.length)
}

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
async function throwRowError(
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
  const matching = await rowMatcher(() => writeContext.client)(model, toIds(model, rows), toFilter(model, condition))
  if (!rows.every((row) => matching.has(rowKey(model, row)))) denyRow('update', model, 'A row')
}

/** Groups rows by the condition under which they were found, in chunks and without duplicates. */
function groupByGuard(
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

function toIds(model: PolicyModel, rows: readonly Args[]): Args[] {
  return rows.map((row) => idFilter(model, row))
}
