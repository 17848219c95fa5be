import type { Limits } from '../../limits.js'
import type { Model } from '../../schema/schema.js'
import {
  anyMembers,
  windowFilter,
  sharesJoinTable,
  findUnboundedLoads,
  loadsAll,
} from '../guard/read/unbounded-loads.js'
import type { Args } from '../guard/arguments.js'
import type { Selection } from '../guard/read/selection.js'
import { maxTake } from '../guard/read/window.js'
import type { UnboundedRead } from './loaded-rows.js'
import type { Preflight } from './preflight.js'

/**
 * What is counted before a read, because Prisma would load it without a LIMIT.
 * @param members whether the members of all rows are counted already: once each, however many rows share it
 */
export function readPreflights(
  model: Model,
  operation: UnboundedRead['operation'],
  args: Args,
  limits: Limits,
  members = false,
): Preflight[] {
  if (limits.loadedRows === Infinity) return []
  const loaded = findUnboundedLoads(model, args, {
    rows: operation === 'findMany' ? (maxTake(args) ?? Infinity) : 1,
    unique: operation === 'findUnique',
    most: limits.loadedRows,
  })
  const looks: Preflight[] = []
  if (loadsAll(model, args)) looks.push({ of: 'loaded rows', members: [{ target: model, where: windowFilter(args) }] })
  if (loaded && !(members && !sharesJoinTable(loaded)))
    looks.push({ of: 'loading read', read: { operation, args, loaded } })
  return looks
}

/**
 * What is counted before a write, because Prisma would load it for the answer without a LIMIT. Whose members they are is known
 * only once the write is made: so it is all rows that they could be. Where the data tells all members, nothing is counted.
 * @param rows how many rows the answer may hold
 */
export function resultPreflights(model: Model, selected: Selection, limits: Limits, rows = 1): Preflight[] {
  const loaded =
    limits.loadedRows === Infinity || selected.unwritten.length === 0
      ? undefined
      : findUnboundedLoads(model, selected.args, { rows, unique: true, most: limits.loadedRows })
  const members = loaded ? anyMembers(loaded) : []
  return members.length > 0 ? [{ of: 'loaded rows', members }] : []
}
