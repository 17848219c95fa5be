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
  createRunQuery,
  countUpTo,
  type UnboundedRead,
  loadedRowsError,
  assertLoadedRows,
  assertRelatedRows,
} from './assert-loaded-rows.js'

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

/**
 * A query to run before a call. Before a write, it counts the rows of the response, because a completed write must not be rejected. It also
 * finds rows in which arithmetic would exceed the range of a field. Before a read, it counts the rows that Prisma would load for to-many
 * relations, including those that are not in the response.
 */
export type Preflight =
  | { readonly kind: 'response members'; readonly members: readonly Members[] }
  | { readonly kind: 'rows'; readonly where: Args; readonly limit?: number; readonly relations: RelationPlan }
  | { readonly kind: 'members'; readonly members: readonly Members[] }
  | { readonly kind: 'loaded rows'; readonly members: readonly Members[] }
  | { readonly kind: 'loading read'; readonly read: UnboundedRead }
  | { readonly kind: 'range'; readonly where: Args; readonly outside: Args; readonly unique: boolean }

/**
 * Runs a preflight, and rejects the request if it exceeds a limit. Runs one query, or one per to-many relation, and never counts beyond the
 * limit.
 * @param orm the client of the request
 */
export async function runPreflight(orm: unknown, model: Model, preflight: Preflight, limits: Limits): Promise<void> {
  const runQuery = createRunQuery(orm)
  if (preflight.kind === 'rows') {
    const take = Math.min(preflight.limit ?? Infinity, limits.rows + 1)
    const rows = Number(await runQuery(model, 'count', { where: preflight.where, take }))
    if (rows > limits.rows) {
      limitExceeded('rows', `More than ${limits.rows} rows would be returned. Use "limit" or updateMany.`)
    }
    assertRelatedRows(rows * toOneRelations(preflight.relations), limits)
  } else if (preflight.kind === 'members') {
    await assertIncludedMembers(runQuery, preflight.members, limits)
  } else if (preflight.kind === 'loaded rows') {
    if ((await countRemaining(runQuery, preflight.members, limits.loadedRows)) < 0) loadedRowsError(limits)
  } else if (preflight.kind === 'loading read') {
    await assertLoadedRows(runQuery, preflight.read, limits)
  } else if (preflight.kind === 'range') {
    if (await hasRowOutOfRange(runQuery, model, preflight)) {
      invalidArguments('invalid-value', 'A number would exceed the range of its field.')
    }
  } else {
    const left = await countRemaining(runQuery, preflight.members, limits.includedRows)
    if (left < 0) assertRelatedRows(limits.includedRows + 1, limits)
  }
}

async function assertIncludedMembers(
  runQuery: RunQuery,
  members: readonly Members[],
  { includedRows }: Limits,
): Promise<void> {
  if ((await countRemaining(runQuery, members, includedRows)) >= 0) return
  limitExceeded(
    'includedRows',
    `Relations would add more than ${includedRows} rows. Use "take" to request fewer parent rows.`,
  )
}

/** Returns how much of a limit remains after counting members. Negative if the members exceed the limit. */
async function countRemaining(runQuery: RunQuery, members: readonly Members[], max: number): Promise<number> {
  let left = max
  for (const { target, where } of members) {
    if (left >= 0) left -= await countUpTo(runQuery, target, where, left)
  }
  return left
}

async function hasRowOutOfRange(
  runQuery: RunQuery,
  model: Model,
  preflight: Extract<Preflight, { kind: 'range' }>,
): Promise<boolean> {
  const { AND = [], ...others } = preflight.where
  const where = { ...others, AND: [preflight.outside, ...(Array.isArray(AND) ? AND : [AND])] }
  if (!preflight.unique) return Number(await runQuery(model, 'count', { where, take: 1 })) > 0
  const select = selectFields(idFields(model))
  return (await runQuery(model, 'findUnique', { where, select })) !== null
}

/**
 * Returns the preflight for arithmetic in a call, on databases that do not check ranges.
 * @param args the validated arguments
 */
export function rangePreflight(model: Model, operation: string, args: Args, { provider }: Dialect): Preflight[] {
  const { where } = args
  if (provider !== 'sqlite' || !isObject(where)) return []
  const outside = arithmeticOverflowWhere(model, operation === 'upsert' ? args['update'] : args['data'])
  return outside ? [{ kind: 'range', where, outside, unique: !operation.startsWith('updateMany') }] : []
}
