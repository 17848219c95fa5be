import { callClient } from '../../orm/port.js'
import { isEmpty } from '../condition.js'
import type { PolicyModel } from '../schema.js'
import { given, type Tree } from '../tree.js'
import { type NestedWrite, partsOf } from './data.js'
import { removeRow, updateRow } from './one-row.js'
import { shownKeys, writeOwnKeys } from './own-key.js'
import { holdRows } from './row-sets.js'
import { writeRelated } from './related.js'
import { isAlwaysShown } from './shown.js'
import {
  expectRow,
  expectUpdated,
  keySelect,
  type Link,
  permit,
  relationsOf,
  requireMet,
  requireTargets,
  type RowWrites,
  type Writing,
} from './writing.js'

/**
 * Creates a row and everything that is nested in it. Whether it may be what it is, is seen in the end.
 * @returns the keys of the row
 */
export async function createRow(writing: Writing, model: PolicyModel, data: unknown, link?: Link): Promise<Tree> {
  const { scalars, own, others, written } = partsOf(model, data, link)
  const condition = permit(writing.rules, 'create', model, written)
  const { values } = await writeOwnKeys(writing, own)
  const row = await callClient(writing.client, model, 'create', {
    data: { ...scalars, ...values, ...link?.values },
    select: keySelect(model),
  })
  await requireTargets(writing, model, [row], relationsOf(model, new Set(Object.keys(scalars))))
  expectRow(writing, 'create', model, row, condition)
  for (const nested of others) await writeRelated(writing, nested, row, true)
  return row
}

/**
 * Changes a row that may be read, and everything that is nested in the change.
 * @param row the keys of the row
 * @returns the keys of the row, as they are then
 * @throws PolicyError where the row may not be changed
 */
export async function changeRow(
  writing: Writing,
  model: PolicyModel,
  row: Tree,
  data: unknown,
  link?: Link,
): Promise<Tree> {
  const { scalars, own, others, written } = partsOf(model, data, link)
  const condition = permit(writing.rules, 'update', model, written)
  const flat = { ...scalars, ...link?.values }
  let changed = row
  // What this write makes of the row must not decide whether its keys were to be seen.
  const shown = await shownKeys(writing, model, own, row)
  // What is nested in own keys is written before them, and may change what the condition looks at.
  const isFirst = own.some(writesOthers)
  if (own.length === 0 && isEmpty(flat) && others.length > 0) await holdRows(writing, model, [row], condition)
  else if (own.length > 0 || isEmpty(flat)) await requireMet(writing, 'update', model, row, condition)
  if (isFirst && !isEmpty(flat)) changed = await updateRow(writing, model, row, flat, condition)
  const { values, afterwards } = await writeOwnKeys(writing, own, row, shown)
  if (!isFirst && !isEmpty({ ...flat, ...values })) {
    changed = await updateRow(writing, model, row, { ...scalars, ...values, ...link?.values }, condition)
  } else if (!isEmpty(values)) changed = await updateRow(writing, model, { ...changed }, values, true)
  // Whether what may not be read was changed is not told either.
  const isMoved = (name: string) => changed[name] !== row[name] || !isAlwaysShown(writing, model, name)
  const moved = new Set(Object.keys(scalars).filter(isMoved))
  await requireTargets(writing, model, [changed], relationsOf(model, moved))
  expectUpdated(writing, model, changed, written, condition)
  for (const nested of others) await writeRelated(writing, nested, changed, false)
  for (const finish of afterwards) await finish()
  return changed
}

function writesOthers({ operations }: NestedWrite): boolean {
  return given(operations).some(([operation]) => operation !== 'connect' && operation !== 'disconnect')
}

/**
 * Deletes a row that may be read.
 * @throws PolicyError where it may not be deleted
 */
export async function deleteRow(writing: Writing, model: PolicyModel, row: Tree): Promise<void> {
  const condition = permit(writing.rules, 'delete', model, [])
  await removeRow(writing, model, row, condition)
}

/** {@link RowWrites}, as nested writes get them. */
export const ROW_WRITES: RowWrites = { create: createRow, change: changeRow, remove: deleteRow }
