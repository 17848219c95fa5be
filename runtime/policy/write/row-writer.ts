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
 * Creates a row and everything that is nested in it. Whether it may be what it is, is seen in the end.
 * @returns the keys of the row
 */
export async function createRow(
  writing: WriteContext,
  model: PolicyModel,
  data: unknown,
  link?: ParentLink,
): Promise<Args> {
  const { scalars, own, others, written } = splitData(model, data, link)
  const { hooks, client } = writing
  writeCondition(writing.rules, 'create', model, written)
  const { values } = await writeOwnedForeignKeys(writing, model, own)
  const given = { ...scalars, ...values, ...link?.values }
  const flat = hooks.hearsRow(model, 'create') ? await hooks.creating(writing, model, given) : given
  const added = changedKeys(given, flat)
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
  if (hooks.hearsRow(model, 'create')) await hooks.created(writing, model, row)
  return row
}

/**
 * Changes a row that may be read, and everything that is nested in the change.
 * @param found the keys of the row
 * @returns the keys of the row, as they are then
 * @throws PolicyError where the row may not be changed
 */
export async function updateRow(
  writing: WriteContext,
  model: PolicyModel,
  found: Args,
  data: unknown,
  link?: ParentLink,
): Promise<Args> {
  const { scalars, own, others, written } = splitData(model, data, link)
  const { hooks } = writing
  const condition = writeCondition(writing.rules, 'update', model, written)
  const flat = { ...scalars, ...link?.values }
  const isTold = hooks.hearsRow(model, 'update') && (own.length > 0 || !isEmpty(flat))
  const row = isTold ? await lockForHooks(writing, model, found) : found
  let changed = row
  // What this write makes of the row must not decide whether its keys were to be seen.
  const shown = await readableForeignKeys(writing, model, own, row)
  // What is nested in own keys is written before them, and may change what the condition looks at.
  const nestsFirst = own.some(writesOthers)
  // The app is told of a row once, when all that it gets is known.
  const isFirst = nestsFirst && !isTold
  if (own.length === 0 ? isEmpty(flat) && others.length > 0 : nestsFirst && isTold) {
    await lockRows(writing, model, [row], condition)
  } else if (own.length > 0 || isEmpty(flat)) await assertConditionMet(writing, 'update', model, row, condition)
  await assertExclusiveTargetsReadable(writing, model, scalars, row)
  if (isFirst && !isEmpty(flat)) changed = await updateIfUnchanged(writing, model, row, flat, condition)
  const { values, afterwards } = await writeOwnedForeignKeys(writing, model, own, row, shown)
  const given = { ...scalars, ...values, ...link?.values }
  const tells = isTold && !isEmpty(given)
  const whole = tells ? await hooks.changing(writing, model, row, given) : given
  assertNotReferenced(writing, model, whole, row)
  const added = changedKeys(given, whole)
  const met = added.length === 0 ? condition : writeCondition(writing.rules, 'update', model, [...written, ...added])
  if (!isFirst && !isEmpty(whole)) {
    changed = await updateIfUnchanged(writing, model, row, whole, nestsFirst && met === condition ? true : met)
  } else if (!isEmpty(values)) changed = await updateIfUnchanged(writing, model, { ...changed }, values, true)
  // Whether what may not be read was changed is not told either.
  const isMoved = (name: string) => changed[name] !== row[name] || !isAlwaysReadable(writing, model, name)
  const moved = new Set([...Object.keys(scalars), ...added].filter(isMoved))
  await assertTargetsReadable(writing, model, [changed], relationsUsingFields(model, moved))
  deferUpdateCheck(writing, model, changed, [...written, ...added], met)
  for (const nested of others) await runNestedWrites(writing, nested, changed, false)
  for (const finish of afterwards) await finish()
  if (tells && !isEmpty(whole)) await hooks.changed(writing, model, row, changed)
  return changed
}

/** Locks a row before its hooks receive it, unless it is locked already. */
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
 * Deletes a row that may be read, or does what the app does in place of it.
 * @throws PolicyError where it may not be done
 */
export async function deleteRow(writing: WriteContext, model: PolicyModel, found: Args): Promise<void> {
  const { hooks, rules, removals } = writing
  const key = removalKey(model, found)
  const before = removals.get(key)
  if (before === 'begun') removals.set(key, 'circled')
  if (before) return
  const isTold = hooks.hearsRow(model, 'delete')
  const condition = hooks.keeps(model) ? true : writeCondition(rules, 'delete', model, [])
  const row = isTold ? await lockForHooks(writing, model, found) : found
  const instead = isTold ? await hooks.removing(writing, model, row) : undefined
  if (instead) {
    await updateRow(writing, model, row, instead)
    return
  }
  removals.set(key, 'begun')
  await cascadeRow(writing, model, row)
  const isCircled = removals.get(key) === 'circled'
  await (isCircled ? removeCircled(writing, model, row, condition) : deleteIfUnchanged(writing, model, row, condition))
  removals.set(key, 'done')
  if (isTold) await hooks.removed(writing, model, row)
}

/** Deletes a row that goes with rows which go with it: the database may have deleted it with them. */
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

/** {@link RowWrites}, as nested writes get them. */
export const ROW_WRITER: RowWriter = { create: createRow, change: updateRow, remove: deleteRow, cascade: cascadeRow }
