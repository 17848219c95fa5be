import type { Limits } from '../../limits.js'
import type { Model } from '../../schema/schema.js'
import { anyMembers, filterOf, isShared, loadedOf, loadsAll } from '../guard/read/loaded.js'
import type { Args } from '../guard/refuse.js'
import type { Selection } from '../guard/read/selection.js'
import { takeOf } from '../guard/read/window.js'
import type { LoadingRead } from './loaded.js'
import type { Look } from './look.js'

/**
 * What is counted before a read, because Prisma would load it without a LIMIT.
 * @param members whether the members of all rows are counted already: once each, however many rows share it
 */
export function readLooks(
  model: Model,
  operation: LoadingRead['operation'],
  args: Args,
  limits: Limits,
  members = false,
): Look[] {
  if (limits.loadedRows === Infinity) return []
  const loaded = loadedOf(model, args, {
    rows: operation === 'findMany' ? (takeOf(args) ?? Infinity) : 1,
    unique: operation === 'findUnique',
    most: limits.loadedRows,
  })
  const looks: Look[] = []
  if (loadsAll(model, args)) looks.push({ of: 'loaded rows', members: [{ target: model, where: filterOf(args) }] })
  if (loaded && !(members && !isShared(loaded))) looks.push({ of: 'loading read', read: { operation, args, loaded } })
  return looks
}

/**
 * What is counted before a write, because Prisma would load it for the answer without a LIMIT. Whose members they are is known
 * only once the write is made: so it is all rows that they could be. Where the data tells all members, nothing is counted.
 * @param rows how many rows the answer may hold
 */
export function answerLooks(model: Model, selected: Selection, limits: Limits, rows = 1): Look[] {
  const loaded =
    limits.loadedRows === Infinity || selected.unwritten.length === 0
      ? undefined
      : loadedOf(model, selected.args, { rows, unique: true, most: limits.loadedRows })
  const members = loaded ? anyMembers(loaded) : []
  return members.length > 0 ? [{ of: 'loaded rows', members }] : []
}
