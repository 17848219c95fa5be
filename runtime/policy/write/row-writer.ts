import { MissingRowError, ChangedRowError } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { definedEntries, type Args } from '../args.js'
import { type PolicyModel, idFilter, uniqueWhere } from '../policy-schema.js'
import { type Condition, isEmpty, allOf, restrict } from '../rules/condition.js'
import type { Action } from '../rules/rules.js'
import { readableCondition } from '../read/readable-where.js'
import { applyCascade } from './apply-cascade.js'
import {
  assertReferencedFieldsUnchanged,
  relationsToCheck,
  relationsUsingFields,
  assertExclusiveTargetsReadable,
  assertTargetsReadable,
  countsAsChanged,
} from './assert-targets-readable.js'
import { deferRowCheck, deferUpdateCheck, writeCondition, assertConditionMet, denyRow } from './write-condition.js'
import { writeSelect } from './find-readable-row.js'
import { lockAndReload, foundCondition, lockForCondition, lockIfMet } from './lock-and-check.js'
import { lockRows } from './lock-rows.js'
import { runNestedWrites } from './run-nested-writes.js'
import { type NestedWrite, findArithmeticFields, splitData, bumpVersion } from './split-data.js'
import { changedKeys, type ParentLink, deletionKey, type RowWriter, type WriteContext } from './write-context.js'
import { readableForeignKeys, writeOwnedForeignKeys } from './write-owned-foreign-keys.js'

/**
 * Creates a row and runs its nested writes. Whether the rules allow the row is checked after everything is written.
 * @returns the keys of the row
 */
export async function createRow(
  writeContext: WriteContext,
  model: PolicyModel,
  data: unknown,
  link?: ParentLink,
): Promise<Args> {
  const parts = splitData(model, data, link)
  const { scalars, others, names } = parts
  const { hooks, client } = writeContext
  writeCondition(writeContext.rules, 'create', model, names)
  const { values, links } = await writeOwnedForeignKeys(writeContext, model, parts, link)
  const input = { ...scalars, ...values, ...link?.values }
  const rowData = hooks.hasRowHooks(model, 'create') ? await hooks.beforeCreate(writeContext, model, input) : input
  const added = changedKeys(input, rowData)
  const condition = writeCondition(writeContext.rules, 'create', model, [...names, ...added])
  const relations = relationsToCheck(model, new Set([...Object.keys(scalars), ...added]), links)
  await assertExclusiveTargetsReadable(writeContext, model, relations, rowData)
  const row = await callClient(client, model, 'create', { data: rowData, select: writeSelect(writeContext, model) })
  await assertTargetsReadable(writeContext, model, [row], relations)
  deferRowCheck(writeContext, 'create', model, row, condition)
  for (const nested of others) await runNestedWrites(writeContext, nested, row, true)
  if (hooks.hasRowHooks(model, 'create')) await hooks.afterCreate(writeContext, model, row)
  return row
}

/**
 * Updates a readable row and runs its nested writes.
 * @param keys the keys of the row
 * @returns the keys of the row after the update
 * @throws PolicyError if the row may not be updated
 */
export async function updateRow(
  writeContext: WriteContext,
  model: PolicyModel,
  keys: Args,
  data: unknown,
  link?: ParentLink,
): Promise<Args> {
  const parts = splitData(model, data, link)
  const { scalars, owned, others, names } = parts
  const { hooks } = writeContext
  requireReadable(writeContext, model, keys, findArithmeticFields(model, scalars))
  const condition = writeCondition(writeContext.rules, 'update', model, names)
  const flat = { ...scalars, ...link?.values }
  const isHooked = hooks.hasRowHooks(model, 'update') && (owned.length > 0 || !isEmpty(flat))
  // Nested writes in relations whose foreign key the row holds run first, and may change rows that the condition depends on.
  const runsNestedFirst = owned.some(writesTarget)
  const row = isHooked || runsNestedFirst ? await lockOnce(writeContext, model, keys) : keys
  let changed = row
  // Must run before any write, so that no change affects whether the keys count as readable.
  const readable = await readableForeignKeys(writeContext, model, owned, row)
  if (owned.length === 0 ? isEmpty(flat) && others.length > 0 : runsNestedFirst) {
    await lockRows(writeContext, model, [row], condition)
  } else if (owned.length > 0 || isEmpty(flat)) await assertConditionMet(writeContext, 'update', model, row, condition)
  // The nested writes may set other fields of the same foreign keys. These keys are then checked after them.
  const checkedLater = owned.length > 0 ? Object.keys(scalars) : []
  const checkedNow = relationsUsingFields(model, new Set(checkedLater.length > 0 ? [] : Object.keys(scalars)))
  await assertExclusiveTargetsReadable(writeContext, model, checkedNow, scalars, row)
  const { values, links, deferred } = await writeOwnedForeignKeys(writeContext, model, parts, link, row, readable)
  const input = { ...scalars, ...values, ...link?.values }
  const callsHooks = isHooked && !isEmpty(input)
  const finalData = callsHooks ? await hooks.beforeUpdate(writeContext, model, row, input) : input
  assertReferencedFieldsUnchanged(writeContext, model, finalData, row)
  const added = changedKeys(input, finalData)
  const checkedKeys = relationsToCheck(model, new Set([...checkedLater, ...added]), links)
  await assertExclusiveTargetsReadable(writeContext, model, checkedKeys, finalData, row)
  const finalCondition =
    added.length === 0 ? condition : writeCondition(writeContext.rules, 'update', model, [...names, ...added])
  if (!isEmpty(finalData)) {
    const isChecked = runsNestedFirst && finalCondition === condition
    changed = await updateIfUnchanged(writeContext, model, row, finalData, isChecked || finalCondition)
  }
  const isChanged = (name: string) =>
    Object.hasOwn(finalData, name) && countsAsChanged(writeContext, model, name, row, changed)
  const changedFields = new Set([...Object.keys(scalars), ...added].filter(isChanged))
  await assertTargetsReadable(writeContext, model, [changed], relationsToCheck(model, changedFields, links, isChanged))
  deferUpdateCheck(writeContext, model, changed, [...names, ...added], finalCondition)
  for (const nested of others) await runNestedWrites(writeContext, nested, changed, false)
  for (const finish of deferred) await finish()
  if (callsHooks && !isEmpty(finalData)) await hooks.afterUpdate(writeContext, model, row, changed)
  return changed
}

/**
 * Adds the read conditions of fields to the filter that the row must match when it is written. If a field is not readable then, the row is
 * treated as missing.
 * @throws PolicyError if a field is never readable
 * @throws RequestError 403 if a field is masked
 */
function requireReadable(writeContext: WriteContext, model: PolicyModel, row: Args, fields: ReadonlySet<string>): void {
  if (fields.size === 0) return
  const { foundBy } = writeContext
  const condition = allOf(readableCondition(writeContext, model, fields))
  if (condition !== true) foundBy.set(row, restrict(model, foundBy.get(row) ?? {}, [condition]))
}

/** Locks a row and reads it again, unless it is already locked. Its hooks or nested writes then use its current values. */
async function lockOnce(writeContext: WriteContext, model: PolicyModel, keys: Args): Promise<Args> {
  if (writeContext.locked.has(keys)) return keys
  const row = await lockAndReload(writeContext, model, keys)
  writeContext.locked.add(row)
  return row
}

function writesTarget({ operations }: NestedWrite): boolean {
  return definedEntries(operations).some(([operation]) => operation !== 'connect' && operation !== 'disconnect')
}

/**
 * Deletes a readable row, or updates it if a `replaceWith` hook replaces the deletion.
 * @throws PolicyError if this is not allowed
 */
export async function deleteRow(writeContext: WriteContext, model: PolicyModel, keys: Args): Promise<void> {
  const { hooks, rules, deletions } = writeContext
  const key = deletionKey(model, keys)
  if (deletions.has(key)) return
  const isHooked = hooks.hasRowHooks(model, 'delete')
  const condition = hooks.replacesDelete(model) ? true : writeCondition(rules, 'delete', model, [])
  if (!isHooked && hooks.cascades(model).length === 0) {
    deletions.set(key, 'begun')
    if (!(await deleteIfUnchanged(writeContext, model, keys, condition)))
      await throwWriteError(writeContext, 'delete', model, keys, condition)
    deletions.set(key, 'done')
    return
  }
  // Hooks and cascades may change the row, or rows that the conditions depend on, so the conditions are checked before.
  const row = await lockOnce(writeContext, model, keys)
  if (!(await lockIfMet(writeContext, model, [row], condition)))
    await throwWriteError(writeContext, 'delete', model, row, condition)
  const replacement = isHooked ? await hooks.beforeDelete(writeContext, model, row) : undefined
  if (replacement) {
    await updateRow(writeContext, model, row, replacement)
    return
  }
  deletions.set(key, 'begun')
  await cascadeRow(writeContext, model, row)
  const isDeleted = await deleteIfMet(writeContext, model, row, true)
  // The database deletes the rows of a cycle together.
  if (!isDeleted && deletions.get(key) !== 'circled') await throwWriteError(writeContext, 'delete', model, row, true)
  deletions.set(key, 'done')
  if (isHooked) await hooks.afterDelete(writeContext, model, row)
}

async function cascadeRow(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void> {
  for (const cascade of writeContext.hooks.cascades(model)) await applyCascade(writeContext, cascade, row)
}

/** The {@link RowWriter} that nested writes use. */
export const ROW_WRITER: RowWriter = { create: createRow, update: updateRow, remove: deleteRow, cascade: cascadeRow }

/**
 * Updates the columns of a row if it still meets the condition under which it was found and the condition of the rules. Another transaction
 * may have changed the row in the meantime.
 * @param row the keys of the row
 * @returns the keys of the row after the update
 * @throws PolicyError if the row may not be updated
 * @throws MissingRowError if the row is no longer readable
 */
async function updateIfUnchanged(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  input: Args,
  condition: Condition,
): Promise<Args> {
  const { client } = writeContext
  const data = bumpVersion(model, input)
  const select = writeSelect(writeContext, model)
  const guard = await lockForCondition(writeContext, model, [row], createGuard(writeContext, row, condition))
  if (guard === false) return throwWriteError(writeContext, 'update', model, row, condition)
  const byId = () => callClient(client, model, 'update', { where: uniqueWhere(model, row), data, select })
  if (guard === true) return byId()
  // Uses `updateMany`, whose count is reliable. For `update` on MySQL, Prisma reads the row before and after the statement, and returns the
  // old row if the statement changed no row.
  const changesId = model.idFields.some((name) => Object.hasOwn(data, name))
  const written = changesId ? idFilter(model, row) : data
  const where = restrict(model, idFilter(model, row), [guard])
  const { count } = await callClient(client, model, 'updateMany', { where, data: written })
  if (count === 0) return throwWriteError(writeContext, 'update', model, row, condition)
  if (changesId) return byId()
  const changed = await callClient(client, model, 'findFirst', { where: idFilter(model, row), select })
  return changed ?? throwWriteError(writeContext, 'update', model, row, condition)
}

/** Deletes a row under the same conditions as {@link updateIfUnchanged}. Returns whether the row was deleted. */
async function deleteIfUnchanged(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<boolean> {
  const guard = await lockForCondition(writeContext, model, [row], createGuard(writeContext, row, condition))
  return guard !== false && deleteIfMet(writeContext, model, row, guard)
}

async function deleteIfMet(
  { client }: WriteContext,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<boolean> {
  const where = restrict(model, idFilter(model, row), [condition])
  return (await callClient(client, model, 'deleteMany', { where })).count > 0
}

/** Returns the conditions that a row must still meet when it is written: the one under which it was found, and that of the rules. */
function createGuard(writeContext: WriteContext, row: Args, condition: Condition): Condition {
  return allOf([foundCondition(writeContext, row), condition])
}

/** Throws an error that explains why a row was not written. In an app's transaction with repeatable reads, the row may look unchanged. */
async function throwWriteError(
  writeContext: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<never> {
  const rowMatches = async (guard: Condition) => {
    const where = restrict(model, idFilter(model, row), [guard])
    return (await callClient(writeContext.client, model, 'count', { where })) > 0
  }
  if (await rowMatches(createGuard(writeContext, row, condition))) throw new ChangedRowError(model.name)
  if (condition === true || !(await rowMatches(createGuard(writeContext, row, true)))) {
    throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  }
  return denyRow(action, model)
}
