import { isObject } from '../../values/is-object.js'
import { restrict } from '../rules/condition.js'
import type { ReadContext, UsedFields } from './context.js'
import type { PolicyModel } from '../schema.js'
import { plainWhere, readableWhere } from './where.js'

/**
 * Notes that the row of a cursor must be one that may be read, with what rows are ordered by: what comes after it would tell how
 * it compares with others.
 * @param args arguments of our own making, with their filter rewritten; changed where the row is not there
 * @param ordered what rows are ordered by
 */
export function checkCursorReadable(
  reading: ReadContext,
  model: PolicyModel,
  args: Record<string, unknown>,
  ordered: UsedFields,
): void {
  const { cursor } = args
  if (cursor === undefined) return
  const used: UsedFields = new Set(ordered)
  const plain = plainWhere(model, cursor)
  const where = readableWhere(reading, model, plain, used)
  if (where === plain) return
  reading.cursors.push({
    model,
    where,
    giveUp() {
      delete args['cursor']
      args['where'] = restrict(model, isObject(args['where']) ? args['where'] : {}, [false])
    },
  })
}
