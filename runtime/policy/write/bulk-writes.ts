import { deny, ChangedRowError } from '../../errors/policy-error.js'
import { callClient, hasOperation } from '../../prisma/call-client.js'
import { chunkKeys } from '../../prisma/keys.js'
import { type Args, toArray } from '../args.js'
import { type PolicyModel, idFilter } from '../policy-schema.js'
import { createReadContext } from '../read/read-context.js'
import { readableWhere } from '../read/readable-where.js'
import { type Condition, dependsOn, restrict } from '../rules/condition.js'
import {
  assertReferencedFieldsUnchanged,
  relationsToCheck,
  relationsUsingFields,
  assertTargetsReadable,
} from './assert-targets-readable.js'
import { findArithmeticFields, bumpVersion, scalarData } from './split-data.js'
import { deferRowCheck, postUpdateCondition, writeCondition } from './write-condition.js'
import { writeSelect } from './find-readable-row.js'
import { isCheckedByStatement, usesLocks, whereRows } from './lock-and-check.js'
import { limitArgs, lockBulkRows, writeEach } from './lock-rows.js'
import { changedKeys, deletionKey, nestedContext, type ParentLink, type WriteContext } from './write-context.js'

/** The rows of a bulk write. */
export interface BulkTarget {
  /** The caller's filter; undefined for all rows. */
  readonly where: unknown
  /** An additional condition that the rows must meet. */
  readonly more?: Condition
  /** Maximum number of rows. */
  readonly limit?: unknown
}

/** The result of a bulk update. */
interface Changed {
  readonly count: number
  /** The ids of the updated rows; undefined if they are not known. */
  readonly ids: readonly Args[] | undefined
}

/**
 * Updates the target rows that the caller may read and update.
 * @param withIds whether the result must contain the ids
 */
export async function bulkUpdate(
  writeContext: WriteContext,
  model: PolicyModel,
  { where, more = true, limit }: BulkTarget,
  data: unknown,
  withIds = false,
): Promise<Changed> {
  const { scalars, names } = scalarData(model, data)
  const condition = writeCondition(writeContext.rules, 'update', model, names)
  const { hooks } = writeContext
  assertReferencedFieldsUnchanged(writeContext, model, scalars)
  const found = readableWhere(createReadContext(writeContext), model, where, findArithmeticFields(model, scalars))
  const readable = restrict(model, found, [more])
  const usesBulkHooks = hooks.hasBulkHooks(model, 'update')
  const matching = restrict(model, readable, [condition])
  if (hooks.hasRowHooks(model, 'update') && !usesBulkHooks) {
    const matchingRows = { where: matching, limit, isHooked: true }
    const ids = await writeEach(writeContext, model, matchingRows, async (row) => {
      return idFilter(model, await writeContext.rows.update(writeContext, model, row, scalars))
    })
    return { count: ids.length, ids }
  }
  const hookedData = usesBulkHooks ? await hooks.beforeUpdateMany(writeContext, model, matching, scalars) : scalars
  assertReferencedFieldsUnchanged(writeContext, model, hookedData)
  const all = [...names, ...changedKeys(scalars, hookedData)]
  const changed = await updateMatching(writeContext, model, readable, limit, hookedData, all, withIds)
  if (usesBulkHooks) {
    const final = restrict(model, matching, [writeCondition(writeContext.rules, 'update', model, all)])
    await hooks.afterUpdateMany(writeContext, model, final, hookedData, changed.count)
  }
  return changed
}

/**
 * Updates rows with one statement if it can check all conditions and return the rows that later checks need. Otherwise the rows are locked
 * first.
 * @param readable a filter for the readable rows
 * @param written the written fields and relations
 */
async function updateMatching(
  writeContext: WriteContext,
  model: PolicyModel,
  readable: Args,
  limit: unknown,
  scalars: Args,
  written: readonly string[],
  withIds: boolean,
): Promise<Changed> {
  const { client, rules } = writeContext
  const condition = writeCondition(rules, 'update', model, written)
  const outcome = postUpdateCondition(rules, model, written, condition)
  const found = restrict(model, readable, [condition])
  const data = bumpVersion(model, scalars)
  const names = new Set(Object.keys(scalars))
  const relations = relationsUsingFields(model, names).filter(({ target }) => rules.condition('read', target) !== true)
  const isOutcomeEnsured = outcome === true || (rules.outcome(model) === 'update' && !dependsOn(outcome, model, names))
  const needsIds = withIds || relations.length > 0 || !isOutcomeEnsured
  if (!needsIds && isOneStatement(writeContext, model, found, limit)) {
    const { count } = await callClient(client, model, 'updateMany', { where: found, data, ...limitArgs(limit) })
    return { count, ids: undefined }
  }
  if (needsIds && model.idFields.some((name) => names.has(name))) {
    deny(`The ids of many rows of ${model.name} cannot be changed together. Change them one by one.`)
  }
  const select = writeSelect(writeContext, model)
  if (
    needsIds &&
    hasOperation(client, model, 'updateManyAndReturn') &&
    isOneStatement(writeContext, model, found, limit)
  ) {
    const rows = await callClient(client, model, 'updateManyAndReturn', {
      where: found,
      data,
      select,
      ...limitArgs(limit),
    })
    return checked(rows)
  }
  const rows = await lockBulkRows(writeContext, model, found, limit)
  const changed: Args[] = []
  for (const chunk of chunkKeys(model.idFields, rows)) {
    const where = whereLocked(writeContext, model, chunk, found)
    const { count } = await callClient(client, model, 'updateMany', { where, data })
    if (count < chunk.length) throw new ChangedRowError(model.name)
    const currentWhere = whereRows(model, chunk, true)
    changed.push(
      ...(relations.length === 0
        ? chunk
        : await callClient(client, model, 'findMany', { where: currentWhere, select })),
    )
  }
  return checked(changed)

  async function checked(all: readonly Args[]): Promise<Changed> {
    await assertTargetsReadable(writeContext, model, all, relations)
    for (const row of all) deferRowCheck(writeContext, rules.outcome(model), model, row, outcome)
    return { count: all.length, ids: all.map((row) => idFilter(model, row)) }
  }
}

/** Deletes the target rows that the caller may read and delete. Returns the number of deleted rows. */
export async function bulkDelete(
  writeContext: WriteContext,
  model: PolicyModel,
  { where, more = true, limit }: BulkTarget,
): Promise<number> {
  const { hooks, client } = writeContext
  const readable = restrict(model, readableWhere(createReadContext(writeContext), model, where), [more])
  const condition = hooks.replacesDelete(model) ? true : writeCondition(writeContext.rules, 'delete', model, [])
  const found = restrict(model, readable, [condition])
  const usesBulkHooks = hooks.hasBulkHooks(model, 'delete')
  const matchingRows = { where: found, limit, isHooked: hooks.hasRowHooks(model, 'delete') }
  const cascades = hooks.cascades(model).length > 0
  if (!usesBulkHooks && (matchingRows.isHooked || cascades)) {
    return (
      await writeEach(writeContext, model, matchingRows, (row) => writeContext.rows.remove(writeContext, model, row))
    ).length
  }
  const replaceCondition =
    usesBulkHooks && hooks.replacesDelete(model) ? writeCondition(writeContext.rules, 'update', model, []) : true
  const replacement = usesBulkHooks
    ? await hooks.beforeDeleteMany(writeContext, model, restrict(model, found, [replaceCondition]))
    : undefined
  if (replacement)
    return (await bulkUpdate(writeContext, model, { where: {}, more: readable, limit }, replacement)).count
  let count = 0
  if (!cascades && isOneStatement(writeContext, model, found, limit)) {
    count = (await callClient(client, model, 'deleteMany', { where: found, ...limitArgs(limit) })).count
  } else {
    const rows = await lockBulkRows(writeContext, model, found, limit)
    if (cascades) await cascadeRows(writeContext, model, rows)
    // After a cascade, the filter may no longer match the locked rows, and the database may have deleted some of them.
    const remaining = cascades ? true : found
    for (const chunk of chunkKeys(model.idFields, rows)) {
      count += (
        await callClient(client, model, 'deleteMany', { where: whereLocked(writeContext, model, chunk, remaining) })
      ).count
    }
    if (cascades) count = rows.length
  }
  if (usesBulkHooks) await hooks.afterDeleteMany(writeContext, model, found, count)
  return count
}

/** Runs the cascades of rows that are deleted together. They leave out each other's rows. */
async function cascadeRows(writeContext: WriteContext, model: PolicyModel, rows: readonly Args[]): Promise<void> {
  for (const row of rows) writeContext.deletions.set(deletionKey(model, row), 'begun')
  for (const row of rows) await writeContext.rows.cascade(writeContext, model, row)
}

/**
 * Whether one statement can write all rows that match a filter and check each of them. With a limit, Prisma puts all conditions into a
 * subquery, which the database does not evaluate again after it has waited for a lock.
 */
function isOneStatement(writeContext: WriteContext, model: PolicyModel, where: Args, limit: unknown): boolean {
  const isLimited = limit !== undefined && limit !== null
  return !(isLimited && usesLocks(writeContext.client)) && isCheckedByStatement(writeContext, model, where)
}

/** Returns a filter for locked rows, with the conditions that the statement can check. */
function whereLocked(writeContext: WriteContext, model: PolicyModel, rows: readonly Args[], where: Condition): Args {
  return whereRows(model, rows, isCheckedByStatement(writeContext, model, where) ? where : true)
}

/**
 * Creates rows without relations.
 * @returns the keys of the created rows
 */
export async function bulkCreate(
  writeContext: WriteContext,
  model: PolicyModel,
  { data, skipDuplicates }: { readonly data: unknown; readonly skipDuplicates?: unknown },
  link?: ParentLink,
): Promise<Args[]> {
  const rows = toArray(data).map((row) => scalarData(model, row, link))
  const { client } = writeContext
  const rowContext = (index: number) => (Array.isArray(data) ? nestedContext(writeContext, index) : writeContext)
  if (!hasOperation(client, model, 'createManyAndReturn')) {
    if (skipDuplicates === true) {
      deny(`Rows of ${model.name} cannot be created with "skipDuplicates" here. Create them one by one.`)
    }
    return mapSequentially(rows, ({ scalars }, index) =>
      writeContext.rows.create(rowContext(index), model, scalars, link),
    )
  }
  if (rows.length === 0) return []
  const inputs = rows.map(({ scalars }) => ({ ...scalars, ...link?.values }))
  const isHooked = writeContext.hooks.hasRowHooks(model, 'create')
  const rowData = isHooked
    ? await mapSequentially(inputs, (row, index) => writeContext.hooks.beforeCreate(rowContext(index), model, row))
    : inputs
  // The returned rows cannot be matched to the input rows. Therefore, a field that any row sets must be allowed in all rows.
  const added = rowData.flatMap((flat, index) => changedKeys(inputs[index] ?? {}, flat))
  const written = new Set([...rows.flatMap((row) => row.names), ...added])
  const condition = writeCondition(writeContext.rules, 'create', model, [...written])
  const created = await callClient(client, model, 'createManyAndReturn', {
    data: rowData,
    ...(skipDuplicates === undefined ? {} : { skipDuplicates }),
    select: writeSelect(writeContext, model),
  })
  const names = [...rows.flatMap(({ scalars }) => Object.keys(scalars)), ...added]
  const relations = relationsToCheck(model, new Set(names), link ? [link.relation] : [])
  await assertTargetsReadable(writeContext, model, created, relations)
  for (const row of created) deferRowCheck(writeContext, 'create', model, row, condition)
  if (isHooked) for (const row of created) await writeContext.hooks.afterCreate(writeContext, model, row)
  return created
}

async function mapSequentially<T, R>(
  list: readonly T[],
  convert: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of list.entries()) results.push(await convert(item, index))
  return results
}
