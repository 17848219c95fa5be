import { policyCheckOf } from '../../orm/allows.js'
import { callClient } from '../../orm/client-port.js'
import type { RestModel } from '../model.js'
import type { ListQuery } from '../request/list-query.js'
import { parametersInFamily, type Query } from '../request/query.js'
import { isRow, type Row, toRows } from './row.js'

/** The client's `findUnique` of a model; undefined where there is no such row. */
export async function findUnique(orm: unknown, { model }: RestModel, args: object): Promise<Row | undefined> {
  const row = await callClient(orm, model, 'findUnique', args)
  return isRow(row) ? row : undefined
}

/** The client's `count` of a model. */
export async function count(orm: unknown, { model }: RestModel, args: object): Promise<number> {
  return Number(await callClient(orm, model, 'count', args))
}

/**
 * How many rows a list has, of which a page is shown. Access policies leave out rows that do not show what the list is ordered by: so they
 * are told of the order.
 */
export async function countForList(
  orm: unknown,
  model: RestModel,
  { where, orderBy }: ListQuery,
  query: Query,
): Promise<number> {
  const isOrdered = policyCheckOf(orm) !== undefined && parametersInFamily(query, 'sort').length > 0
  // Rows whose related row is not shown stay, and come last.
  const own = isOrdered
    ? orderBy.filter((entry) => Object.keys(entry).every((name) => model.model.fields.has(name)))
    : []
  return count(orm, model, { ...(where && { where }), ...(own.length > 0 && { orderBy: own }) })
}

/** The client's `findMany` of a model. */
export async function findMany(orm: unknown, { model }: RestModel, args: object): Promise<readonly Row[]> {
  return toRows(await callClient(orm, model, 'findMany', args))
}
