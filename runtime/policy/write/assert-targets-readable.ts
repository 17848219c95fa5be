import { MissingRowError } from '../../errors/row-errors.js'
import { isObject } from '../../values/is-object.js'
import { callClient } from '../../prisma/call-client.js'
import { toFilter, restrict } from '../rules/condition.js'
import { matchingKeysQuery } from '../read/matching-keys-query.js'
import { idFilter, rowKey } from '../row-id.js'
import { isOneToOneKey, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

/**
 * Checks that the foreign keys written directly by the caller refer to rows that the caller may read. An unreadable target is reported like
 * a missing one. Must run right after the database has checked the foreign key, so that both cases fail at the same point.
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
 * @param row the current row; undefined if the row is new
 * @throws MissingRowError with the same code as {@link assertTargetsReadable}
 */
export async function assertExclusiveTargetsReadable(
  writeContext: WriteContext,
  model: PolicyModel,
  data: Args,
  row?: Args,
): Promise<void> {
  for (const relation of relationsUsingFields(model, new Set(Object.keys(data)))) {
    if (!isOneToOneKey(model, relation)) continue
    const { name, target, foreignKey = {} } = relation
    const condition = writeContext.rules.condition('read', target)
    if (condition === true) continue
    const key = Object.keys(foreignKey).map((field) => writtenValue(data[field]) ?? row?.[field])
    const isUnchanged = Object.keys(foreignKey).every((field, index) => key[index] === row?.[field])
    if (isUnchanged || key.some((value) => value === null || value === undefined)) continue
    const values = Object.fromEntries(Object.values(foreignKey).map((other, index) => [other, key[index]]))
    const where = restrict(target, values, [condition])
    if ((await callClient(writeContext.client, target, 'count', { where })) === 0) throw missingTargetError(name, model)
  }
}

function writtenValue(value: unknown): unknown {
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
