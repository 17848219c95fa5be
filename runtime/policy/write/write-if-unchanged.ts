import { ChangedRowError, MissingRowError } from '../../errors/row-errors.js'
import { callClient } from '../../prisma/call-client.js'
import { allOf, type Condition, restrict } from '../rules/condition.js'
import { idFilter, uniqueWhere } from '../row-id.js'
import type { Action } from '../rules/rules.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { bumpVersion } from './bump-version.js'
import { foundCondition, lockForCondition } from './lock-and-check.js'
import type { WriteContext } from './write-context.js'
import { writeSelect } from './find-readable-row.js'
import { denyRow } from './write-condition.js'

/**
 * Updates the columns of a row if it still meets the condition under which it was found and the condition of the rules. Another transaction
 * may have changed the row in the meantime.
 * @param row the keys of the row
 * @returns the keys of the row after the update
 * @throws PolicyError if the row may not be updated
 * @throws MissingRowError if the row is no longer readable
 */
export async function updateIfUnchanged(
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
  const changesId = model.idFields.some((name) => name in data)
  const written = changesId ? idFilter(model, row) : data
  const where = restrict(model, idFilter(model, row), [guard])
  const { count } = await callClient(client, model, 'updateMany', { where, data: written })
  if (count === 0) return throwWriteError(writeContext, 'update', model, row, condition)
  if (changesId) return byId()
  const changed = await callClient(client, model, 'findFirst', { where: idFilter(model, row), select })
  return changed ?? throwWriteError(writeContext, 'update', model, row, condition)
}

/** Deletes a row under the same conditions as {@link updateIfUnchanged}. */
export async function deleteIfUnchanged(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  const guard = await lockForCondition(writeContext, model, [row], createGuard(writeContext, row, condition))
  const where = restrict(model, idFilter(model, row), [guard])
  const isDeleted = guard !== false && (await callClient(writeContext.client, model, 'deleteMany', { where })).count > 0
  if (!isDeleted) await throwWriteError(writeContext, 'delete', model, row, condition)
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
