import { RequestError } from '../../errors/request-error.js'
import { MissingRowError } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { isObject } from '../../values/is-object.js'
import type { Args } from '../args.js'
import { isOneToOneKey, type PolicyModel, type PolicyRelation, idFilter, rowKey } from '../policy-schema.js'
import { matchingKeysQuery } from '../read/redact.js'
import { toFilter, restrict } from '../rules/condition.js'
import type { WriteContext } from './write-context.js'

/**
 * Checks that written foreign keys refer to rows that the caller may read. An unreadable target is reported like a missing one. Must run
 * right after the database has checked the foreign key, so that both cases fail at the same point.
 * @param rows the keys of the rows with the foreign keys
 * @throws MissingRowError with the same code as for a dangling foreign key
 */
export async function assertTargetsReadable(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  relations: Iterable<PolicyRelation>,
): Promise<void> {
  for (const { name, target, foreignKey = {} } of relations) {
    const condition = writeContext.rules.condition('read', target)
    if (condition === true) continue
    const referring = rows.filter((row) => Object.keys(foreignKey).every((field) => row[field] !== null))
    const ids = referring.map((row) => idFilter(model, row))
    if (ids.length === 0) continue
    const matching = await matchingKeysQuery(() => writeContext.client)(model, ids, {
      [name]: { is: toFilter(target, condition) },
    })
    if (ids.every((id) => matching.has(rowKey(model, id)))) continue
    throw missingTargetError(name, model)
  }
}

/**
 * Checks that the foreign keys of one-to-one relations refer to readable rows before they are written. Otherwise, the database would first
 * report that another row has the same key.
 * @param relations the relations whose foreign keys are written; those that are not one-to-one are ignored
 * @param data the written fields
 * @param row the current row; undefined if the row is new
 * @throws MissingRowError with the same code as {@link assertTargetsReadable}
 */
export async function assertExclusiveTargetsReadable(
  writeContext: WriteContext,
  model: PolicyModel,
  relations: Iterable<PolicyRelation>,
  data: Args,
  row?: Args,
): Promise<void> {
  for (const relation of relations) {
    if (!isOneToOneKey(model, relation)) continue
    const { name, target, foreignKey = {} } = relation
    const condition = writeContext.rules.condition('read', target)
    if (condition === true) continue
    const key = Object.keys(foreignKey).map((field) =>
      Object.hasOwn(data, field) ? writtenValue(data[field]) : row?.[field],
    )
    const isUnchanged = Object.keys(foreignKey).every((field, index) => key[index] === row?.[field])
    if (isUnchanged || key.some((value) => value === null || value === undefined)) continue
    const values = Object.fromEntries(Object.values(foreignKey).map((other, index) => [other, key[index]]))
    const where = restrict(target, values, [condition])
    if ((await callClient(writeContext.client, target, 'count', { where })) === 0) throw missingTargetError(name, model)
  }
}

/** Returns the value that data sets a field to. Undefined if this depends on the current value. */
export function writtenValue(value: unknown): unknown {
  return isObject(value) ? value['set'] : value
}

function missingTargetError(name: string, model: PolicyModel): MissingRowError {
  return new MissingRowError('P2003', `"${name}" of ${model.name} refers to a row that does not exist.`)
}

/** Returns the relations whose foreign keys include any of the given fields. */
export function relationsUsingFields(model: PolicyModel, fields: ReadonlySet<string>): PolicyRelation[] {
  return [...model.relations.values()].filter(({ foreignKey }) => {
    return foreignKey !== undefined && Object.keys(foreignKey).some((field) => fields.has(field))
  })
}

/**
 * Returns the relations whose targets must be checked after a write: those with a written field in their key, and those that share a field
 * with a connected relation. With `[tenantId, shelfId]` and `[tenantId, boxId]`, connecting a shelf of another tenant also changes the box.
 * The targets of the connected relations themselves are already checked. If the key of another relation is only a part of such a key, for
 * example `[tenantId]`, its target follows from a row that the caller may read.
 * @param fields the fields that the caller or a hook sets
 * @param links the names of the connected relations
 * @param isChanged whether a field has a new value
 */
export function relationsToCheck(
  model: PolicyModel,
  fields: ReadonlySet<string>,
  links: readonly string[],
  isChanged = (_field: string): boolean => true,
): PolicyRelation[] {
  const linked = links.map((name) => Object.keys(model.relations.get(name)?.foreignKey ?? {}))
  return [...model.relations.values()].filter(({ name, foreignKey = {} }) => {
    const key = Object.keys(foreignKey)
    if (key.some((field) => fields.has(field))) return true
    const isPartOf = (other: readonly string[]) =>
      key.length < other.length && key.every((field) => other.includes(field))
    const isImplied = links.includes(name) || linked.some(isPartOf)
    return !isImplied && key.some((field) => linked.flat().includes(field) && isChanged(field))
  })
}

/**
 * Checks that an update does not change fields that rows with hooks refer to. The database would update these rows without calling their
 * hooks.
 * @param row the current row; undefined for a bulk update
 * @throws RequestError 409 if it changes such a field
 */
export function assertReferencedFieldsUnchanged(
  { hooks }: WriteContext,
  model: PolicyModel,
  data: Args,
  row?: Args,
): void {
  const names = hooks.referencedFields(model)
  if (names.size === 0) return
  const name = Object.keys(data).find((key) => names.has(key) && data[key] !== row?.[key])
  if (name === undefined) return
  const detail = `"${name}" cannot be changed: other resources refer to it.`
  throw new RequestError({ code: 'foreign-key-violation', detail, about: [name] })
}

/**
 * Whether a field is readable on a readable row. If it is not, no part of a write may depend on it, because the result would reveal its
 * value.
 */
export async function isFieldReadable(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  field: string,
): Promise<boolean> {
  const condition = writeContext.rules.condition('read', model, field)
  if (typeof condition === 'boolean') return condition
  if (isAlwaysReadable(writeContext, model, field)) return true
  return (
    (await callClient(writeContext.client, model, 'count', {
      where: restrict(model, idFilter(model, row), [condition]),
    })) > 0
  )
}

/** Returns the keys of the rows on which a field is readable. See {@link isFieldReadable}. */
export async function rowsWithReadableField(
  writeContext: WriteContext,
  model: PolicyModel,
  rows: readonly Args[],
  field: string,
): Promise<ReadonlySet<string>> {
  const condition = writeContext.rules.condition('read', model, field)
  if (condition === false || rows.length === 0) return new Set()
  if (condition === true || isAlwaysReadable(writeContext, model, field))
    return new Set(rows.map((row) => rowKey(model, row)))
  const ids = rows.map((row) => idFilter(model, row))
  return matchingKeysQuery(() => writeContext.client)(model, ids, condition)
}

/** Whether a field is readable on every readable row. */
export function isAlwaysReadable({ rules }: WriteContext, model: PolicyModel, field: string): boolean {
  const condition = rules.condition('read', model, field)
  return condition === true || (condition !== false && condition === rules.condition('read', model))
}

/**
 * Whether a write counts as a change of a field. An unreadable field always does. Otherwise the result would reveal whether it has changed.
 * @param before the row before the write
 * @param after the row after the write, or the written data
 */
export function countsAsChanged(
  writeContext: WriteContext,
  model: PolicyModel,
  field: string,
  before: Args,
  after: Args,
): boolean {
  return after[field] !== before[field] || !isAlwaysReadable(writeContext, model, field)
}
