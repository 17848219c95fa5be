import { MissingRowError, type MissingRowMeta } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { chunkKeys, serializeKey, whereAnyKey } from '../../prisma/keys.js'
import type { Args } from '../args.js'
import type { PolicyModel } from '../policy-schema.js'
import { createReadContext } from '../read/read-context.js'
import { flattenUniqueWhere, readableWhere, readableCondition } from '../read/readable-where.js'
import { type Condition, restrict, allOf } from '../rules/condition.js'
import type { WriteContext } from './write-context.js'

/** Returns the `select` that a write needs: the row's keys, or all fields if the model has row hooks. */
export function writeSelect({ hooks }: WriteContext, model: PolicyModel): Args {
  const isHooked = KINDS.some((kind) => hooks.hasRowHooks(model, kind))
  return Object.fromEntries([...(isHooked ? model.fields.keys() : model.keys)].map((name) => [name, true]))
}

const KINDS = ['create', 'update', 'delete'] as const

/**
 * Finds a row that the caller may read.
 * @returns the fields of {@link writeSelect}, or null
 */
export async function findReadableRow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  guard: Condition = true,
): Promise<Args | null> {
  const readable = readableWhere(createReadContext(writeContext), model, where)
  const found = restrict(model, readable, [guard])
  const row = await callClient(writeContext.client, model, 'findFirst', {
    where: found,
    select: writeSelect(writeContext, model),
  })
  if (row && !Object.keys(found).every((name) => model.idFields.includes(name))) writeContext.foundBy.set(row, found)
  return row
}

/**
 * Like {@link findReadableRow}, but throws if there is no such row.
 * @throws MissingRowError with the same code that Prisma uses
 */
export async function findReadableRowOrThrow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  { guard, meta }: { readonly guard?: Condition | undefined; readonly meta?: MissingRowMeta } = {},
): Promise<Args> {
  const row = await findReadableRow(writeContext, model, where, guard)
  if (!row) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`, meta)
  return row
}

/** Finds the readable row that a nested write changes. */
export function findNestedRowOrThrow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  guard?: Condition,
): Promise<Args> {
  return findReadableRowOrThrow(writeContext, model, where, { guard, meta: { model: model.name } })
}

/** Finds the readable row to connect to a to-one relation. */
export function findTargetOrThrow(writeContext: WriteContext, model: PolicyModel, where: unknown): Promise<Args> {
  const meta = { model: model.name, operation: 'a nested connect' } as const
  return findReadableRowOrThrow(writeContext, model, flattenUniqueWhere(model, where), { meta })
}

/**
 * Finds readable rows, several hundred per query.
 * @param wheres plain filters, each for one row
 * @param guard an additional condition
 * @returns the keys of each row; null if it was not found
 */
export async function findRows(
  writeContext: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
  guard: Condition = true,
): Promise<readonly (Args | null)[]> {
  const found = await findInChunks(writeContext, model, wheres, guard)
  const rows: (Args | null)[] = []
  // The database may match text that is spelled differently, for example in upper case. Such a row cannot be assigned to its filter by
  // comparing values, so the filter requires its own query.
  for (const where of wheres) rows.push(found(where) ?? (await findReadableRow(writeContext, model, where, guard)))
  return rows
}

/**
 * Finds the readable rows to connect to a to-many relation. See {@link findRows}.
 * @throws MissingRowError with Prisma's code if a row was not found
 */
export async function findRowsOrThrow(
  writeContext: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
): Promise<Args[]> {
  const found = await findInChunks(writeContext, model, wheres, true)
  const meta = { expectedRows: wheres.length }
  const rows: Args[] = []
  for (const where of wheres)
    rows.push(found(where) ?? (await findReadableRowOrThrow(writeContext, model, where, { meta })))
  return rows
}

async function findInChunks(
  writeContext: WriteContext,
  model: PolicyModel,
  wheres: readonly Args[],
  guard: Condition,
): Promise<(where: Args) => Args | undefined> {
  const [first] = wheres
  const names = first && wheres.length > 1 ? Object.keys(first) : []
  const isSameShape = (where: Args) =>
    Object.keys(where).length === names.length &&
    names.every((name) => model.fields.has(name) && ['string', 'number', 'bigint'].includes(typeof where[name]))
  if (names.length === 0 || !wheres.every(isSameShape)) return () => undefined
  const select = { ...writeSelect(writeContext, model), ...Object.fromEntries(names.map((name) => [name, true])) }
  const foundBy = allOf([...readableCondition(writeContext, model, names), guard])
  const rows = new Map<string, Args>()
  for (const chunk of chunkKeys(names, wheres)) {
    const where = restrict(model, readableWhere(createReadContext(writeContext), model, whereAnyKey(names, chunk)), [
      guard,
    ])
    for (const row of await callClient(writeContext.client, model, 'findMany', { where, select })) {
      rows.set(serializeKey(names, row), row)
      if (typeof foundBy !== 'boolean') writeContext.foundBy.set(row, foundBy)
    }
  }
  return (where) => rows.get(serializeKey(names, where))
}
