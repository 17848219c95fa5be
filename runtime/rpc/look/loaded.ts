import { chunksOf, keyText, whereKeys } from '../../orm/keys.js'
import type { Limits } from '../../limits.js'
import { idFields, type Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { type Ask, countUpTo } from './ask.js'
import {
  countsAt,
  depthOf,
  filterOf,
  isPaired,
  keySelect,
  type Loaded,
  type LoadedMany,
  membersAt,
  ownerKey,
} from '../guard/read/loaded.js'
import { type Args, refuseBeyond } from '../guard/refuse.js'

/** A read whose relations Prisma loads without a LIMIT. */
export interface LoadingRead {
  readonly operation: 'findMany' | 'findFirst' | 'findUnique'
  readonly args: Args
  readonly loaded: Loaded
}

/**
 * Ends a read for which Prisma would load more members than the limit: asks for the keys of its rows, and counts their members,
 * no further than the limit; then for the keys of those members that stay, where they have members of their own.
 */
export async function requireFewLoaded(
  ask: Ask,
  { operation, args, loaded }: LoadingRead,
  limits: Limits,
): Promise<void> {
  const { select: _, include: __, omit: ___, ...window } = args
  let left = limits.loadedRows
  for (let depth = 0; depth < depthOf(loaded); depth++) {
    if (!countsAt(loaded, depth)) continue
    const found = await ask(loaded.model, operation, { ...window, select: keySelect(loaded, depth) })
    const rows = (Array.isArray(found) ? found : [found]).filter(isObject)
    for (const { model, rows: owners, many } of membersAt(loaded, rows, depth)) {
      left = await countMembers(ask, model, owners, many, left)
      if (left < 0) refuseLoaded(limits)
    }
  }
}

/** Ends a request for which Prisma would load more rows than the limit. */
export function refuseLoaded({ loadedRows }: Limits): never {
  return refuseBeyond(
    'loadedRows',
    `More than ${loadedRows} rows would have to be loaded to answer this. Take fewer rows, or fewer of their relations, or ` +
      'filter them with "where"; order by required fields and a unique one where there is a "cursor", and group where there is ' +
      'a "distinct".',
  )
}

async function countMembers(
  ask: Ask,
  model: Model,
  rows: readonly Args[],
  many: LoadedMany,
  most: number,
): Promise<number> {
  const { relation, window } = many
  const names = ownerKey(model, relation)
  const filter = filterOf(window)
  const keys = [...new Map(rows.map((row) => [keyText(names, row), row])).values()].filter((row) => hasAll(row, names))
  let left = most
  for (const part of chunksOf(names, keys)) {
    if (left < 0) break
    const where = { AND: [filter, { ...ownedBy(model, many, part) }] }
    const count = await countUpTo(ask, relation.target, where, left)
    const shared = isPaired(many) && count <= left && count * part.length > left
    left -= shared ? await countPairs(ask, model, many, part) : count
  }
  return left
}

/** The filter of the members of some rows. */
function ownedBy(model: Model, { relation }: LoadedMany, rows: readonly Args[]): Args {
  const references = Object.entries(relation.back?.foreignKey ?? {})
  if (references.length === 0) return { [relation.inverse ?? '']: { some: whereKeys(idFields(model), rows) } }
  const keys = rows.map((row) => Object.fromEntries(references.map(([field, reference]) => [field, row[reference]])))
  return whereKeys(Object.keys(relation.back?.foreignKey ?? {}), keys)
}

/** How many members some rows have, where rows share them. */
async function countPairs(
  ask: Ask,
  model: Model,
  { name, window }: LoadedMany,
  rows: readonly Args[],
): Promise<number> {
  const select = { _count: { select: { [name]: { where: filterOf(window) } } } }
  const found = await ask(model, 'findMany', { where: whereKeys(idFields(model), rows), select })
  return (Array.isArray(found) ? found : []).reduce<number>((sum, row) => {
    return sum + (isObject(row) && isObject(row['_count']) ? Number(row['_count'][name] ?? 0) : 0)
  }, 0)
}

function hasAll(row: Args, names: readonly string[]): boolean {
  return names.every((name) => row[name] !== null && row[name] !== undefined)
}
