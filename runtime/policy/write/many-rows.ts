import { isObject } from '../../values/is-object.js'
import { chunksOf, whereKeys } from '../../orm/keys.js'
import { callClient, hasOperation } from '../../orm/port.js'
import { type Condition, restrict } from '../condition.js'
import { idOf } from '../plan.js'
import { readingOf } from '../read.js'
import type { PolicyModel } from '../schema.js'
import { deny, listOf, type Tree } from '../tree.js'
import { readableWhere } from '../where.js'
import { scalarsOf } from './data.js'
import {
  expectRow,
  outcomeOf,
  requireTargets,
  keySelect,
  permit,
  relationsOf,
  type Writing,
  type Link,
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
    const created: Tree[] = []
    for (const { scalars } of rows) created.push(await writing.rows.create(writing, model, scalars, link))
    return created
  }
  if (rows.length === 0) return []
  // What one of them gives, all must be allowed to have: which of the rows comes back as which is not known.
  const written = new Set(rows.flatMap((row) => row.written))
  const condition = permit(writing.rules, 'create', model, [...written])
  const created = await callClient(client, model, 'createManyAndReturn', {
    data: rows.map(({ scalars }) => ({ ...scalars, ...link?.values })),
    ...(skipDuplicates === undefined ? {} : { skipDuplicates }),
    select: keySelect(model),
  })
  const relations = relationsOf(model, new Set(rows.flatMap(({ scalars }) => Object.keys(scalars))))
  await requireTargets(writing, model, created, relations)
  for (const row of created) expectRow(writing, 'create', model, row, condition)
  return created
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
): Promise<{ readonly count: number; readonly ids: readonly Tree[] | undefined }> {
  const { scalars, written } = scalarsOf(model, data)
  const condition = permit(writing.rules, 'update', model, written)
  const outcome = outcomeOf(writing.rules, model, written, condition)
  const found = restrict(model, readableWhere(readingOf(writing), model, where), [more, condition])
  const { client } = writing
  const names = new Set(Object.keys(scalars))
  const relations = relationsOf(model, names).filter(({ target }) => writing.rules.condition('read', target) !== true)
  if (!withIds && relations.length === 0 && isKept(writing, model, outcome, names)) {
    const { count } = await callClient(client, model, 'updateMany', { where: found, data: scalars, ...limitOf(limit) })
    return { count, ids: undefined }
  }
  if (model.idFields.some((name) => names.has(name))) {
    deny(`The ids of many rows of ${model.name} cannot be changed at once here: change them one by one.`)
  }
  const take = limitOf(limit)['limit']
  const rows = await callClient(client, model, 'findMany', {
    where: found,
    select: keySelect(model),
    ...(take === undefined ? {} : { take }),
  })
  const ids = rows.map((row) => idOf(model, row))
  let count = 0
  for (const part of chunksOf(model.idFields, ids)) {
    const some = whereKeys(model.idFields, part)
    const met = restrict(model, some, [condition])
    const changed = await callClient(client, model, 'updateMany', { where: met, data: scalars })
    count += changed.count
    const after = await callClient(client, model, 'findMany', { where: some, select: keySelect(model) })
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
  const condition = permit(writing.rules, 'delete', model, [])
  const found = restrict(model, readableWhere(readingOf(writing), model, where), [more, condition])
  const { count } = await callClient(writing.client, model, 'deleteMany', { where: found, ...limitOf(limit) })
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
    return names.has(key) || model.relations.has(key) || refers(value)
  })
}

function refers(value: unknown): boolean {
  if (isObject(value)) return Object.values(value).some(refers)
  return typeof value === 'object' && value !== null && 'modelName' in value
}
