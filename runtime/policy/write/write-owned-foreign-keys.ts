import { isWrappedUpdate } from '../../schema/keyword-named-fields.js'
import { isObject } from '../../values/is-object.js'
import { RequestError } from '../../errors/request-error.js'
import { serializeKey } from '../../prisma/keys.js'
import { allOf } from '../rules/condition.js'
import { rowKey, isOneToOneKey, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { definedEntries, type Args, asArgs } from '../args.js'
import { deny } from '../../errors/policy-error.js'
import { flattenUniqueWhere } from '../read/readable-where.js'
import type { DataParts, NestedWrite } from './split-data.js'
import { isFieldReadable, writtenValue } from './assert-targets-readable.js'
import { nestedContext, type ParentLink, type WriteContext } from './write-context.js'
import { findNestedRowOrThrow, findReadableRow, findTargetOrThrow } from './find-readable-row.js'

/** The foreign keys of a row that its nested writes set. */
export interface OwnedForeignKeys {
  readonly values: Args
  /** The names of the relations whose foreign key the write sets, including that of the parent. */
  readonly links: readonly string[]
  /** Operations that must run after the row itself is written. */
  readonly deferred: readonly (() => Promise<void>)[]
}

/** Returns the names of the nested relations whose foreign key is readable on the current row. */
export async function readableForeignKeys(
  writeContext: WriteContext,
  model: PolicyModel,
  nested: readonly NestedWrite[],
  row: Args,
): Promise<ReadonlySet<string>> {
  const readable = new Set<string>()
  for (const { relation } of nested)
    if (await isFieldReadable(writeContext, model, row, relation.name)) readable.add(relation.name)
  return readable
}

/**
 * Runs the nested writes in relations whose foreign key the row holds. Must run before the row itself is written.
 * @param link the values that link the row to its parent
 * @param row the current row; undefined if the row is new
 * @param readable the result of {@link readableForeignKeys} before anything was written
 */
export async function writeOwnedForeignKeys(
  writeContext: WriteContext,
  model: PolicyModel,
  { owned, scalars }: Pick<DataParts, 'owned' | 'scalars'>,
  link: ParentLink | undefined,
  row?: Args,
  readable: ReadonlySet<string> = new Set(),
): Promise<OwnedForeignKeys> {
  const values: Record<string, unknown> = {}
  const others = { ...scalars, ...link?.values }
  const links = link ? [link.relation] : []
  const deferred: (() => Promise<void>)[] = []
  for (const { relation, operations } of owned) {
    const key: Record<string, unknown> = {}
    for (const [operation, value] of definedEntries(operations)) {
      Object.assign(
        key,
        await writeOwnedForeignKey(
          nestedContext(writeContext, relation.name, operation),
          model,
          relation,
          operation,
          value,
          readable.has(relation.name),
          row,
          deferred,
        ),
      )
    }
    addKey(values, key, others, model, relation)
    if (Object.values(key).some((value) => value !== null)) links.push(relation.name)
  }
  return { values, links, deferred }
}

/**
 * Merges the foreign key of a relation into those of the relations written before. If a field is shared, a connected relation takes
 * precedence over a disconnected one.
 * @param others the other fields that the write sets
 * @throws RequestError 409 if a shared field would need two different values
 */
function addKey(
  values: Record<string, unknown>,
  key: Args,
  others: Args,
  model: PolicyModel,
  { name }: PolicyRelation,
): void {
  for (const [field, value] of Object.entries(key)) {
    const written = (data: Args) => (Object.hasOwn(data, field) ? (writtenValue(data[field]) ?? null) : null)
    const other = written(values) ?? written(others)
    if (other !== null && value !== null && serializeKey([field], { [field]: other }) !== serializeKey([field], key)) {
      // The field may be hidden.
      const detail = `"${name}" of ${model.name} contradicts the other values: its foreign key shares a field with them.`
      throw new RequestError({ code: 'foreign-key-violation', detail, about: [name] })
    }
    values[field] = value ?? written(values)
  }
}

async function writeOwnedForeignKey(
  writeContext: WriteContext,
  model: PolicyModel,
  relation: PolicyRelation,
  operation: string,
  value: unknown,
  isKeyReadable: boolean,
  row: Args | undefined,
  deferred: (() => Promise<void>)[],
): Promise<Args> {
  const { name, target } = relation
  const createTarget = async (data: unknown, ...path: readonly string[]) =>
    toForeignKey(relation, await writeContext.rows.create(nestedContext(writeContext, ...path), target, data))
  switch (operation) {
    case 'connect':
      return takeKey(writeContext, model, relation, await findTargetOrThrow(writeContext, target, value), row)
    case 'create':
      return createTarget(value)
    case 'connectOrCreate': {
      const { where, create } = asArgs(value, `"connectOrCreate" of "${name}"`)
      const found = await findReadableRow(writeContext, target, flattenUniqueWhere(target, where))
      if (found) return takeKey(writeContext, model, relation, found, row)
      return createTarget(create, 'create')
    }
  }
  if (!row) return deny(`"${operation}" of "${name}" cannot be verified when a row is created.`)
  const current = async (where: unknown) => {
    const key = isKeyReadable ? relatedKeyWhere(relation, row) : undefined
    return key === undefined ? null : findReadableRow(writeContext, target, isObject(where) ? where : {}, key)
  }
  switch (operation) {
    case 'disconnect':
      if (value === false) return {}
      if (isObject(value) && !(await current(value))) return {}
      return toNullKey(relation)
    case 'update': {
      const { where, data, path } = toOneUpdateData(relation, value)
      const found = await current(where)
      await writeContext.rows.update(
        nestedContext(writeContext, ...path),
        target,
        found ?? (await findNestedRowOrThrow(writeContext, target, target.noRows)),
        data,
      )
      return {}
    }
    case 'upsert': {
      const { where, create, update } = asArgs(value, `"upsert" of "${name}"`)
      const found = await current(where)
      if (!found) return createTarget(create, 'create')
      await writeContext.rows.update(nestedContext(writeContext, 'update'), target, found, update)
      return {}
    }
    case 'delete': {
      if (value === false) return {}
      const found = (await current(value)) ?? (await findNestedRowOrThrow(writeContext, target, target.noRows))
      deferred.push(() => writeContext.rows.remove(writeContext, target, found))
      return toNullKey(relation)
    }
    default:
      return deny(`"${operation}" of "${name}" cannot be verified. Send it as a separate request.`)
  }
}

/**
 * Returns the foreign key that refers to a row. If the key is unique and optional, a different row with the same key is disconnected first,
 * as in Prisma.
 */
async function takeKey(
  writeContext: WriteContext,
  model: PolicyModel,
  relation: PolicyRelation,
  target: Args,
  row: Args | undefined,
): Promise<Args> {
  const key = toForeignKey(relation, target)
  const names = Object.keys(key)
  if (!isOneToOneKey(model, relation) || !names.every((name) => model.fields.get(name)?.optional)) return key
  const holder = await findReadableRow(writeContext, model, key)
  if (holder && !(row && rowKey(model, holder) === rowKey(model, row))) {
    await writeContext.rows.update(
      writeContext,
      model,
      holder,
      {},
      { values: toNullKey(relation), relation: relation.name },
    )
  }
  return key
}

/** Returns the data of a nested to-one update with its path. It is passed either directly or as `data` with a `where`. */
export function toOneUpdateData(
  { name, target }: PolicyRelation,
  value: unknown,
): { readonly where?: unknown; readonly data: unknown; readonly path: readonly string[] } {
  const update = asArgs(value, `"update" of "${name}"`)
  if (!isWrappedUpdate(target, update)) return { data: update, path: [] }
  return { where: update['where'], data: update['data'], path: ['data'] }
}

function toForeignKey({ foreignKey = {} }: PolicyRelation, target: Args): Args {
  return Object.fromEntries(
    Object.entries(foreignKey).map(([field, referencedField]) => [field, target[referencedField]]),
  )
}

function toNullKey({ foreignKey = {} }: PolicyRelation): Args {
  return Object.fromEntries(Object.keys(foreignKey).map((field) => [field, null]))
}

/**
 * Returns a filter for the row that a foreign key refers to.
 * @returns undefined if the key is null
 */
function relatedKeyWhere({ foreignKey = {} }: PolicyRelation, row: Args): Args | undefined {
  const pairs = Object.entries(foreignKey)
  if (pairs.some(([field]) => row[field] === null || row[field] === undefined)) return undefined
  const key = allOf(pairs.map(([field, referencedField]) => ({ [referencedField]: row[field] })))
  return typeof key === 'boolean' ? undefined : key
}
