import { chunkKeys, serializeKey, whereAnyKey } from '../../orm/keys.js'
import type { Limits } from '../../limits.js'
import { idFields, type Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { type RunQuery, countUpTo } from './query.js'
import {
  relationsAtDepth,
  nestingDepth,
  windowFilter,
  usesJoinTable,
  keySelect,
  type UnboundedLoad,
  type UnboundedRelation,
  membersAt,
  ownerKey,
} from '../guard/read/unbounded-loads.js'
import { type Args, limitExceeded } from '../guard/arguments.js'

/** A read whose relations Prisma loads without a LIMIT. */
export interface UnboundedRead {
  readonly operation: 'findMany' | 'findFirst' | 'findUnique'
  readonly args: Args
  readonly loaded: UnboundedLoad
}

/**
 * Ends a read for which Prisma would load more members than the limit: asks for the keys of its rows, and counts their members,
 * no further than the limit; then for the keys of those members that stay, where they have members of their own.
 */
export async function assertLoadedRows(
  ask: RunQuery,
  { operation, args, loaded }: UnboundedRead,
  limits: Limits,
): Promise<void> {
  const { select: _, include: __, omit: ___, ...window } = args
  let left = limits.loadedRows
  for (let depth = 0; depth < nestingDepth(loaded); depth++) {
    if (!relationsAtDepth(loaded, depth)) continue
    const found = await ask(loaded.model, operation, { ...window, select: keySelect(loaded, depth) })
    const rows = (Array.isArray(found) ? found : [found]).filter(isObject)
    for (const { model, rows: owners, many } of membersAt(loaded, rows, depth)) {
      left = await countMembers(ask, model, owners, many, left)
      if (left < 0) loadedRowsError(limits)
    }
  }
}

/** Ends a request for which Prisma would load more rows than the limit. */
export function loadedRowsError({ loadedRows }: Limits): never {
  return limitExceeded(
    'loadedRows',
    `More than ${loadedRows} rows would have to be loaded to answer this. Take fewer rows, or fewer of their relations, or ` +
      'filter them with "where"; order by required fields and a unique one where there is a "cursor", and group where there is ' +
      'a "distinct".',
  )
}

async function countMembers(
  ask: RunQuery,
  model: Model,
  rows: readonly Args[],
  many: UnboundedRelation,
  most: number,
): Promise<number> {
  const { relation, window } = many
  const names = ownerKey(model, relation)
  const filter = windowFilter(window)
  const keys = [...new Map(rows.map((row) => [serializeKey(names, row), row])).values()].filter((row) =>
    hasAll(row, names),
  )
  let left = most
  for (const part of chunkKeys(names, keys)) {
    if (left < 0) break
    const where = { AND: [filter, { ...ownedBy(model, many, part) }] }
    const count = await countUpTo(ask, relation.target, where, left)
    const shared = usesJoinTable(many) && count <= left && count * part.length > left
    left -= shared ? await countPairs(ask, model, many, part) : count
  }
  return left
}

/** The filter of the members of some rows. */
function ownedBy(model: Model, { relation }: UnboundedRelation, rows: readonly Args[]): Args {
  const references = Object.entries(relation.back?.foreignKey ?? {})
  if (references.length === 0) return { [relation.inverse ?? '']: { some: whereAnyKey(idFields(model), rows) } }
  const keys = rows.map((row) => Object.fromEntries(references.map(([field, reference]) => [field, row[reference]])))
  return whereAnyKey(Object.keys(relation.back?.foreignKey ?? {}), keys)
}

/** How many members some rows have, where rows share them. */
async function countPairs(
  ask: RunQuery,
  model: Model,
  { name, window }: UnboundedRelation,
  rows: readonly Args[],
): Promise<number> {
  const select = { _count: { select: { [name]: { where: windowFilter(window) } } } }
  const found = await ask(model, 'findMany', { where: whereAnyKey(idFields(model), rows), select })
  return (Array.isArray(found) ? found : []).reduce<number>((sum, row) => {
    return sum + (isObject(row) && isObject(row['_count']) ? Number(row['_count'][name] ?? 0) : 0)
  }, 0)
}

function hasAll(row: Args, names: readonly string[]): boolean {
  return names.every((name) => row[name] !== null && row[name] !== undefined)
}
