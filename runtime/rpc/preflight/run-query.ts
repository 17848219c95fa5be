import { callClient } from '../../prisma/call-client.js'
import type { Model } from '../../schema/model.js'
import type { Args } from '../guard/argument-helpers.js'

/** The largest `take` that Prisma accepts: the maximum of an Int. */
const MAX_TAKE = 2 ** 31 - 1

/** Runs a query on the client of a request. */
export type RunQuery = (
  model: Model,
  operation: 'findUnique' | 'findFirst' | 'findMany' | 'count',
  args: Args,
) => Promise<unknown>

/** Creates a {@link RunQuery} for a client of any schema. */
export function createRunQuery(orm: unknown): RunQuery {
  return async (model, operation, args) => callClient(orm, model, operation, args)
}

/** Counts rows, but not beyond `max + 1`. */
export async function countUpTo(runQuery: RunQuery, model: Model, where: Args, max: number): Promise<number> {
  return Number(await runQuery(model, 'count', { where, ...(max < MAX_TAKE && { take: max + 1 }) }))
}
