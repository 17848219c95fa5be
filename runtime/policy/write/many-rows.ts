import { RequestError } from '../../errors/request-error.js'
import { refersToField } from '../../values/field-reference.js'
import { isObject } from '../../values/is-object.js'
import { chunksOf, whereKeys } from '../../orm/keys.js'
import { callClient, hasOperation } from '../../orm/port.js'
import { type Condition, restrict } from '../rules/condition.js'
import { idOf } from '../read/plan.js'
import { readingOf } from '../read/read.js'
import type { PolicyModel } from '../schema.js'
import { deny, listOf, type Tree } from '../tree.js'
import { readableWhere } from '../read/where.js'
import { counted, namedVersions } from './counted.js'
import { scalarsOf } from './data.js'
import { requireReferred } from './referred.js'
import {
  addedNames,
  below,
  expectRow,
  type Link,
  outcomeOf,
  permit,
  relationsOf,
  requireTargets,
  rowSelect,
  type Writing,
} from './writing.js'

/** Which of many rows, and what more they must meet. */
export interface Range {
  /** What the caller asks for; undefined for all. */
  readonly where: unknown
  /** What holds beside it. */
  readonly more?: Condition
  /** How many at most. */
  readonly limit?: unknown
}

/** How many rows were changed. */
interface Changed {
  readonly count: number
  /** Which, where they had to be looked at one by one. */
  readonly ids: readonly Tree[] | undefined
}

/**
 * Creates rows without relations.
 * @returns the keys of those that were created
 */
export async function createRows(
  writing: Writing,
  model: PolicyModel,
  { data, skipDuplicates }: { readonly data: unknown; readonly skipDuplicates?: unknown },
  link?: Link,
): Promise<Tree[]> {
  const rows = listOf(data).map((row) => scalarsOf(model, row, link))
  const { client } = writing
  if (!hasOperation(client, model, 'createManyAndReturn')) {
    if (skipDuplicates === true) {
      deny(`Rows of ${model.name} cannot be created with "skipDuplicates" here: create them one by one.`)
    }
    return eachInTurn(rows, ({ scalars }, at) => writing.rows.create(below(writing, at), model, scalars, link))
  }
  if (rows.length === 0) return []
  const given = rows.map(({ scalars }) => ({ ...scalars, ...link?.values }))
  const isTold = writing.hooks.hearsRow(model, 'create')
  const flats = isTold ? await eachInTurn(given, (row, at) => creating(writing, model, row, at)) : given
  // What one of them gives, all must be allowed to have: which of the rows comes back as which is not known.
  const added = flats.flatMap((flat, at) => addedNames(given[at] ?? {}, flat))
  const written = new Set([...rows.flatMap((row) => row.written), ...added])
  const condition = permit(writing.rules, 'create', model, [...written])
  const created = await callClient(client, model, 'createManyAndReturn', {
    data: flats,
    ...(skipDuplicates === undefined ? {} : { skipDuplicates }),
    select: rowSelect(writing, model),
  })
  const names = [...rows.flatMap(({ scalars }) => Object.keys(scalars)), ...added]
  await requireTargets(writing, model, created, relationsOf(model, new Set(names)))
  for (const row of created) expectRow(writing, 'create', model, row, condition)
  if (isTold) for (const row of created) await writing.hooks.created(writing, model, row)
  return created
}

function creating(writing: Writing, model: PolicyModel, row: Tree, at: number): Promise<Tree> {
  return writing.hooks.creating(below(writing, at), model, row)
}

async function eachInTurn<T, R>(list: readonly T[], make: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const made: R[] = []
  for (const [at, one] of list.entries()) made.push(await make(one, at))
  return made
}

/**
 * Changes those of some rows that may be read and changed.
 * @returns how many, and the ids where the rows had to be looked at one by one
 */
export async function changeRows(
  writing: Writing,
  model: PolicyModel,
  { where, more = true, limit }: Range,
  data: unknown,
  withIds = false,
): Promise<Changed> {
  const { scalars, written } = scalarsOf(model, data)
  const condition = permit(writing.rules, 'update', model, written)
  const { hooks } = writing
  requireReferred(writing, model, scalars)
  const readables = readableWhere(readingOf(writing), model, where)
  const sets = hooks.hearsSet(model, 'update')
  if (hooks.hearsRow(model, 'update') && !sets) {
    const rows = await findTold(writing, model, restrict(model, readables, [more, condition]), limit)
    return changeEach(writing, model, rows, scalars)
  }
  const asked = sets ? restrict(model, readables, [more]) : readables
  const told = sets ? await hooks.changingSet(writing, model, asked, scalars) : scalars
  requireReferred(writing, model, told)
  const all = [...written, ...addedNames(scalars, told)]
  const changed = await changeSet(writing, model, { where: readables, asked: where, more, limit }, told, all, withIds)
  if (sets) await hooks.changedSet(writing, model, asked, told, changed.count)
  return changed
}

/** Changes rows one by one, as an app wants to be told of them. */
async function changeEach(
  writing: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
  scalars: Tree,
): Promise<Changed> {
  const ids: Tree[] = []
  for (const row of rows) ids.push(idOf(model, await writing.rows.change(writing, model, row, scalars)))
  return { count: ids.length, ids }
}

/** Finds rows that are to be written one by one. */
async function findTold(writing: Writing, model: PolicyModel, where: Tree, limit: unknown): Promise<readonly Tree[]> {
  const wanted = limitOf(limit)['limit']
  const take = typeof wanted === 'number' ? Math.min(wanted, MOST_TOLD + 1) : MOST_TOLD + 1
  const select = rowSelect(writing, model)
  // In one order: two that write the same rows must not wait for each other.
  const orderBy = model.idFields.map((name) => ({ [name]: 'asc' }))
  const rows = await callClient(writing.client, model, 'findMany', { where, select, orderBy, take })
  for (const row of rows) writing.foundBy.set(row, where)
  if (rows.length <= MOST_TOLD) return rows
  const detail = `The request writes more than ${MOST_TOLD} rows of ${model.name}. Ask for fewer at once.`
  throw new RequestError({ code: 'limit-exceeded', detail })
}

/** How many rows a request may write where an app is told of each. */
const MOST_TOLD = 10_000

/**
 * As {@link changeRows}, in statements for many rows.
 * @param where finds rows that may be read; `asked` is what of it the caller has said
 * @param written the fields and relations that are written
 */
async function changeSet(
  writing: Writing,
  model: PolicyModel,
  { where, asked, more = true, limit }: Range & { readonly where: Tree; readonly asked: unknown },
  scalars: Tree,
  written: readonly string[],
  withIds: boolean,
): Promise<Changed> {
  const condition = permit(writing.rules, 'update', model, written)
  const outcome = outcomeOf(writing.rules, model, written, condition)
  const found = restrict(model, where, [more, condition])
  const { client } = writing
  const data = counted(model, scalars)
  // Between the look and the statement another request may have changed them.
  const versions = namedVersions(model, asked)
  const names = new Set(Object.keys(scalars))
  const relations = relationsOf(model, names).filter(({ target }) => writing.rules.condition('read', target) !== true)
  if (!withIds && relations.length === 0 && isKept(writing, model, outcome, names)) {
    const { count } = await callClient(client, model, 'updateMany', { where: found, data, ...limitOf(limit) })
    return { count, ids: undefined }
  }
  if (model.idFields.some((name) => names.has(name))) {
    deny(`The ids of many rows of ${model.name} cannot be changed at once here: change them one by one.`)
  }
  const take = limitOf(limit)['limit']
  const rows = await callClient(client, model, 'findMany', {
    where: found,
    select: rowSelect(writing, model),
    ...(take === undefined ? {} : { take }),
  })
  const ids = rows.map((row) => idOf(model, row))
  let count = 0
  for (const part of chunksOf(model.idFields, ids)) {
    const some = whereKeys(model.idFields, part)
    const met = restrict(model, some, [condition, ...versions])
    const changed = await callClient(client, model, 'updateMany', { where: met, data })
    count += changed.count
    const after = await callClient(client, model, 'findMany', { where: some, select: rowSelect(writing, model) })
    await requireTargets(writing, model, after, relations)
    for (const row of after) expectRow(writing, 'update', model, row, outcome)
  }
  return { count, ids }
}

/** Deletes those of some rows that may be read and deleted; gives their number. */
export async function deleteRows(
  writing: Writing,
  model: PolicyModel,
  { where, more = true, limit }: Range,
): Promise<number> {
  const { hooks, client } = writing
  const readables = restrict(model, readableWhere(readingOf(writing), model, where), [more])
  const condition = hooks.keeps(model) ? true : permit(writing.rules, 'delete', model, [])
  const sets = hooks.hearsSet(model, 'delete')
  if (!sets && (hooks.hearsRow(model, 'delete') || hooks.cascades(model).length > 0)) {
    const rows = await findTold(writing, model, restrict(model, readables, [condition]), limit)
    for (const row of rows) await writing.rows.remove(writing, model, row)
    return rows.length
  }
  const instead = sets ? await hooks.removingSet(writing, model, readables) : undefined
  if (instead) return (await changeRows(writing, model, { where: {}, more: readables, limit }, instead)).count
  const found = restrict(model, readables, [condition])
  if (hooks.cascades(model).length > 0) {
    for (const row of await findTold(writing, model, found, limit)) await writing.rows.cascade(writing, model, row)
  }
  const { count } = await callClient(client, model, 'deleteMany', { where: found, ...limitOf(limit) })
  if (sets) await hooks.removedSet(writing, model, readables, count)
  return count
}

function limitOf(limit: unknown): { readonly limit?: unknown } {
  return limit === undefined || limit === null ? {} : { limit }
}

/** Whether rows are after a change what they may be, by being what they were before. */
function isKept({ rules }: Writing, model: PolicyModel, outcome: Condition, names: ReadonlySet<string>): boolean {
  return outcome === true || (rules.outcome(model) === 'update' && !dependsOn(outcome, model, names))
}

/** Whether a condition may come out otherwise because of what is written. What it says of related rows always may. */
function dependsOn(condition: unknown, model: PolicyModel, names: ReadonlySet<string>): boolean {
  if (Array.isArray(condition)) return condition.some((one) => dependsOn(one, model, names))
  if (!isObject(condition)) return false
  return Object.entries(condition).some(([key, value]) => {
    if (key === 'AND' || key === 'OR' || key === 'NOT') return dependsOn(value, model, names)
    return names.has(key) || model.relations.has(key) || refersToField(value)
  })
}
