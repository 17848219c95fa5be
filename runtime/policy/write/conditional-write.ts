import { classifyDatabaseError } from '../../errors/database-error.js'
import { ChangedRowError, MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../orm/client-port.js'
import { allOf, type Condition, restrict } from '../rules/condition.js'
import { idFilter } from '../read/redaction.js'
import type { Action } from '../rules/rules.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import { bumpVersion } from './bump-version.js'
import { assertConditionMet, denyRow, writeSelect, uniqueWhere, type WriteContext } from './write-context.js'

/**
 * Changes the columns of a row if, in the statement that changes it, it still is what it was found by and what the rules ask for:
 * another transaction may have changed it since it was looked at.
 * @param row the keys of the row
 * @returns the keys of the row, as they are then
 * @throws PolicyError where it may not be changed, MissingRowError where it is no longer there for the caller
 */
export async function updateIfUnchanged(
  writing: WriteContext,
  model: PolicyModel,
  row: Args,
  given: Args,
  condition: Condition,
): Promise<Args> {
  const { client } = writing
  const data = bumpVersion(model, given)
  const guard = guardOf(writing, row, condition)
  const select = writeSelect(writing, model)
  const byId = () => callClient(client, model, 'update', { where: uniqueWhere(model, row), data, select })
  if (guard === true) return byId()
  // Not `update`: on MySQL, Prisma looks before and after it, and answers with the row as it was where the statement itself
  // changed none. The number of changed rows tells.
  const changesId = model.idFields.some((name) => name in data)
  const written = changesId ? idFilter(model, row) : data
  const count = await countWritten(writing, 'update', model, row, condition, async (where) => {
    return (await callClient(client, model, 'updateMany', { where, data: written })).count
  })
  if (count === 0) return lost(writing, 'update', model, row, condition)
  if (changesId || count === undefined) return byId()
  const changed = await callClient(client, model, 'findFirst', { where: idFilter(model, row), select })
  return changed ?? lost(writing, 'update', model, row, condition)
}

/** As {@link updateRow}, of a row that is deleted. */
export async function deleteIfUnchanged(
  writing: WriteContext,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  const { client } = writing
  const byId = async (where: Args) => (await callClient(client, model, 'deleteMany', { where })).count
  const count =
    (await countWritten(writing, 'delete', model, row, condition, byId)) ?? (await byId(idFilter(model, row)))
  if (count === 0) await lost(writing, 'delete', model, row, condition)
}

/** What a row must still be when it is written: what it was found by, and what the rules ask for. */
function guardOf({ foundBy }: WriteContext, row: Args, condition: Condition): Condition {
  return allOf([foundBy.get(row) ?? true, condition])
}

/**
 * Runs a statement on a row that still is what it must be.
 * @returns how many rows it wrote; undefined where Prisma cannot put the condition into such a statement, so that the row was looked
 * at before, and nothing is written yet
 */
async function countWritten(
  writing: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
  write: (where: Args) => Promise<number>,
): Promise<number | undefined> {
  const guard = guardOf(writing, row, condition)
  try {
    return await write(restrict(model, idFilter(model, row), [guard]))
  } catch (error) {
    // For MySQL, Prisma writes some filters on related rows as SQL that names a column out of its place.
    if (classifyDatabaseError(error) !== 'bad-arguments') throw error
    await assertConditionMet(writing, action, model, row, guard)
    return undefined
  }
}

/**
 * Says why a row was not written: it may not be, or it is not there any more. A transaction of MySQL's sees the row as it was when
 * the transaction began, and cannot tell.
 */
async function lost(
  writing: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<never> {
  const isThere = async (guard: Condition) => {
    const where = restrict(model, idFilter(model, row), [guard])
    return (await callClient(writing.client, model, 'count', { where })) > 0
  }
  if (await isThere(guardOf(writing, row, condition))) throw new ChangedRowError(model.name)
  if (condition === true || !(await isThere(guardOf(writing, row, true)))) {
    throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  }
  return denyRow(action, model)
}
