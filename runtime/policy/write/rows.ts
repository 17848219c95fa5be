import { callClient } from '../../orm/port.js'
import { restrict } from '../condition.js'
import type { PolicyModel } from '../schema.js'
import type { Tree } from '../tree.js'
import { partsOf } from './data.js'
import { writeOwnKeys } from './own-key.js'
import { writeRelated } from './related.js'
import { isAlwaysShown } from './shown.js'
import {
  expectRow,
  keySelect,
  type Link,
  permit,
  relationsOf,
  requireMet,
  requireTargets,
  type RowWrites,
  uniqueOf,
  type Writing,
} from './writing.js'

/**
 * Creates a row and everything that is nested in it. Whether it may be what it is, is seen in the end.
 * @returns the keys of the row
 */
export async function createRow(writing: Writing, model: PolicyModel, data: unknown, link?: Link): Promise<Tree> {
  const { scalars, own, others, written } = partsOf(model, data, link)
  const condition = permit(writing.rules, 'create', model, written)
  const { values } = await writeOwnKeys(writing, model, own, undefined)
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
  await requireMet(writing, 'update', model, row, condition)
  const { values, afterwards } = await writeOwnKeys(writing, model, own, row)
  const all = { ...scalars, ...values, ...link?.values }
  const changed =
    Object.keys(all).length === 0
      ? row
      : await callClient(writing.client, model, 'update', {
          where: uniqueOf(model, row),
          data: all,
          select: keySelect(model),
        })
  // Whether what may not be read was changed is not told either.
  const isMoved = (name: string) => changed[name] !== row[name] || !isAlwaysShown(writing, model, name)
  const moved = new Set(Object.keys(scalars).filter(isMoved))
  await requireTargets(writing, model, [changed], relationsOf(model, moved))
  expectRow(writing, 'update', model, changed, condition)
  for (const nested of others) await writeRelated(writing, nested, changed, false)
  for (const finish of afterwards) await finish()
  return changed
}

/**
 * Deletes a row that may be read.
 * @throws PolicyError where it may not be deleted
 */
export async function deleteRow(writing: Writing, model: PolicyModel, row: Tree): Promise<void> {
  const condition = permit(writing.rules, 'delete', model, [])
  await requireMet(writing, 'delete', model, row, condition)
  const where = restrict(model, uniqueOf(model, row), [condition])
  await callClient(writing.client, model, 'delete', { where, select: keySelect(model) })
}

/** {@link RowWrites}, as nested writes get them. */
export const ROW_WRITES: RowWrites = { create: createRow, change: changeRow, remove: deleteRow }
