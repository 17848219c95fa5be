import { PolicyError } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { selectFields, chunkKeys, serializeKey, whereAnyKey } from '../../prisma/keys.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { parametersInFamily, type Query } from '../request/query/parse-query.js'
import type { FilterAndSort } from '../request/query/parse-sort.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { RestModel, Relationship } from '../rest-model.js'
import { isRow, type Row, toRows } from './row.js'

/** Calls `findUnique` on a model. Returns undefined if the row does not exist. */
export async function findUnique(orm: unknown, { model }: RestModel, args: object): Promise<Row | undefined> {
  const row = await callClient(orm, model, 'findUnique', args)
  return isRow(row) ? row : undefined
}

/** Calls `count` on a model. */
export async function count(orm: unknown, { model }: RestModel, args: object): Promise<number> {
  return Number(await callClient(orm, model, 'count', args))
}

/**
 * Counts the rows of a list. Access policies exclude rows whose sort fields the caller may not read, so the count receives the sort order
 * too.
 */
export async function countForList(
  orm: unknown,
  model: RestModel,
  { where, orderBy }: FilterAndSort,
  query: Query,
): Promise<number> {
  const isOrdered = policyCheckOf(orm) !== undefined && parametersInFamily(query, 'sort').length > 0
  // Sort orders by related rows are omitted, because rows whose related row is unreadable stay in the list and are sorted last.
  const localOrderBy = isOrdered
    ? orderBy.filter((entry) => Object.keys(entry).every((name) => model.model.fields.has(name)))
    : []
  return count(orm, model, { ...(where && { where }), ...(localOrderBy.length > 0 && { orderBy: localOrderBy }) })
}

/** Calls `findMany` on a model. */
export async function findMany(orm: unknown, { model }: RestModel, args: object): Promise<readonly Row[]> {
  return toRows(await callClient(orm, model, 'findMany', args))
}

/** Returns the `select` for a model's id fields. */
export function idSelect(model: RestModel): Record<string, true> {
  return selectFields(model.locking.id)
}

/** Returns the `select` for a model's id fields and its version field. */
export function rowSelect(model: RestModel): Record<string, true> {
  const { version } = model.model
  return version ? { ...idSelect(model), [version.name]: true } : idSelect(model)
}

/*
 * The members of a to-many relationship are read through their own delegate, so access policies cannot detect that the relation is read. If
 * a rule restricts the relation itself, a separate query first selects the relation with a filter that matches no members. The relation is
 * missing from the result if the caller may not read it.
 */

/**
 * Determines for which rows the caller may read a to-many relationship.
 * @param names the fields that identify the rows
 * @returns undefined if the caller may read it for all rows
 */
export async function findReadableLists(
  orm: unknown,
  model: RestModel,
  relationship: Relationship,
  names: readonly string[],
  rows: readonly Row[],
): Promise<((row: Row) => boolean) | undefined> {
  if (!isRestricted(orm, model, relationship) || rows.length === 0) return undefined
  const select = { ...selectFields(names), ...noMembers(relationship) }
  const found = await Promise.all(
    chunkKeys(names, rows).map((part) => findMany(orm, model, { where: whereAnyKey(names, part), select })),
  )
  const readable = new Set(
    found.flat().flatMap((row) => (isListReadable(row, relationship) ? [serializeKey(names, row)] : [])),
  )
  return (row) => readable.has(serializeKey(names, row))
}

/**
 * Checks that access policies allow reading a to-many relationship of a row. Does not check that the row exists.
 * @throws PolicyError if they do not allow it
 */
export async function assertListReadable(
  orm: unknown,
  model: RestModel,
  relationship: Relationship,
  id: IdValues,
): Promise<void> {
  if (!isRestricted(orm, model, relationship)) return
  const where = uniqueWhere(model.id, id)
  const row = await findUnique(orm, model, { where, select: { ...idSelect(model), ...noMembers(relationship) } })
  if (!row || isListReadable(row, relationship)) return
  throw new PolicyError(`"${relationship.name}" of this resource is not readable.`)
}

function isRestricted(orm: unknown, { model }: RestModel, { name, relation }: Relationship): boolean {
  return relation.many === true && (policyCheckOf(orm)?.restricts?.(model.name, name) ?? false)
}

function noMembers({ name, target }: Relationship): Row {
  return { [name]: { where: target.locking.noRows, select: idSelect(target) } }
}

function isListReadable(row: Row, { name }: Relationship): boolean {
  return row[name] !== undefined
}
