import type { Limits } from '../../limits.js'
import type { Model } from '../../schema/model.js'
import {
  anyMembers,
  windowFilter,
  sharesJoinTable,
  findUnboundedLoads,
  loadsAll,
} from '../guard/read/find-unbounded-loads.js'
import type { Args } from '../guard/argument-helpers.js'
import type { Selection } from '../guard/read/selection.js'
import { maxTake } from '../guard/read/window-arguments.js'
import type { UnboundedRead } from './assert-loaded-rows.js'
import type { Preflight } from './run-preflight.js'

/**
 * Returns the preflights for rows that Prisma would load without a LIMIT in a read.
 * @param members whether another preflight already counts the members of all rows. It counts a member once, even if multiple rows share it.
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
    maxMembers: limits.loadedRows,
  })
  const preflights: Preflight[] = []
  if (loadsAll(model, args))
    preflights.push({ kind: 'loaded rows', members: [{ target: model, where: windowFilter(args) }] })
  if (loaded && !(members && !sharesJoinTable(loaded)))
    preflights.push({ kind: 'loading read', read: { operation, args, loaded } })
  return preflights
}

/**
 * Returns the preflights for rows that Prisma would load without a LIMIT for the result of a write. Before the write, it is unknown
 * which rows the members belong to, so all possible members are counted. Nothing is counted if the data contains all members.
 * @param rows maximum number of rows in the response
 */
export function resultPreflights(model: Model, selected: Selection, limits: Limits, rows = 1): Preflight[] {
  const loaded =
    limits.loadedRows === Infinity || selected.unwritten.length === 0
      ? undefined
      : findUnboundedLoads(model, selected.args, { rows, unique: true, maxMembers: limits.loadedRows })
  const members = loaded ? anyMembers(loaded) : []
  return members.length > 0 ? [{ kind: 'loaded rows', members }] : []
}
