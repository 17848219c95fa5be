import { isObject } from '../../values/is-object.js'
import { restrict } from '../rules/condition.js'
import type { ReadContext, UsedFields } from './read-context.js'
import type { PolicyModel } from '../policy-schema.js'
import { flattenUniqueWhere, readableWhere } from './readable-where.js'

/**
 * Ensures that a cursor's row is readable, including the fields that rows are ordered by. Otherwise, the result would reveal how the values
 * of the cursor's row compare with those of other rows.
 * @param args a copy of the arguments with the rewritten filter. It is changed if the row is not readable
 * @param ordered the fields that rows are ordered by
 */
export function deferCursorCheck(
  readContext: ReadContext,
  model: PolicyModel,
  args: Record<string, unknown>,
  ordered: UsedFields,
): void {
  const { cursor } = args
  if (cursor === undefined) return
  const used: UsedFields = new Set(ordered)
  const flat = flattenUniqueWhere(model, cursor)
  const where = readableWhere(readContext, model, flat, used)
  if (where === flat) return
  readContext.cursors.push({
    model,
    where,
    drop() {
      delete args['cursor']
      args['where'] = restrict(model, isObject(args['where']) ? args['where'] : {}, [false])
    },
  })
}
