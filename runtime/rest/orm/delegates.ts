import { callDelegate } from '../../orm/port.js'
import type { RestModel } from '../model.js'
import { isRow, type Row, rowsOf } from './row.js'

/** Prisma's `findUnique` of a model. */
export async function findUnique(orm: unknown, { model }: RestModel, args: object): Promise<Row | undefined> {
  const row = await callDelegate(orm, model, 'findUnique', args)
  return isRow(row) ? row : undefined
}

/** Prisma's `count` of a model. */
export async function count(orm: unknown, { model }: RestModel, args: object): Promise<number> {
  return Number(await callDelegate(orm, model, 'count', args))
}

/** Prisma's `findMany` of a model. */
export async function findMany(orm: unknown, { model }: RestModel, args: object): Promise<readonly Row[]> {
  return rowsOf(await callDelegate(orm, model, 'findMany', args))
}
