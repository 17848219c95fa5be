import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/client-port.js'
import { type Condition, isEmpty } from '../rules/condition.js'
import type { PolicyModel } from '../schema.js'
import { deny, definedMembers, type Args } from '../args.js'
import { type NestedWrite, splitData } from './split-data.js'
import { lockAndReload } from './lock-and-reload.js'
import { deleteIfUnchanged, updateIfUnchanged } from './conditional-write.js'
import { readableForeignKeys, writeOwnedForeignKeys } from './owned-foreign-keys.js'
import { lockRows } from './row-batches.js'
import { runNestedWrites } from './nested-writes.js'
import { assertNotReferenced } from './referenced-fields.js'
import { isAlwaysReadable } from './readable-fields.js'
import { applyCascade } from './cascades.js'
import {
  changedKeys,
  deferRowCheck,
  deferUpdateCheck,
  type ParentLink,
  writeCondition,
  relationsUsingFields,
  assertConditionMet,
  assertExclusiveTargetsReadable,
  assertTargetsReadable,
  removalKey,
  writeSelect,
  type RowWriter,
  type WriteContext,
} from './write-context.js'

/**
 * Creates a row and its nested writes. Whether the rules allow the row is checked after everything is written.
 * @returns the keys of the row
 */
export async function createRow(
  writing: WriteContext,
  model: PolicyModel,
  data: unknown,
  link?: ParentLink,
): Promise<Args> {
  const { scalars, owned, others, written } = splitData(model, data, link)
  const { hooks, client } = writing
  writeCondition(writing.rules, 'create', model, written)
  const { values } = await writeOwnedForeignKeys(writing, model, owned)
  const input = { ...scalars, ...values, ...link?.values }
  const flat = hooks.hasRowHooks(model, 'create') ? await hooks.beforeCreate(writing, model, input) : input
  const added = changedKeys(input, flat)
  const condition = writeCondition(writing.rules, 'create', model, [...written, ...added])
  await assertExclusiveTargetsReadable(writing, model, scalars)
  const row = await callClient(client, model, 'create', { data: flat, select: writeSelect(writing, model) })
  await assertTargetsReadable(
    writing,
    model,
    [row],
    relationsUsingFields(model, new Set([...Object.keys(scalars), ...added])),
  )
  deferRowCheck(writing, 'create', model, row, condition)
  for (const nested of others) await runNestedWrites(writing, nested, row, true)
  if (hooks.hasRowHooks(model, 'create')) await hooks.afterCreate(writing, model, row)
  return row
}

/**
 * Updates a readable row and runs its nested writes.
 * @param found the keys of the row
 * @returns the keys of the row after the update
 * @throws PolicyError if the row may not be updated
 */
export async function updateRow(
  writing: WriteContext,
  model: PolicyModel,
  found: Args,
  data: unknown,
  link?: ParentLink,
): Promise<Args> {
  const { scalars, owned, others, written } = splitData(model, data, link)
  const { hooks } = writing
  const condition = writeCondition(writing.rules, 'update', model, written)
  const flat = { ...scalars, ...link?.values }
  const isHooked = hooks.hasRowHooks(model, 'update') && (owned.length > 0 || !isEmpty(flat))
  const row = isHooked ? await lockForHooks(writing, model, found) : found
  let changed = row
  // Must run before any write, because what the write changes must not affect whether the keys count as readable.
  const readable = await readableForeignKeys(writing, model, owned, row)
  // Writes nested in the row's own foreign keys run first, and may change rows that the condition depends on.
  const nestsFirst = owned.some(writesOthers)
  // Hooks receive a row once, when all of its values are available.
  const isFirst = nestsFirst && !isHooked
  if (owned.length === 0 ? isEmpty(flat) && others.length > 0 : nestsFirst && isHooked) {
    await lockRows(writing, model, [row], condition)
  } else if (owned.length > 0 || isEmpty(flat)) await assertConditionMet(writing, 'update', model, row, condition)
  await assertExclusiveTargetsReadable(writing, model, scalars, row)
  if (isFirst && !isEmpty(flat)) changed = await updateIfUnchanged(writing, model, row, flat, condition)
  const { values, afterwards } = await writeOwnedForeignKeys(writing, model, owned, row, readable)
  const input = { ...scalars, ...values, ...link?.values }
  const callsHooks = isHooked && !isEmpty(input)
  const whole = callsHooks ? await hooks.beforeUpdate(writing, model, row, input) : input
  assertNotReferenced(writing, model, whole, row)
  const added = changedKeys(input, whole)
  const met = added.length === 0 ? condition : writeCondition(writing.rules, 'update', model, [...written, ...added])
  if (!isFirst && !isEmpty(whole)) {
    changed = await updateIfUnchanged(writing, model, row, whole, nestsFirst && met === condition ? true : met)
  } else if (!isEmpty(values)) changed = await updateIfUnchanged(writing, model, { ...changed }, values, true)
  // An unreadable field always counts as changed. Otherwise the result would reveal whether it has changed.
  const isMoved = (name: string) => changed[name] !== row[name] || !isAlwaysReadable(writing, model, name)
  const moved = new Set([...Object.keys(scalars), ...added].filter(isMoved))
  await assertTargetsReadable(writing, model, [changed], relationsUsingFields(model, moved))
  deferUpdateCheck(writing, model, changed, [...written, ...added], met)
  for (const nested of others) await runNestedWrites(writing, nested, changed, false)
  for (const finish of afterwards) await finish()
  if (callsHooks && !isEmpty(whole)) await hooks.afterUpdate(writing, model, row, changed)
  return changed
}

/** Locks a row before its hooks receive it, unless it is already locked. */
async function lockForHooks(writing: WriteContext, model: PolicyModel, found: Args): Promise<Args> {
  if (writing.locked.has(found)) return found
  const row = await lockAndReload(writing, model, found)
  writing.locked.add(row)
  return row
}

function writesOthers({ operations }: NestedWrite): boolean {
  return definedMembers(operations).some(([operation]) => operation !== 'connect' && operation !== 'disconnect')
}

/**
 * Deletes a readable row, or updates it if a `replaceWith` hook replaces the deletion.
 * @throws PolicyError if this is not allowed
 */
export async function deleteRow(writing: WriteContext, model: PolicyModel, found: Args): Promise<void> {
  const { hooks, rules, removals } = writing
  const key = removalKey(model, found)
  const before = removals.get(key)
  if (before === 'begun') removals.set(key, 'circled')
  if (before) return
  const isHooked = hooks.hasRowHooks(model, 'delete')
  const condition = hooks.replacesDelete(model) ? true : writeCondition(rules, 'delete', model, [])
  const row = isHooked ? await lockForHooks(writing, model, found) : found
  const instead = isHooked ? await hooks.beforeDelete(writing, model, row) : undefined
  if (instead) {
    await updateRow(writing, model, row, instead)
    return
  }
  removals.set(key, 'begun')
  await cascadeRow(writing, model, row)
  const isCircled = removals.get(key) === 'circled'
  await (isCircled ? removeCircled(writing, model, row, condition) : deleteIfUnchanged(writing, model, row, condition))
  removals.set(key, 'done')
  if (isHooked) await hooks.afterDelete(writing, model, row)
}

/** Deletes a row in a cycle of cascading deletes. The database may have deleted it already, together with the other rows. */
async function removeCircled(
  writing: WriteContext,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  try {
    await deleteIfUnchanged(writing, model, row, condition)
  } catch (error) {
    if (!(error instanceof MissingRowError)) throw error
    if (condition !== true) deny(`Rows of ${model.name} that go with each other cannot be verified.`)
  }
}

async function cascadeRow(writing: WriteContext, model: PolicyModel, row: Args): Promise<void> {
  for (const cascade of writing.hooks.cascades(model)) await applyCascade(writing, cascade, row)
}

/** The {@link RowWriter} that nested writes use. */
export const ROW_WRITER: RowWriter = { create: createRow, update: updateRow, remove: deleteRow, cascade: cascadeRow }
