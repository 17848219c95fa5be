import type { Limits } from '../../limits.js'
import type { Dialect } from '../../prisma/dialect.js'
import { selectFields } from '../../prisma/keys.js'
import { idFields, type Model } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import { type Args, invalidArguments, limitExceeded } from '../guard/argument-helpers.js'
import { arithmeticOverflowWhere } from '../guard/data/arithmetic-overflow-where.js'
import {
  type Members,
  anyMembers,
  windowFilter,
  sharesJoinTable,
  findUnboundedLoads,
  loadsAll,
} from '../guard/read/find-unbounded-loads.js'
import { type RelationPlan, toOneRelations, type Selection } from '../guard/read/selection.js'
import { maxTake } from '../guard/read/window-arguments.js'
import {
  type RunQuery,
  countUpTo,
  type UnboundedRead,
  loadedRowsError,
  assertLoadedRows,
  assertRelatedRows,
} from './assert-loaded-rows.js'

/**
 * Queries to run before a call, which reject the request if it exceeds a limit. Before a write, they count the rows of the response, because
 * a completed write must not be rejected. They also find rows in which arithmetic would exceed the range of a field. Before a read, they
 * count the rows that Prisma would load for to-many relations, including those that are not in the response. Counts stop at the limit.
 */
export type Preflight = (runQuery: RunQuery) => Promise<void>

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
  const preflights = loadsAll(model, args)
    ? countLoadedRows([{ target: model, where: windowFilter(args) }], limits)
    : []
  if (loaded && !(members && !sharesJoinTable(loaded)))
    preflights.push((runQuery) => assertLoadedRows(runQuery, { operation, args, loaded }, limits))
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
  return countLoadedRows(loaded ? anyMembers(loaded) : [], limits)
}

function countLoadedRows(members: readonly Members[], limits: Limits): Preflight[] {
  return countMembers(members, limits.loadedRows, () => loadedRowsError(limits))
}

/** Returns the preflights for the members of the rows that match a filter. */
export function parentPreflights(members: readonly Members[], { includedRows }: Limits): Preflight[] {
  const detail = `Relations would add more than ${includedRows} rows. Use "take" to request fewer parent rows.`
  return countMembers(members, includedRows, () => limitExceeded('includedRows', detail))
}

/** Returns the preflights for the members of a row that a write returns. */
export function memberPreflights(members: readonly Members[], limits: Limits): Preflight[] {
  const { includedRows } = limits
  return countMembers(members, includedRows, () => assertRelatedRows(includedRows + 1, limits))
}

/** @param reject throws the error for more than `max` members */
function countMembers(members: readonly Members[], max: number, reject: () => void): Preflight[] {
  if (members.length === 0) return []
  const preflight: Preflight = async (runQuery) => {
    let left = max
    for (const { target, where } of members) {
      if (left >= 0) left -= await countUpTo(runQuery, target, where, left)
    }
    if (left < 0) reject()
  }
  return [preflight]
}

/** Returns the preflight for the rows that a bulk update changes and returns. */
export function changedRowsPreflight(
  model: Model,
  { where, limit = Infinity }: { readonly where: Args; readonly limit?: number },
  relations: RelationPlan,
  limits: Limits,
): Preflight {
  return async (runQuery) => {
    const rows = Number(await runQuery(model, 'count', { where, take: Math.min(limit, limits.rows + 1) }))
    if (rows > limits.rows) {
      limitExceeded('rows', `More than ${limits.rows} rows would be returned. Use "limit" or updateMany.`)
    }
    assertRelatedRows(rows * toOneRelations(relations), limits)
  }
}

/**
 * Returns the preflight for arithmetic in a call, on databases that do not check ranges.
 * @param args the validated arguments
 */
export function rangePreflight(model: Model, operation: string, args: Args, { provider }: Dialect): Preflight[] {
  const { where } = args
  if (provider !== 'sqlite' || !isObject(where)) return []
  const outside = arithmeticOverflowWhere(model, operation === 'upsert' ? args['update'] : args['data'])
  if (!outside) return []
  const found = { ...where, AND: [outside, where['AND'] ?? []].flat() }
  const hasRow = async (runQuery: RunQuery): Promise<boolean> => {
    if (operation.startsWith('updateMany')) return Number(await runQuery(model, 'count', { where: found, take: 1 })) > 0
    return (await runQuery(model, 'findUnique', { where: found, select: selectFields(idFields(model)) })) !== null
  }
  const preflight: Preflight = async (runQuery) => {
    if (await hasRow(runQuery)) invalidArguments('invalid-value', 'A number would exceed the range of its field.')
  }
  return [preflight]
}
