import { callClient } from '../../orm/client-port.js'
import type { Model } from '../../schema/schema.js'
import type { Args } from '../guard/arguments.js'

/** Beyond it, `take` is no Int. */
const MAX_TAKE = 2 ** 31 - 1

/** Asks the client of a request. */
export type RunQuery = (
  model: Model,
  operation: 'findUnique' | 'findFirst' | 'findMany' | 'count',
  args: Args,
) => Promise<unknown>

/** Asks a client of any schema. */
export function createRunQuery(orm: unknown): RunQuery {
  return async (model, operation, args) => callClient(orm, model, operation, args)
}

/** Counts rows, no further than to one more than `most`. */
export async function countUpTo(ask: RunQuery, model: Model, where: Args, most: number): Promise<number> {
  return Number(await ask(model, 'count', { where, ...(most < MAX_TAKE && { take: most + 1 }) }))
}
