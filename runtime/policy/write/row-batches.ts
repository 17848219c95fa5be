import { ChangedRowError } from '../../errors/policy-error.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../orm/keys.js'
import { callClient } from '../../orm/client-port.js'
import { allOf, type Condition, toFilter, restrict } from '../rules/condition.js'
import { rowMatcher } from '../read/run-query.js'
import { idFilter, rowKey } from '../read/redaction.js'
import { readableCondition, createReadContext } from '../read/context.js'
import { bumpVersion } from './bump-version.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import { readableWhere } from '../read/where.js'
import { lockByUpdate } from './lock-by-update.js'
import { isCheckedByStatement, lockAndCheck, lockForCondition, whereRows } from './lock-rows.js'
import {
  changedKeys,
  denyRow,
  deferUpdateCheck,
  findReadableRow,
  writeCondition,
  findReadableRowOrThrow,
  writeSelect,
  type WriteContext,
} from './write-context.js'

/**
 * Finds readable rows, several hundred per query.
 * @param wheres plain filters, each for one row
 * @param more an additional condition
 * @returns the keys of each row; null if it was not found
 */
export async function findRows(
  writing: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
  more: Condition = true,
): Promise<readonly (Args | null)[]> {
  const found = await findTogether(writing, model, wheres, more)
  const rows: (Args | null)[] = []
  // A text may match another spelling of it in the database. The row is then not found by the text of its filter, and needs its own query.
  for (const where of wheres) rows.push(found(where) ?? (await findReadableRow(writing, model, where, more)))
  return rows
}

/**
 * Like {@link findRows}, but throws if a row was not found.
 * @throws MissingRowError with Prisma's code
 */
export async function findRowsOrThrow(
  writing: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
): Promise<Args[]> {
  const found = await findTogether(writing, model, wheres, true)
  const rows: Args[] = []
  for (const where of wheres) rows.push(found(where) ?? (await findReadableRowOrThrow(writing, model, where)))
  return rows
}

async function findTogether(
  writing: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
  more: Condition,
): Promise<(where: Args) => Args | undefined> {
  const [first] = wheres
  const names = first && wheres.length > 1 ? Object.keys(first) : []
  const isSame = (where: Args) =>
    Object.keys(where).length === names.length &&
    names.every((name) => model.fields.has(name) && ['string', 'number', 'bigint'].includes(typeof where[name]))
  if (names.length === 0 || !wheres.every(isSame)) return () => undefined
  const select = { ...writeSelect(writing, model), ...Object.fromEntries(names.map((name) => [name, true])) }
  const foundBy = allOf([...readableCondition(writing, model, names), more])
  const rows = new Map<string, Args>()
  for (const some of chunkKeys(names, wheres)) {
    const where = restrict(model, readableWhere(createReadContext(writing), model, whereAnyKey(names, some)), [more])
    for (const row of await callClient(writing.client, model, 'findMany', { where, select })) {
      rows.set(serializeKey(names, row), row)
      if (typeof foundBy !== 'boolean') writing.foundBy.set(row, foundBy)
    }
  }
  return (where) => rows.get(serializeKey(names, where))
}

/**
 * Sets the same foreign key values on readable rows.
 * @throws PolicyError if one of them may not be updated
 */
export async function updateForeignKeys(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  values: Args,
  written: string,
): Promise<void> {
  const { hooks } = writing
  const isSet = rows.length > 1 && (hooks.hasBulkHooks(model, 'update') || !hooks.hasRowHooks(model, 'update'))
  if (!isSet) {
    for (const row of rows) await writing.rows.update(writing, model, row, {}, { values, written })
    return
  }
  writeCondition(writing.rules, 'update', model, [written])
  const ids = whereAnyKey(model.idFields, idsOf(model, rows))
  const data = hooks.hasBulkHooks(model, 'update') ? await hooks.beforeUpdateMany(writing, model, ids, values) : values
  const names = [written, ...changedKeys(values, data)]
  const condition = writeCondition(writing.rules, 'update', model, names)
  for (const [some, guard] of guarded(writing, model, rows)) {
    const checked = await lockForCondition(writing, model, some, allOf([guard, condition]))
    if (checked === false) await requireAllMet(writing, model, some, condition)
    const where = whereRows(model, some, checked)
    const { count } = await callClient(writing.client, model, 'updateMany', { where, data: bumpVersion(model, data) })
    if (count < some.length) await requireAllMet(writing, model, some, condition)
    for (const row of some) deferUpdateCheck(writing, model, { ...row, ...data }, names, condition)
  }
  if (hooks.hasBulkHooks(model, 'update')) await hooks.afterUpdateMany(writing, model, ids, data, rows.length)
}

/**
 * Locks rows until the transaction ends, if they still meet two conditions: how they were found, and a given one. No other transaction can
 * then change them before rows are connected to them.
 * @throws PolicyError if a row does not meet the condition
 */
export async function lockRows(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<void> {
  for (const [some, guard] of guarded(writing, model, rows)) {
    const both = allOf([guard, condition])
    if (both === true) continue
    const isLocked = isCheckedByStatement(writing, model, both)
      ? (await lockByUpdate(writing.client, model, some, both)).count === some.length
      : await lockAndCheck(writing, model, some, both)
    if (!isLocked) await requireAllMet(writing, model, some, condition)
  }
}

/** Throws the reason why not all rows were written. */
async function requireAllMet(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<never> {
  await requireMembersMet(writing, model, rows, condition)
  throw new ChangedRowError(model.name)
}

async function requireMembersMet(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<void> {
  if (condition === true) return
  const met = await rowMatcher(() => writing.client)(model, idsOf(model, rows), toFilter(model, condition))
  if (!rows.every((row) => met.has(rowKey(model, row)))) denyRow('update', model, 'A row')
}

/** Groups rows by the condition under which they were found, in chunks and without duplicates. */
function guarded(
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
    chunkKeys(model.idFields, [...group.values()]).map((some) => [some, guard ?? true] as const),
  )
}

function idsOf(model: PolicyModel, rows: readonly Args[]): Args[] {
  return rows.map((row) => idFilter(model, row))
}
