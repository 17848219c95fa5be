import type { Limits } from '../../limits.js'
import { chunkKeys, serializeKey, whereAnyKey, selectFields } from '../../prisma/keys.js'
import { idFields, type Model } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import { type Args, limitExceeded } from '../guard/argument-helpers.js'
import {
  relationsAtDepth,
  nestingDepth,
  windowFilter,
  keySelect,
  type UnboundedLoad,
  type UnboundedRelation,
  membersAt,
  ownerKey,
  getRelatedRows,
} from '../guard/read/find-unbounded-loads.js'

/** Number of rows whose members' keys are loaded with one query. Kept small, because each row may have any number of members. */
const FEW_ROWS = 100

/** A read whose relations Prisma loads without a LIMIT. */
export interface UnboundedRead {
  readonly operation: 'findMany' | 'findFirst' | 'findUnique'
  readonly args: Args
  readonly loaded: UnboundedLoad
}

/**
 * Rejects a read if Prisma would load, or the response would include, more members than the limits allow. Loads the keys of the rows and
 * counts their members, up to the limit, for each level of to-many relations.
 */
export async function assertLoadedRows(
  runQuery: RunQuery,
  { operation, args, loaded }: UnboundedRead,
  limits: Limits,
): Promise<void> {
  const { select: _, include: __, omit: ___, ...window } = args
  let left = limits.loadedRows
  let room = limits.includedRows
  for (let depth = 0; depth < nestingDepth(loaded); depth++) {
    if (!relationsAtDepth(loaded, depth)) continue
    const found = await runQuery(loaded.model, operation, { ...window, select: keySelect(loaded, depth) })
    const rows = [found].flat().filter(isObject)
    for (const { model, rows: owners, many } of membersAt(loaded, rows, depth)) {
      const max = isWhole(many) ? Math.min(left, room) : left
      const count = max - (await countMembers(runQuery, model, owners, many, max))
      left -= count
      if (left < 0) loadedRowsError(limits)
      if (isWhole(many)) room -= count
      if (room < 0) assertRelatedRows(limits.includedRows - room, limits)
    }
  }
}

/** Rejects a request for which Prisma would load more rows than the limit. */
export function loadedRowsError({ loadedRows }: Limits): never {
  return limitExceeded(
    'loadedRows',
    `More than ${loadedRows} rows would have to be loaded. Take fewer rows or relations, or filter them with ` +
      '"where". With "cursor", sort by required fields, including a unique one. Use groupBy instead of "distinct".',
  )
}

/** Whether the response includes all members. If so, they count toward `limits.includedRows` before they are loaded. */
function isWhole({ window }: UnboundedRelation): boolean {
  return ['take', 'skip', 'cursor', 'distinct'].every((name) => window[name] === undefined)
}

/** Rejects a request whose response would contain more related rows than the limit. */
export function assertRelatedRows(rows: number, limits: Limits): void {
  if (rows > limits.includedRows) {
    limitExceeded(
      'includedRows',
      `Relations would add more than ${limits.includedRows} rows. Use "take" to include fewer.`,
    )
  }
}

async function countMembers(
  runQuery: RunQuery,
  model: Model,
  rows: readonly Args[],
  many: UnboundedRelation,
  max: number,
): Promise<number> {
  const { relation, window } = many
  const names = ownerKey(model, relation)
  const filter = windowFilter(window)
  const keys = [...new Map(rows.map((row) => [serializeKey(names, row), row])).values()].filter((row) =>
    hasAll(row, names),
  )
  const references = Object.entries(relation.inverseRelation?.foreignKey ?? {})
  if (references.length === 0) return countPairs(runQuery, model, keys, many, max)
  let left = max
  for (const part of chunkKeys(names, keys)) {
    if (left < 0) break
    const owners = part.map((row) => Object.fromEntries(references.map(([field, key]) => [field, row[key]])))
    const fields = references.map(([field]) => field)
    const where = { AND: [filter, whereAnyKey(fields, owners)] }
    left -= await countUpTo(runQuery, relation.target, where, left)
  }
  return left
}

/**
 * Counts members that rows share through a join table, once for each row. Loads their keys, because Prisma's counts would read the whole
 * join table instead of only the entries for these rows.
 */
async function countPairs(
  runQuery: RunQuery,
  model: Model,
  keys: readonly Args[],
  { name, relation, window }: UnboundedRelation,
  max: number,
): Promise<number> {
  const ids = idFields(model)
  const select = { [name]: { where: windowFilter(window), select: selectFields(idFields(relation.target)) } }
  let left = max
  for (let start = 0; start < keys.length && left >= 0;) {
    const part = keys.slice(start, (start += FEW_ROWS))
    const found = await runQuery(model, 'findMany', { where: whereAnyKey(ids, part), select })
    left -= getRelatedRows(Array.isArray(found) ? found : [], name).length
  }
  return left
}

function hasAll(row: Args, names: readonly string[]): boolean {
  return names.every((name) => row[name] !== null && row[name] !== undefined)
}

/** The largest `take` that Prisma accepts: the maximum of an Int. */
const MAX_TAKE = 2 ** 31 - 1

/** Runs a query on the client of a request. */
export type RunQuery = (
  model: Model,
  operation: 'findUnique' | 'findFirst' | 'findMany' | 'count',
  args: Args,
) => Promise<unknown>

/** Counts rows, but not beyond `max + 1`. */
export async function countUpTo(runQuery: RunQuery, model: Model, where: Args, max: number): Promise<number> {
  return Number(await runQuery(model, 'count', { where, ...(max < MAX_TAKE && { take: max + 1 }) }))
}
