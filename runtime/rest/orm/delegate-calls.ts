import { policyCheckOf } from '../../prisma/policy-check.js'
import { callClient } from '../../prisma/call-client.js'
import type { RestModel } from '../rest-model.js'
import type { FilterAndSort } from '../request/filter-and-sort.js'
import { parametersInFamily, type Query } from '../request/parse-query.js'
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
