import { chunkKeys, serializeKey, whereAnyKey, selectFields } from '../../prisma/keys.js'
import { tooManyIncludedError, tooManyListsError } from '../request/request-errors.js'
import type { IncludedList } from '../request/query/include-tree.js'
import { idOrder } from '../request/query/parse-sort.js'
import type { RestContext } from '../rest-context.js'
import type { RestModel } from '../rest-model.js'
import { findMany, idSelect, findReadableLists } from './delegate-calls.js'
import type { Loading, RelationBatch } from './loading-types.js'
import { isRow, type Row, toRows } from './row.js'
import type { SelectedRelationship, Selection, SelectionArgs } from './selection.js'

/** Maximum number of owner-member pairs that one query on a join table returns, as a multiple of the row limit. */
const PAIRS = 10

/**
 * Loads the included to-many relations level by level and adds them to the rows as if the client had loaded them. Prisma itself would read
 * all related rows of all rows before it applies `take`. Here each query has a LIMIT, so that no query reads many more rows than the
 * response may contain. The number of queries is the same as with Prisma, plus one if a relation has a join table and there are multiple
 * rows.
 * @param rows the primary data, which already contains the to-one relations
 * @throws RequestError 400 if the response would include too many rows or limited lists
 */
export async function loadIncluded(
  orm: unknown,
  rows: readonly Row[],
  selection: Selection,
  { adjust, joinLists, settings: { limits, features } }: Pick<RestContext, 'adjust' | 'joinLists' | 'settings'>,
): Promise<void> {
  if (!selection.hasToMany) return
  const { includedRows: maxRows, includedLists: lists } = limits
  const loadLimited = features.includedLists?.load
  await loadBelow({ orm, adjust, loadLimited, joinLists, maxRows, left: maxRows, lists, limits }, rows, selection)
}

async function loadBelow(loading: Loading, rows: readonly Row[], selection: Selection): Promise<void> {
  if (rows.length === 0 || !selection.hasToMany) return
  await Promise.all(
    selection.relationships.map(async (selected) => {
      const { included, relationship } = selected
      if (!included) return
      if (relationship.relation.many) return loadMany(loading, rows, selection.model, selected, included)
      return loadBelow(loading, rows.map((row) => row[relationship.name]).filter(isRow), included)
    }),
  )
}

async function loadMany(
  loading: Loading,
  rows: readonly Row[],
  model: RestModel,
  { relationship, list }: SelectedRelationship,
  included: Selection,
): Promise<void> {
  const { name, inverse } = relationship
  const references = Object.entries(inverse.foreignKey ?? {})
  const owners = references.length > 0 ? references.map(([, reference]) => reference) : model.locking.id
  const getKey = await loadRowKeys(loading.orm, model, rows, owners)
  const readable = await findReadableLists(loading.orm, model, relationship, owners, rows.map(getKey).filter(isRow))
  const byKey = new Map<string, { readonly key: Row; readonly members: Row[] }>()
  for (const row of rows) {
    const key = getKey(row)
    // The list stays undefined instead of empty, because access policies do not allow the caller to read it.
    if (key && readable && !readable(key)) continue
    const text = key && serializeKey(owners, key)
    const found = text === undefined ? undefined : byKey.get(text)
    const members = found?.members ?? []
    if (key && text !== undefined && !found) byKey.set(text, { key, members })
    Reflect.set(row, name, members)
  }
  const addMember = (names: readonly string[], holder: Row, member: Row) =>
    byKey.get(serializeKey(names, holder))?.members.push(member)
  const keys = [...byKey.values()].map(({ key }) => key)
  const load = references.length > 0 ? loadByForeignKey : loadThroughTable
  const batch = { model, relationship, included, owners, addMember, list }
  const members =
    list?.limit === undefined || !loading.loadLimited
      ? await load(loading, keys, batch)
      : await loading.loadLimited(loading, keys, batch, load)
  await loadBelow(loading, members, included)
}

/** Loads members that contain the foreign key. */
async function loadByForeignKey(loading: Loading, keys: readonly Row[], batch: RelationBatch): Promise<Row[]> {
  const { relationship, included, addMember, list } = batch
  const { target, inverse } = relationship
  const references = Object.entries(inverse.foreignKey ?? {})
  const keyFields = references.map(([field]) => field)
  const members: Row[] = []
  for (const part of chunkKeys(keyFields, keys)) {
    const foreignKeys = part.map((key) =>
      Object.fromEntries(references.map(([field, reference]) => [field, key[reference]])),
    )
    const args = { ...listed(whereAnyKey(keyFields, foreignKeys), target, list), ...rowBudget(loading, list) }
    const found = await findMembers(loading, target, { ...args, ...withFields(included.args, keyFields) })
    consumeRows(loading, found.length)
    const getKey = await loadRowKeys(loading.orm, target, found, keyFields)
    for (const member of found) {
      const key = getKey(member)
      if (key) addMember(keyFields, key, member)
    }
    members.push(...found)
  }
  return members
}

/**
 * Loads members through a join table. Each member is loaded with its owners, and a query cannot limit their number. Limits on the number
 * of members and owners per query keep the number of pairs low.
 */
async function loadThroughTable(loading: Loading, keys: readonly Row[], batch: RelationBatch): Promise<Row[]> {
  const { model, relationship, included, addMember, list } = batch
  const { target, relation } = relationship
  const inverse = relation.inverse ?? ''
  const ids = model.locking.id
  const limit = rowBudget(loading, list).take ?? Infinity
  const members: Row[] = []
  const load = async (part: readonly Row[]): Promise<void> => {
    if (part.length === 0) return
    const take = part.length > 1 ? Math.min(limit, Math.max(1, Math.ceil((limit * PAIRS) / part.length))) : limit
    const [only] = part.length === 1 ? part : []
    const where = whereAnyKey(ids, part)
    const owners = { where, select: idSelect(model) }
    const found = await findMembers(loading, target, {
      ...listed({ [inverse]: { some: where } }, target, list),
      ...(take === Infinity ? {} : { take }),
      ...(only ? included.args : withRelation(included.args, inverse, owners)),
    })
    if (found.length === take && take < limit) {
      const middle = part.length >> 1
      await load(part.slice(0, middle))
      await load(part.slice(middle))
      return
    }
    for (const member of found) {
      const itsOwners = only ? [only] : toRows(member[inverse])
      consumeRows(loading, itsOwners.length)
      for (const owner of itsOwners) addMember(ids, owner, member)
    }
    members.push(...found)
  }
  for (const part of chunkKeys(ids, keys)) await load(part)
  return members
}

async function findMembers({ orm, adjust }: Loading, target: RestModel, args: Row): Promise<readonly Row[]> {
  return findMany(orm, target, adjust(orm, target.model, args).args)
}

/** Returns the filter and the sort order of the members to load. */
function listed(members: Row, target: RestModel, list: IncludedList | undefined): Row {
  return { where: list?.where ? { AND: [members, list.where] } : members, orderBy: list?.orderBy ?? idOrder(target) }
}

function withFields({ select, omit, ...args }: SelectionArgs, names: readonly string[]): object {
  if (select) return { ...args, select: { ...select, ...selectFields(names) } }
  if (!omit) return args
  return { ...args, omit: Object.fromEntries(Object.entries(omit).filter(([name]) => !names.includes(name))) }
}

function withRelation({ select, include, ...args }: SelectionArgs, name: string, relation: object): object {
  return select
    ? { ...args, select: { ...select, [name]: relation } }
    : { ...args, include: { ...include, [name]: relation } }
}

/**
 * Creates a function that returns the key of a row: the values of the fields that relations refer to. If the client omits such a field from
 * its rows, the field is loaded separately, so that it does not appear in the response.
 * @returns a function that returns undefined for rows with a null in the key
 */
async function loadRowKeys(
  orm: unknown,
  model: RestModel,
  rows: readonly Row[],
  names: readonly string[],
): Promise<(row: Row) => Row | undefined> {
  const isFilled = (row: Row | undefined) => names.every((name) => row?.[name] !== null && row?.[name] !== undefined)
  if (rows.every((row) => names.every((name) => row[name] !== undefined))) {
    return (row) => (isFilled(row) ? row : undefined)
  }
  const ids = model.locking.id
  const select = { ...idSelect(model), ...selectFields(names) }
  const found = await findMany(orm, model, { where: whereAnyKey(ids, rows), select })
  const byId = new Map(found.map((row) => [serializeKey(ids, row), row]))
  return (row) => {
    const key = byId.get(serializeKey(ids, row))
    return isFilled(key) ? key : undefined
  }
}

/**
 * Returns a `take` of one more row than may still be loaded. The extra row reveals that the limit is exceeded.
 * @throws RequestError 400 if other relations have already exceeded the limit
 */
export function rowBudget({ left, maxRows }: Loading, list: IncludedList | undefined): { readonly take?: number } {
  if (left < 0) throw tooManyIncludedError(maxRows)
  const limit = Math.min(left, list?.limit ?? Infinity)
  return limit === Infinity ? {} : { take: limit + 1 }
}

/** @throws RequestError 400 if more rows were loaded than may be included */
export function consumeRows(loading: Loading, count: number): void {
  loading.left -= count
  if (loading.left < 0) throw tooManyIncludedError(loading.maxRows)
}

/** @throws RequestError 400 if limited lists require more queries than allowed */
export function consumeListQueries(loading: Loading, count: number): void {
  loading.lists -= count
  if (loading.lists < 0) throw tooManyListsError(loading.limits.includedLists)
}
