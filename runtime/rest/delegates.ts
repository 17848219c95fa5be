import type { RestModel } from './model.js'
import { isRow, type Row } from './serialize.js'

/** What the runtime itself calls of a model's delegate. */
interface Reads {
  findUnique(args: object): PromiseLike<unknown>
  findMany(args: object): PromiseLike<unknown>
}

/** Prisma's `findUnique` of a model. */
export async function findUnique(orm: unknown, model: RestModel, args: object): Promise<Row | undefined> {
  const row = await delegateOf(orm, model)?.findUnique(args)
  return isRow(row) ? row : undefined
}

/** Prisma's `findMany` of a model. */
export async function findMany(orm: unknown, model: RestModel, args: object): Promise<readonly Row[]> {
  const rows = await delegateOf(orm, model)?.findMany(args)
  return Array.isArray(rows) ? rows.filter(isRow) : []
}

// The client was made for these models: the emitted code is compiled against it.
function delegateOf(orm: unknown, { model }: RestModel): Reads | undefined {
  return (orm as Readonly<Record<string, Reads | undefined>>)[model.delegate]
}
