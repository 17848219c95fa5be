import { RequestError } from '../../errors/request-error.js'
import { hasFieldReference } from '../../values/field-reference.js'
import { isObject } from '../../values/is-object.js'
import { chunkKeys, whereAnyKey } from '../../orm/keys.js'
import { callClient, hasOperation } from '../../orm/client-port.js'
import { type Condition, restrict } from '../rules/condition.js'
import { idFilter } from '../read/redaction.js'
import { createReadContext } from '../read/context.js'
import type { PolicyModel } from '../schema.js'
import { deny, toArray, type Args } from '../args.js'
import { readableWhere } from '../read/where.js'
import { bumpVersion, requestedVersions } from './bump-version.js'
import { scalarData } from './split-data.js'
import { assertNotReferenced } from './referenced-fields.js'
import {
  changedKeys,
  nestedContext,
  deferRowCheck,
  type ParentLink,
  postUpdateCondition,
  writeCondition,
  relationsUsingFields,
  assertTargetsReadable,
  writeSelect,
  type WriteContext,
} from './write-context.js'

/** Which of many rows, and what more they must meet. */
export interface BulkTarget {
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
  readonly ids: readonly Args[] | undefined
}

/**
 * Creates rows without relations.
 * @returns the keys of those that were created
 */
export async function bulkCreate(
  writing: WriteContext,
  model: PolicyModel,
  { data, skipDuplicates }: { readonly data: unknown; readonly skipDuplicates?: unknown },
  link?: ParentLink,
): Promise<Args[]> {
  const rows = toArray(data).map((row) => scalarData(model, row, link))
  const { client } = writing
  if (!hasOperation(client, model, 'createManyAndReturn')) {
    if (skipDuplicates === true) {
      deny(`Rows of ${model.name} cannot be created with "skipDuplicates" here: create them one by one.`)
    }
    return eachInTurn(rows, ({ scalars }, at) => writing.rows.create(nestedContext(writing, at), model, scalars, link))
  }
  if (rows.length === 0) return []
  const given = rows.map(({ scalars }) => ({ ...scalars, ...link?.values }))
  const isTold = writing.hooks.hearsRow(model, 'create')
  const flats = isTold ? await eachInTurn(given, (row, at) => creating(writing, model, row, at)) : given
  // What one of them gives, all must be allowed to have: which of the rows comes back as which is not known.
  const added = flats.flatMap((flat, at) => changedKeys(given[at] ?? {}, flat))
  const written = new Set([...rows.flatMap((row) => row.written), ...added])
  const condition = writeCondition(writing.rules, 'create', model, [...written])
  const created = await callClient(client, model, 'createManyAndReturn', {
    data: flats,
    ...(skipDuplicates === undefined ? {} : { skipDuplicates }),
    select: writeSelect(writing, model),
  })
  const names = [...rows.flatMap(({ scalars }) => Object.keys(scalars)), ...added]
  await assertTargetsReadable(writing, model, created, relationsUsingFields(model, new Set(names)))
  for (const row of created) deferRowCheck(writing, 'create', model, row, condition)
  if (isTold) for (const row of created) await writing.hooks.created(writing, model, row)
  return created
}

function creating(writing: WriteContext, model: PolicyModel, row: Args, at: number): Promise<Args> {
  return writing.hooks.creating(nestedContext(writing, at), model, row)
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
export async function bulkUpdate(
  writing: WriteContext,
  model: PolicyModel,
  { where, more = true, limit }: BulkTarget,
  data: unknown,
  withIds = false,
): Promise<Changed> {
  const { scalars, written } = scalarData(model, data)
  const condition = writeCondition(writing.rules, 'update', model, written)
  const { hooks } = writing
  assertNotReferenced(writing, model, scalars)
  const readables = readableWhere(createReadContext(writing), model, where)
  const sets = hooks.hearsSet(model, 'update')
  if (hooks.hearsRow(model, 'update') && !sets) {
    const rows = await findTold(writing, model, restrict(model, readables, [more, condition]), limit)
    return changeEach(writing, model, rows, scalars)
  }
  const asked = sets ? restrict(model, readables, [more, condition]) : readables
  const told = sets ? await hooks.changingSet(writing, model, asked, scalars) : scalars
  assertNotReferenced(writing, model, told)
  const all = [...written, ...changedKeys(scalars, told)]
  const changed = await changeSet(writing, model, { where: readables, asked: where, more, limit }, told, all, withIds)
  if (sets) {
    const final = restrict(model, asked, [writeCondition(writing.rules, 'update', model, all)])
    await hooks.changedSet(writing, model, final, told, changed.count)
  }
  return changed
}

/** Changes rows one by one, as an app wants to be told of them. */
async function changeEach(
  writing: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  scalars: Args,
): Promise<Changed> {
  const ids: Args[] = []
  for (const row of rows) ids.push(idFilter(model, await writing.rows.change(writing, model, row, scalars)))
  return { count: ids.length, ids }
}

/** Finds rows that are to be written one by one. */
async function findTold(
  writing: WriteContext,
  model: PolicyModel,
  where: Args,
  limit: unknown,
): Promise<readonly Args[]> {
  const wanted = limitOf(limit)['limit']
  const take = typeof wanted === 'number' ? Math.min(wanted, MOST_TOLD + 1) : MOST_TOLD + 1
  const select = writeSelect(writing, model)
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
  writing: WriteContext,
  model: PolicyModel,
  { where, asked, more = true, limit }: BulkTarget & { readonly where: Args; readonly asked: unknown },
  scalars: Args,
  written: readonly string[],
  withIds: boolean,
): Promise<Changed> {
  const condition = writeCondition(writing.rules, 'update', model, written)
  const outcome = postUpdateCondition(writing.rules, model, written, condition)
  const found = restrict(model, where, [more, condition])
  const { client } = writing
  const data = bumpVersion(model, scalars)
  // Between the look and the statement another request may have changed them.
  const versions = requestedVersions(model, asked)
  const names = new Set(Object.keys(scalars))
  const relations = relationsUsingFields(model, names).filter(
    ({ target }) => writing.rules.condition('read', target) !== true,
  )
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
    select: writeSelect(writing, model),
    ...(take === undefined ? {} : { take }),
  })
  const ids = rows.map((row) => idFilter(model, row))
  let count = 0
  for (const part of chunkKeys(model.idFields, ids)) {
    const some = whereAnyKey(model.idFields, part)
    const met = restrict(model, some, [condition, ...versions])
    const changed = await callClient(client, model, 'updateMany', { where: met, data })
    count += changed.count
    const after = await callClient(client, model, 'findMany', { where: some, select: writeSelect(writing, model) })
    await assertTargetsReadable(writing, model, after, relations)
    for (const row of after) deferRowCheck(writing, 'update', model, row, outcome)
  }
  return { count, ids }
}

/** Deletes those of some rows that may be read and deleted; gives their number. */
export async function bulkDelete(
  writing: WriteContext,
  model: PolicyModel,
  { where, more = true, limit }: BulkTarget,
): Promise<number> {
  const { hooks, client } = writing
  const readables = restrict(model, readableWhere(createReadContext(writing), model, where), [more])
  const condition = hooks.keeps(model) ? true : writeCondition(writing.rules, 'delete', model, [])
  const found = restrict(model, readables, [condition])
  const sets = hooks.hearsSet(model, 'delete')
  if (!sets && (hooks.hearsRow(model, 'delete') || hooks.cascades(model).length > 0)) {
    const rows = await findTold(writing, model, found, limit)
    for (const row of rows) await writing.rows.remove(writing, model, row)
    return rows.length
  }
  const kept = sets && hooks.keeps(model) ? writeCondition(writing.rules, 'update', model, []) : true
  const instead = sets ? await hooks.removingSet(writing, model, restrict(model, found, [kept])) : undefined
  if (instead) return (await bulkUpdate(writing, model, { where: {}, more: readables, limit }, instead)).count
  if (hooks.cascades(model).length > 0) {
    for (const row of await findTold(writing, model, found, limit)) await writing.rows.cascade(writing, model, row)
  }
  const { count } = await callClient(client, model, 'deleteMany', { where: found, ...limitOf(limit) })
  if (sets) await hooks.removedSet(writing, model, found, count)
  return count
}

function limitOf(limit: unknown): { readonly limit?: unknown } {
  return limit === undefined || limit === null ? {} : { limit }
}

/** Whether rows are after a change what they may be, by being what they were before. */
function isKept({ rules }: WriteContext, model: PolicyModel, outcome: Condition, names: ReadonlySet<string>): boolean {
  return outcome === true || (rules.outcome(model) === 'update' && !dependsOn(outcome, model, names))
}

/** Whether a condition may come out otherwise because of what is written. What it says of related rows always may. */
function dependsOn(condition: unknown, model: PolicyModel, names: ReadonlySet<string>): boolean {
  if (Array.isArray(condition)) return condition.some((one) => dependsOn(one, model, names))
  if (!isObject(condition)) return false
  return Object.entries(condition).some(([key, value]) => {
    if (key === 'AND' || key === 'OR' || key === 'NOT') return dependsOn(value, model, names)
    return names.has(key) || model.relations.has(key) || hasFieldReference(value)
  })
}
