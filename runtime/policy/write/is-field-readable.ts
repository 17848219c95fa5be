import { callClient } from '../../prisma/call-client.js'
import { restrict } from '../rules/condition.js'
import { matchingKeysQuery } from '../read/matching-keys-query.js'
import { idFilter, rowKey } from '../row-id.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

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
