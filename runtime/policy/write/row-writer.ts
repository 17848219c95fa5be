import { MissingRowError } from '../../errors/row-errors.js'
import { callClient } from '../../prisma/call-client.js'
import { type Condition, isEmpty } from '../rules/condition.js'
import type { PolicyModel } from '../policy-schema.js'
import { definedEntries, type Args } from '../args.js'
import { deny } from '../../errors/policy-error.js'
import { type NestedWrite, splitData } from './split-data.js'
import { lockAndReload } from './lock-and-reload.js'
import { deleteIfUnchanged, updateIfUnchanged } from './write-if-unchanged.js'
import { readableForeignKeys, writeOwnedForeignKeys } from './write-owned-foreign-keys.js'
import { lockRows } from './lock-rows.js'
import { runNestedWrites } from './run-nested-writes.js'
import { assertReferencedFieldsUnchanged } from './assert-referenced-fields-unchanged.js'
import { isAlwaysReadable } from './is-field-readable.js'
import { applyCascade } from './apply-cascade.js'
import { changedKeys, type ParentLink, deletionKey, type RowWriter, type WriteContext } from './write-context.js'
import {
  relationsUsingFields,
  assertExclusiveTargetsReadable,
  assertTargetsReadable,
} from './assert-targets-readable.js'
import { writeSelect } from './find-readable-row.js'
import { deferRowCheck, deferUpdateCheck } from './deferred-checks.js'
import { writeCondition, assertConditionMet } from './write-condition.js'

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
  const { scalars, owned, others, names } = splitData(model, data, link)
  const { hooks, client } = writeContext
  writeCondition(writeContext.rules, 'create', model, names)
  const { values } = await writeOwnedForeignKeys(writeContext, model, owned)
  const input = { ...scalars, ...values, ...link?.values }
  const rowData = hooks.hasRowHooks(model, 'create') ? await hooks.beforeCreate(writeContext, model, input) : input
  const added = changedKeys(input, rowData)
  const condition = writeCondition(writeContext.rules, 'create', model, [...names, ...added])
  await assertExclusiveTargetsReadable(writeContext, model, scalars)
  const row = await callClient(client, model, 'create', { data: rowData, select: writeSelect(writeContext, model) })
  await assertTargetsReadable(
    writeContext,
    model,
    [row],
    relationsUsingFields(model, new Set([...Object.keys(scalars), ...added])),
  )
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
  const { scalars, owned, others, names } = splitData(model, data, link)
  const { hooks } = writeContext
  const condition = writeCondition(writeContext.rules, 'update', model, names)
  const flat = { ...scalars, ...link?.values }
  const isHooked = hooks.hasRowHooks(model, 'update') && (owned.length > 0 || !isEmpty(flat))
  const row = isHooked ? await lockForHooks(writeContext, model, keys) : keys
  let changed = row
  // Must run before any write, so that no change affects whether the keys count as readable.
  const readable = await readableForeignKeys(writeContext, model, owned, row)
  // Nested writes in relations whose foreign key the row holds run first, and may change rows that the condition depends on.
  const runsNestedFirst = owned.some(writesTarget)
  // Hooks receive a row once, when all of its values are available.
  const updatesFirst = runsNestedFirst && !isHooked
  if (owned.length === 0 ? isEmpty(flat) && others.length > 0 : runsNestedFirst && isHooked) {
    await lockRows(writeContext, model, [row], condition)
  } else if (owned.length > 0 || isEmpty(flat)) await assertConditionMet(writeContext, 'update', model, row, condition)
  await assertExclusiveTargetsReadable(writeContext, model, scalars, row)
  if (updatesFirst && !isEmpty(flat)) changed = await updateIfUnchanged(writeContext, model, row, flat, condition)
  const { values, deferred } = await writeOwnedForeignKeys(writeContext, model, owned, row, readable)
  const input = { ...scalars, ...values, ...link?.values }
  const callsHooks = isHooked && !isEmpty(input)
  const finalData = callsHooks ? await hooks.beforeUpdate(writeContext, model, row, input) : input
  assertReferencedFieldsUnchanged(writeContext, model, finalData, row)
  const added = changedKeys(input, finalData)
  const finalCondition =
    added.length === 0 ? condition : writeCondition(writeContext.rules, 'update', model, [...names, ...added])
  if (!updatesFirst && !isEmpty(finalData)) {
    changed = await updateIfUnchanged(
      writeContext,
      model,
      row,
      finalData,
      runsNestedFirst && finalCondition === condition ? true : finalCondition,
    )
  } else if (!isEmpty(values)) changed = await updateIfUnchanged(writeContext, model, { ...changed }, values, true)
  // An unreadable field always counts as changed. Otherwise the result would reveal whether it has changed.
  const isChanged = (name: string) => changed[name] !== row[name] || !isAlwaysReadable(writeContext, model, name)
  const changedFields = new Set([...Object.keys(scalars), ...added].filter(isChanged))
  await assertTargetsReadable(writeContext, model, [changed], relationsUsingFields(model, changedFields))
  deferUpdateCheck(writeContext, model, changed, [...names, ...added], finalCondition)
  for (const nested of others) await runNestedWrites(writeContext, nested, changed, false)
  for (const finish of deferred) await finish()
  if (callsHooks && !isEmpty(finalData)) await hooks.afterUpdate(writeContext, model, row, changed)
  return changed
}

/** Locks a row before its hooks receive it, unless it is already locked. */
async function lockForHooks(writeContext: WriteContext, model: PolicyModel, keys: Args): Promise<Args> {
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
  const state = deletions.get(key)
  if (state === 'begun') deletions.set(key, 'circled')
  if (state) return
  const isHooked = hooks.hasRowHooks(model, 'delete')
  const condition = hooks.replacesDelete(model) ? true : writeCondition(rules, 'delete', model, [])
  const row = isHooked ? await lockForHooks(writeContext, model, keys) : keys
  const replacement = isHooked ? await hooks.beforeDelete(writeContext, model, row) : undefined
  if (replacement) {
    await updateRow(writeContext, model, row, replacement)
    return
  }
  deletions.set(key, 'begun')
  await cascadeRow(writeContext, model, row)
  const isCircled = deletions.get(key) === 'circled'
  await (isCircled
    ? deleteInCycle(writeContext, model, row, condition)
    : deleteIfUnchanged(writeContext, model, row, condition))
  deletions.set(key, 'done')
  if (isHooked) await hooks.afterDelete(writeContext, model, row)
}

/** Deletes a row in a cycle of cascading deletes. The database may have deleted it already, together with the other rows. */
async function deleteInCycle(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  try {
    await deleteIfUnchanged(writeContext, model, row, condition)
  } catch (error) {
    if (!(error instanceof MissingRowError)) throw error
    if (condition !== true) deny(`Rows of ${model.name} whose deletions cascade to each other cannot be verified.`)
  }
}

async function cascadeRow(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<void> {
  for (const cascade of writeContext.hooks.cascades(model)) await applyCascade(writeContext, cascade, row)
}

/** The {@link RowWriter} that nested writes use. */
export const ROW_WRITER: RowWriter = { create: createRow, update: updateRow, remove: deleteRow, cascade: cascadeRow }
