import { chunkKeys, serializeKey, whereAnyKey } from '../../orm/keys.js'
import { findMany } from './delegates.js'
import type { IncludedList } from '../request/included-lists.js'
import { rowKeys } from './row-keys.js'
import { type Loading, type RelationBatch, consumeRows, consumeListQueries, rowBudget } from './loading.js'
import type { RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import { isRow, type Row, toRows } from './row.js'
import { readableLists } from './readable-lists.js'
import type { SelectedRelationship, Selection, SelectionArgs } from './selection.js'
import { idOrder } from '../request/sort.js'
import { selectFields } from '../../orm/select-fields.js'

/** How many times the limit the pairs of two tables may be that a table between the two is asked for at once. */
const PAIRS = 10

/**
 * Loads the to-many relations that an answer includes, level by level, and puts them into the rows as if the client had loaded
 * them with the rows. The client would read all related rows of all rows first and only then cut them to `take`: here each
 * query has a LIMIT, so that none reads much more than the answer may hold, however many rows there are.
 * As many queries as the client would make; one more where a table between the two holds the relation and there are several
 * rows.
 * @param rows what the answer shows; to-one relations are in them already
 * @throws RequestError 400 where the answer may not include so many rows, or cut so many lists
 */
export async function loadIncluded(
  orm: unknown,
  rows: readonly Row[],
  selection: Selection,
  { adjust, cutLists, settings: { limits } }: Pick<RestContext, 'adjust' | 'cutLists' | 'settings'>,
): Promise<void> {
  const { includedRows: most, includedLists: lists } = limits
  if (selection.loadsLater) await loadBelow({ orm, adjust, cutLists, most, left: most, lists, limits }, rows, selection)
}

async function loadBelow(loading: Loading, rows: readonly Row[], selection: Selection): Promise<void> {
  if (rows.length === 0 || !selection.loadsLater) return
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
  const owners = references.length > 0 ? references.map(([, reference]) => reference) : model.id.fields.map(nameOf)
  const keyOf = await rowKeys(loading.orm, model, rows, owners)
  const readable = await readableLists(loading.orm, model, relationship, owners, rows.map(keyOf).filter(isRow))
  const byKey = new Map<string, { readonly key: Row; readonly members: Row[] }>()
  for (const row of rows) {
    const key = keyOf(row)
    // Missing, and not empty: access policies do not let it be read.
    if (key && readable && !readable(key)) continue
    const text = key && serializeKey(owners, key)
    const found = text === undefined ? undefined : byKey.get(text)
    const members = found?.members ?? []
    if (key && text !== undefined && !found) byKey.set(text, { key, members })
    Reflect.set(row, name, members)
  }
  const place = (names: readonly string[], holder: Row, member: Row) =>
    byKey.get(serializeKey(names, holder))?.members.push(member)
  const keys = [...byKey.values()].map(({ key }) => key)
  const load = references.length > 0 ? loadByForeignKey : loadThroughTable
  const many = { model, relationship, included, owners, place, list }
  const members = list?.limit === undefined ? await load(loading, keys, many) : await loadCut(loading, keys, many, load)
  await loadBelow(loading, members, included)
}

/** How many lists are asked for at once. */
const AT_ONCE = 10

/**
 * Lists that are cut: each by a query of its own, where nothing cuts them together. The client would read all members of all rows and cut
 * them then.
 * @returns the members that are shown; one more of each list is in its row, where there is one
 */
async function loadCut(
  loading: Loading,
  keys: readonly Row[],
  many: RelationBatch,
  load: typeof loadByForeignKey,
): Promise<readonly Row[]> {
  const together = await loading.cutLists?.(loading, keys, many)
  if (together) return together
  consumeListQueries(loading, keys.length)
  const members: Row[] = []
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    const lists = await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => load(loading, [key], many)))
    members.push(...lists.flatMap((list) => list.slice(0, many.list?.limit)))
  }
  return members
}

/** Members that hold the foreign key. */
async function loadByForeignKey(loading: Loading, keys: readonly Row[], many: RelationBatch): Promise<Row[]> {
  const { relationship, included, place, list } = many
  const { target, inverse } = relationship
  const references = Object.entries(inverse.foreignKey ?? {})
  const own = references.map(([field]) => field)
  const members: Row[] = []
  for (const part of chunkKeys(own, keys)) {
    const wanted = part.map((key) =>
      Object.fromEntries(references.map(([field, reference]) => [field, key[reference]])),
    )
    const args = { ...listed(whereAnyKey(own, wanted), target, list), ...rowBudget(loading, list) }
    const found = await findMembers(loading, target, { ...args, ...withFields(included.args, own) })
    consumeRows(loading, found.length)
    const keyOf = await rowKeys(loading.orm, target, found, own)
    for (const member of found) {
      const key = keyOf(member)
      if (key) place(own, key, member)
    }
    members.push(...found)
  }
  return members
}

/**
 * Members that a table between the two models holds. Each comes with its owners, whose number no query can limit: so it is the
 * number of members, and of the owners asked for, that keeps their pairs few.
 */
async function loadThroughTable(loading: Loading, keys: readonly Row[], many: RelationBatch): Promise<Row[]> {
  const { model, relationship, included, place, list } = many
  const { target, relation } = relationship
  const back = relation.inverse ?? ''
  const ids = model.id.fields.map(nameOf)
  const limit = rowBudget(loading, list).take ?? Infinity
  const members: Row[] = []
  const load = async (part: readonly Row[]): Promise<void> => {
    if (part.length === 0) return
    const most = part.length > 1 ? Math.min(limit, Math.max(1, Math.ceil((limit * PAIRS) / part.length))) : limit
    const [only] = part.length === 1 ? part : []
    const where = whereAnyKey(ids, part)
    const owners = { where, select: Object.fromEntries(ids.map((id) => [id, true])) }
    const found = await findMembers(loading, target, {
      ...listed({ [back]: { some: where } }, target, list),
      ...(most === Infinity ? {} : { take: most }),
      ...(only ? included.args : withRelation(included.args, back, owners)),
    })
    if (found.length === most && most < limit) {
      const half = part.length >> 1
      await load(part.slice(0, half))
      await load(part.slice(half))
      return
    }
    for (const member of found) {
      const itsOwners = only ? [only] : toRows(member[back])
      consumeRows(loading, itsOwners.length)
      for (const owner of itsOwners) place(ids, owner, member)
    }
    members.push(...found)
  }
  for (const part of chunkKeys(ids, keys)) await load(part)
  return members
}

async function findMembers({ orm, adjust }: Loading, target: RestModel, args: Row): Promise<readonly Row[]> {
  return findMany(orm, target, adjust(orm, target.model, args).args)
}

/** Which members there are to load, and in which order. */
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

function nameOf({ name }: { readonly name: string }): string {
  return name
}
