import { callClient } from '../../orm/port.js'
import type { Model } from '../../schema/schema.js'
import type { Args } from '../guard/refuse.js'

/** Beyond it, `take` is no Int. */
const MAX_TAKE = 2 ** 31 - 1

/** Asks the client of a request. */
export type Ask = (
  model: Model,
  operation: 'findUnique' | 'findFirst' | 'findMany' | 'count',
  args: Args,
) => Promise<unknown>

/** Asks a client of any schema. */
export function askOf(orm: unknown): Ask {
  return async (model, operation, args) => callClient(orm, model, operation, args)
}

/** Counts rows, no further than to one more than `most`. */
export async function countUpTo(ask: Ask, model: Model, where: Args, most: number): Promise<number> {
  return Number(await ask(model, 'count', { where, ...(most < MAX_TAKE && { take: most + 1 }) }))
}
