import { isUnsupportedLoadStrategy } from '../../errors/database/map-database-error.js'
import type { Feature } from '../../http/feature.js'
import { hasQueryExtensions } from '../../prisma/internals.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../prisma/keys.js'
import { joinLosesPrecision } from '../../prisma/load-strategy.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { findMany, idSelect } from '../../rest/orm/delegate-calls.js'
import { consumeRows, consumeListQueries, rowBudget } from '../../rest/orm/load-included.js'
import type { JoinLimitedLists, Loading, RelationBatch } from '../../rest/orm/loading-types.js'
import { isRow, type Row, toRows } from '../../rest/orm/row.js'
import type { IncludedList } from '../../rest/request/query/include-tree.js'
import { idOrder } from '../../rest/request/query/parse-sort.js'
import { restFeature } from '../../rest/rest-features.js'
import type { Field } from '../../schema/resource.js'

/**
 * Enables joins that load several limited lists with one query. The client must have the preview feature `relationJoins`.
 * Called by the emitted `index.ts`.
 */
export function joinedLists(): Feature<'joinedLists'> {
  return restFeature('joinedLists', loadListsByJoin)
}

/**
 * Types whose values a join returns exactly. A join returns other types as JSON, in which Prisma loses, for example, some digits of a
 * Decimal.
 */
const EXACT: ReadonlySet<Field['type']> = new Set(['String', 'Int', 'BigInt', 'Float', 'Boolean', 'DateTime', 'Enum'])

/**
 * Creates a loader that uses joins to limit each list in the database. It loads all lists with one query, or with as many queries as are
 * needed to stay within the remaining row limit. If a join does not return all values exactly, the join loads only the ids, and an
 * additional query loads the members. MariaDB, which Prisma treats as MySQL, does not support these joins. The client reports this before
 * it sends a query, and the loader then stops using them.
 */
function loadListsByJoin(): JoinLimitedLists {
  let isUnsupported = false
  return async (loading, keys, batch) => {
    const { list, addMember, owners, relationship } = batch
    const { name, target } = relationship
    // A single list requires one query in any case, and a join would load its row again.
    if (isUnsupported || !list || keys.length < 2 || !isWhole(loading.orm, list, batch)) return undefined
    const isExact =
      target.computed.size === 0 &&
      [...target.model.fields.values()].every(isLossless) &&
      !joinLosesPrecision(target.model, batch.included.args)
    if (!isExact && target.id.fields.some(isRounded)) return undefined
    const args = isExact ? batch.included.args : { select: idSelect(target) }
    const found: Row[] = []
    for (let at = 0; at < keys.length;) {
      const { take = Infinity } = rowBudget(loading, list)
      const size = Math.max(1, Math.floor((loading.left + 1) / take))
      const [part = []] = chunkKeys(owners, keys.slice(at, at + size))
      const listArgs = { ...args, ...(take < Infinity && { take }) }
      const rows = await findLists(loading, part, batch, listArgs).catch((error: unknown) => {
        if (!isUnsupportedLoadStrategy(error)) throw error
        isUnsupported = true
        return undefined
      })
      // A list is missing if access policies do not allow the caller to read it. A separate query for that list is then rejected.
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
          batch,
        )
    return found.flatMap((row) => {
      const members = toRows(row[name])
        .map((member) => (whole ? whole(member) : member))
        .filter(isRow)
      for (const member of members) addMember(owners, row, member)
      return members.slice(0, list.limit)
    })
  }
}

/**
 * Whether lists can be loaded as part of their rows with the same result. Nested lists do not run the app's query extensions for their
 * model. Access policies split a query that is sorted by related rows into two queries, which is not possible for a nested list.
 */
function isWhole(orm: unknown, { orderBy = [] }: IncludedList, { relationship: { target } }: RelationBatch): boolean {
  if (hasQueryExtensions(orm) || !target.id.fields.every(({ field }) => isLossless(field))) return false
  const { fields } = target.model
  return (
    policyCheckOf(orm) === undefined || orderBy.every((entry) => Object.keys(entry).every((name) => fields.has(name)))
  )
}

function isLossless({ type, list }: Field): boolean {
  return EXACT.has(type) && !list
}

/**
 * Whether a key that the client has read may not match its own row, because the column has a higher precision. For example, a column can
 * store microseconds, but a Date cannot.
 */
function isRounded({ field: { type } }: { readonly field: Field }): boolean {
  return type === 'DateTime' || type === 'Float'
}

/** Loads rows by key, each with its list. */
function findLists(
  { orm, adjust }: Loading,
  keys: readonly Row[],
  { model, relationship: { name, target }, owners, list }: RelationBatch,
  args: Row,
): Promise<readonly Row[]> {
  const members = { ...(list?.where && { where: list.where }), orderBy: list?.orderBy ?? idOrder(target), ...args }
  const select = { ...Object.fromEntries(owners.map((owner) => [owner, true])), [name]: members }
  const adjusted = adjust(orm, model.model, { where: whereAnyKey(owners, keys), select })
  return findMany(orm, model, { ...adjusted.args, relationLoadStrategy: 'join' })
}

/** @returns a function that returns the complete member, or undefined if it no longer exists */
async function findWhole(
  { orm, adjust }: Loading,
  members: readonly Row[],
  { relationship: { target }, included }: RelationBatch,
): Promise<(member: Row) => Row | undefined> {
  const ids = target.locking.id
  const keys = new Map(members.map((member) => [serializeKey(ids, member), member]))
  const byKey = new Map<string, Row>()
  for (const part of chunkKeys(ids, [...keys.values()])) {
    const { args } = adjust(orm, target.model, { where: whereAnyKey(ids, part), ...included.args })
    for (const row of await findMany(orm, target, args)) byKey.set(serializeKey(ids, row), row)
  }
  return (member) => byKey.get(serializeKey(ids, member))
}
