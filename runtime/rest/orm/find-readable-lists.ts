import { PolicyError } from '../../errors/policy-error.js'
import { policyCheckOf } from '../../prisma/policy-check.js'
import { chunkKeys, serializeKey, whereNoRows, whereAnyKey } from '../../prisma/keys.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import { findMany, findUnique } from './delegate-calls.js'
import type { Row } from './row.js'
import { idSelect } from './id-select.js'
import { selectFields } from '../../prisma/select-fields.js'

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
  const ids = target.id.fields
  const noRows = whereNoRows(
    ids.map((id) => id.name),
    Object.fromEntries(ids.map((id) => [id.name, id.field])),
  )
  return { [name]: { where: noRows, select: idSelect(target) } }
}

function isListReadable(row: Row, { name }: Relationship): boolean {
  return row[name] !== undefined
}
