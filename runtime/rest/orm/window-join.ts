import { isUnsupportedLoadStrategy } from '../../errors/map-database-error.js'
import { policyCheckOf } from '../../orm/allows.js'
import { joinLosesPrecision } from '../../orm/load-strategy.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../orm/keys.js'
import { hasQueryExtensions } from '../../orm/query-extensions.js'
import type { Field } from '../../schema/resource.js'
import type { IncludedList } from '../request/included-lists.js'
import { idOrder } from '../request/sort.js'
import { findMany } from './delegates.js'
import {
  type LoadLimitedLists,
  type Loading,
  type RelationBatch,
  consumeRows,
  consumeListQueries,
  rowBudget,
} from './loading.js'
import { isRow, type Row, toRows } from './row.js'
import { idSelect } from './selection.js'

/** Types whose values a join gives as they are. The others it gives through JSON, in which Prisma loses digits of a Decimal, for one. */
const EXACT: ReadonlySet<Field['type']> = new Set(['String', 'Int', 'BigInt', 'Float', 'Boolean', 'DateTime', 'Enum'])

/**
 * Loads lists that are cut by a join that cuts each of them: one query for all, or for as many as cannot have more rows together than may
 * be included yet. Where a join does not give all values as they are, it tells whose members they are, and one more query loads them.
 * MariaDB, which Prisma takes for MySQL, has no such joins: the client says so before it sends anything, and is asked once. Emitted where
 * the client has the preview feature; others do not load this code.
 */
export function loadListsByJoin(): LoadLimitedLists {
  let isRefused = false
  return async (loading, keys, many) => {
    const { list, place, owners, relationship } = many
    const { name, target } = relationship
    // One list is one query in any case, and its row need not be asked for again.
    if (isRefused || !list || keys.length < 2 || !isWhole(loading.orm, list, many)) return undefined
    const isExact =
      target.computed.size === 0 &&
      [...target.model.fields.values()].every(isGivenAsItIs) &&
      !joinLosesPrecision(target.model, many.included.args)
    if (!isExact && target.id.fields.some(isRounded)) return undefined
    const args = isExact ? many.included.args : { select: idSelect(target) }
    const found: Row[] = []
    for (let at = 0; at < keys.length;) {
      const { take: most = Infinity } = rowBudget(loading, list)
      const size = Math.max(1, Math.floor((loading.left + 1) / most))
      const [part = []] = chunkKeys(owners, keys.slice(at, at + size))
      const asked = { ...args, ...(most < Infinity && { take: most }) }
      const rows = await findLists(loading, part, many, asked).catch((error: unknown) => {
        if (!isUnsupportedLoadStrategy(error)) throw error
        isRefused = true
        return undefined
      })
      // A list that is missing access policies do not let be read: asked for by itself, it is refused.
      if (!rows || rows.some((row) => !row[name])) return undefined
      consumeListQueries(loading, 1)
      for (const row of rows) consumeRows(loading, toRows(row[name]).length)
      found.push(...rows)
      at += part.length
    }
    const whole = isExact
      ? undefined
      : await findWhole(
          loading,
          found.flatMap((row) => toRows(row[name])),
          many,
        )
    return found.flatMap((row) => {
      const members = toRows(row[name])
        .map((member) => (whole ? whole(member) : member))
        .filter(isRow)
      for (const member of members) place(owners, row, member)
      return members.slice(0, list.limit)
    })
  }
}

/**
 * Whether lists are the same where they are loaded as parts of their rows. What the app itself put around reads of their model is not
 * asked then; and access policies make two queries of one that is ordered through a relationship, which no part of another can be.
 */
function isWhole(orm: unknown, { orderBy = [] }: IncludedList, { relationship: { target } }: RelationBatch): boolean {
  if (hasQueryExtensions(orm) || !target.id.fields.every(({ field }) => isGivenAsItIs(field))) return false
  const { fields } = target.model
  return (
    policyCheckOf(orm) === undefined || orderBy.every((entry) => Object.keys(entry).every((name) => fields.has(name)))
  )
}

function isGivenAsItIs({ type, list }: Field): boolean {
  return EXACT.has(type) && !list
}

/** Whether no row may be found by what the client reads of its key: a column has microseconds, and a Date has none. */
function isRounded({ field: { type } }: { readonly field: Field }): boolean {
  return type === 'DateTime' || type === 'Float'
}

/** Rows by their keys, each with its list. */
function findLists(
  { orm, adjust }: Loading,
  keys: readonly Row[],
  { model, relationship: { name, target }, owners, list }: RelationBatch,
  args: Row,
): Promise<readonly Row[]> {
  const members = { ...(list?.where && { where: list.where }), orderBy: list?.orderBy ?? idOrder(target), ...args }
  const select = { ...Object.fromEntries(owners.map((owner) => [owner, true])), [name]: members }
  const asked = adjust(orm, model.model, { where: whereAnyKey(owners, keys), select })
  return findMany(orm, model, { ...asked.args, relationLoadStrategy: 'join' })
}

/** @returns gives the whole of a member; undefined where it is not there any more */
async function findWhole(
  { orm, adjust }: Loading,
  members: readonly Row[],
  { relationship: { target }, included }: RelationBatch,
): Promise<(member: Row) => Row | undefined> {
  const ids = target.id.fields.map(({ name }) => name)
  const keys = new Map(members.map((member) => [serializeKey(ids, member), member]))
  const byKey = new Map<string, Row>()
  for (const part of chunkKeys(ids, [...keys.values()])) {
    const { args } = adjust(orm, target.model, { where: whereAnyKey(ids, part), ...included.args })
    for (const row of await findMany(orm, target, args)) byKey.set(serializeKey(ids, row), row)
  }
  return (member) => byKey.get(serializeKey(ids, member))
}
