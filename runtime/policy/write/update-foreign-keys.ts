import { whereAnyKey } from '../../prisma/keys.js'
import { callClient } from '../../prisma/call-client.js'
import { allOf } from '../rules/condition.js'
import { bumpVersion } from './bump-version.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { lockForCondition, whereRows } from './lock-and-check.js'
import { changedKeys, type WriteContext } from './write-context.js'
import { deferUpdateCheck } from './deferred-checks.js'
import { writeCondition } from './write-condition.js'
import { throwRowError, groupByGuard, toIds } from './lock-rows.js'

/**
 * Sets the same foreign key values on readable rows.
 * @throws PolicyError if one of them may not be updated
 */
export async function updateForeignKeys(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  values: Args,
  relationName: string,
): Promise<void> {
  const { hooks } = writeContext
  const isBulk = rows.length > 1 && (hooks.hasBulkHooks(model, 'update') || !hooks.hasRowHooks(model, 'update'))
  if (!isBulk) {
    for (const row of rows)
      await writeContext.rows.update(writeContext, model, row, {}, { values, relation: relationName })
    return
  }
  writeCondition(writeContext.rules, 'update', model, [relationName])
  const ids = whereAnyKey(model.idFields, toIds(model, rows))
  const data = hooks.hasBulkHooks(model, 'update')
    ? await hooks.beforeUpdateMany(writeContext, model, ids, values)
    : values
  const names = [relationName, ...changedKeys(values, data)]
  const condition = writeCondition(writeContext.rules, 'update', model, names)
  for (const [chunk, guard] of groupByGuard(writeContext, model, rows)) {
    const checked = await lockForCondition(writeContext, model, chunk, allOf([guard, condition]))
    if (checked === false) await throwRowError(writeContext, model, chunk, condition)
    const where = whereRows(model, chunk, checked)
    const { count } = await callClient(writeContext.client, model, 'updateMany', {
      where,
      data: bumpVersion(model, data),
    })
    if (count < chunk.length) await throwRowError(writeContext, model, chunk, condition)
    for (const row of chunk) deferUpdateCheck(writeContext, model, { ...row, ...data }, names, condition)
  }
  if (hooks.hasBulkHooks(model, 'update')) await hooks.afterUpdateMany(writeContext, model, ids, data, rows.length)
}
