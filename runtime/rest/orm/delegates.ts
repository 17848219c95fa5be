import { callClient } from '../../orm/port.js'
import type { RestModel } from '../model.js'
import { isRow, type Row, rowsOf } from './row.js'

/** The client's `findUnique` of a model; undefined where there is no such row. */
export async function findUnique(orm: unknown, { model }: RestModel, args: object): Promise<Row | undefined> {
  const row = await callClient(orm, model, 'findUnique', args)
  return isRow(row) ? row : undefined
}

/** The client's `count` of a model. */
export async function count(orm: unknown, { model }: RestModel, args: object): Promise<number> {
  return Number(await callClient(orm, model, 'count', args))
}

/** The client's `findMany` of a model. */
export async function findMany(orm: unknown, { model }: RestModel, args: object): Promise<readonly Row[]> {
  return rowsOf(await callClient(orm, model, 'findMany', args))
}
