import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/port.js'
import { keyOf } from '../read/plan.js'
import { type Condition, isEmpty } from '../rules/condition.js'
import type { PolicyModel } from '../schema.js'
import { deny, given, type Tree } from '../tree.js'
import { type NestedWrite, partsOf } from './data.js'
import { heldRow } from './held-row.js'
import { removeRow, updateRow } from './one-row.js'
import { shownKeys, writeOwnKeys } from './own-key.js'
import { holdRows } from './row-sets.js'
import { writeRelated } from './related.js'
import { requireReferred } from './referred.js'
import { isAlwaysShown } from './shown.js'
import { writeCascade } from './cascades.js'
import {
  addedNames,
  expectRow,
  expectUpdated,
  type Link,
  permit,
  relationsOf,
  requireMet,
  requireTargets,
  rowSelect,
  type RowWrites,
  type Writing,
} from './writing.js'

/**
 * Creates a row and everything that is nested in it. Whether it may be what it is, is seen in the end.
 * @returns the keys of the row
 */
export async function createRow(writing: Writing, model: PolicyModel, data: unknown, link?: Link): Promise<Tree> {
  const { scalars, own, others, written } = partsOf(model, data, link)
  const { hooks, client } = writing
  permit(writing.rules, 'create', model, written)
  const { values } = await writeOwnKeys(writing, model, own)
  const given = { ...scalars, ...values, ...link?.values }
  const flat = hooks.hearsRow(model, 'create') ? await hooks.creating(writing, model, given) : given
  const added = addedNames(given, flat)
  const condition = permit(writing.rules, 'create', model, [...written, ...added])
  const row = await callClient(client, model, 'create', { data: flat, select: rowSelect(writing, model) })
  await requireTargets(writing, model, [row], relationsOf(model, new Set([...Object.keys(scalars), ...added])))
  expectRow(writing, 'create', model, row, condition)
  for (const nested of others) await writeRelated(writing, nested, row, true)
  if (hooks.hearsRow(model, 'create')) await hooks.created(writing, model, row)
  return row
}

/**
 * Changes a row that may be read, and everything that is nested in the change.
 * @param found the keys of the row
 * @returns the keys of the row, as they are then
 * @throws PolicyError where the row may not be changed
 */
export async function changeRow(
  writing: Writing,
  model: PolicyModel,
  found: Tree,
  data: unknown,
  link?: Link,
): Promise<Tree> {
  const { scalars, own, others, written } = partsOf(model, data, link)
  const { hooks } = writing
  const condition = permit(writing.rules, 'update', model, written)
  const flat = { ...scalars, ...link?.values }
  const isTold = hooks.hearsRow(model, 'update') && (own.length > 0 || !isEmpty(flat))
  const row = isTold ? await heldRow(writing, model, found) : found
  let changed = row
  // What this write makes of the row must not decide whether its keys were to be seen.
  const shown = await shownKeys(writing, model, own, row)
  // What is nested in own keys is written before them, and may change what the condition looks at.
  const nestsFirst = own.some(writesOthers)
  // The app is told of a row once, when all that it gets is known.
  const isFirst = nestsFirst && !isTold
  if (own.length === 0 ? isEmpty(flat) && others.length > 0 : nestsFirst && isTold) {
    await holdRows(writing, model, [row], condition)
  } else if (own.length > 0 || isEmpty(flat)) await requireMet(writing, 'update', model, row, condition)
  if (isFirst && !isEmpty(flat)) changed = await updateRow(writing, model, row, flat, condition)
  const { values, afterwards } = await writeOwnKeys(writing, model, own, row, shown)
  const given = { ...scalars, ...values, ...link?.values }
  const tells = isTold && !isEmpty(given)
  const whole = tells ? await hooks.changing(writing, model, row, given) : given
  requireReferred(writing, model, whole, row)
  const added = addedNames(given, whole)
  const met = added.length === 0 ? condition : permit(writing.rules, 'update', model, [...written, ...added])
  if (!isFirst && !isEmpty(whole)) {
    changed = await updateRow(writing, model, row, whole, nestsFirst && met === condition ? true : met)
  } else if (!isEmpty(values)) changed = await updateRow(writing, model, { ...changed }, values, true)
  // Whether what may not be read was changed is not told either.
  const isMoved = (name: string) => changed[name] !== row[name] || !isAlwaysShown(writing, model, name)
  const moved = new Set([...Object.keys(scalars), ...added].filter(isMoved))
  await requireTargets(writing, model, [changed], relationsOf(model, moved))
  expectUpdated(writing, model, changed, [...written, ...added], met)
  for (const nested of others) await writeRelated(writing, nested, changed, false)
  for (const finish of afterwards) await finish()
  if (tells && !isEmpty(whole)) await hooks.changed(writing, model, row, changed)
  return changed
}

function writesOthers({ operations }: NestedWrite): boolean {
  return given(operations).some(([operation]) => operation !== 'connect' && operation !== 'disconnect')
}

/**
 * Deletes a row that may be read, or does what the app does in place of it.
 * @throws PolicyError where it may not be done
 */
export async function deleteRow(writing: Writing, model: PolicyModel, found: Tree): Promise<void> {
  const { hooks, rules, removals } = writing
  const key = `${model.name} ${keyOf(model, found)}`
  const before = removals.get(key)
  if (before === 'begun') removals.set(key, 'circled')
  if (before) return
  const isTold = hooks.hearsRow(model, 'delete')
  const condition = hooks.keeps(model) ? true : permit(rules, 'delete', model, [])
  const row = isTold ? await heldRow(writing, model, found) : found
  const instead = isTold ? await hooks.removing(writing, model, row) : undefined
  if (instead) {
    await changeRow(writing, model, row, instead)
    return
  }
  removals.set(key, 'begun')
  await cascadeRow(writing, model, row)
  const isCircled = removals.get(key) === 'circled'
  await (isCircled ? removeCircled(writing, model, row, condition) : removeRow(writing, model, row, condition))
  removals.set(key, 'done')
  if (isTold) await hooks.removed(writing, model, row)
}

/** Deletes a row that goes with rows which go with it: the database may have deleted it with them. */
async function removeCircled(writing: Writing, model: PolicyModel, row: Tree, condition: Condition): Promise<void> {
  try {
    await removeRow(writing, model, row, condition)
  } catch (error) {
    if (!(error instanceof MissingRowError)) throw error
    if (condition !== true) deny(`Rows of ${model.name} that go with each other cannot be verified.`)
  }
}

async function cascadeRow(writing: Writing, model: PolicyModel, row: Tree): Promise<void> {
  for (const cascade of writing.hooks.cascades(model)) await writeCascade(writing, cascade, row)
}

/** {@link RowWrites}, as nested writes get them. */
export const ROW_WRITES: RowWrites = { create: createRow, change: changeRow, remove: deleteRow, cascade: cascadeRow }
