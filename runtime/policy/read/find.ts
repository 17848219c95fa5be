import { chunksOf, whereKeys } from '../../orm/keys.js'
import { callClient } from '../../orm/port.js'
import { runInTwoParts } from './order-through.js'
import { restrict } from '../rules/condition.js'
import { applyPlan, keyOf, type Meeting } from './plan.js'
import type { Cursor, Reading } from './read.js'
import type { ReadQuery } from './read-args.js'
import type { Tree } from '../tree.js'

/**
 * Runs a query that was rewritten, and takes out of its result what the query itself could not.
 * @param inner gives the client that sees every row, in the query's own transaction
 * @param run runs the query
 */
export async function findReadable(
  { args, plan, parts }: ReadQuery,
  { cursors }: Reading,
  inner: () => object,
  run: (args: Tree) => PromiseLike<unknown>,
): Promise<unknown> {
  await lookForCursors(cursors, inner)
  const result = await (parts
    ? runInTwoParts(parts, run, (where) => callClient(inner(), parts.model, 'count', { where }))
    : run(args))
  if (plan) await applyPlan(result, plan, meeting(inner))
  return result
}

/** Lets arguments find nothing where the row of their cursor is not there for the caller. */
export async function lookForCursors(cursors: readonly Cursor[], inner: () => object): Promise<void> {
  for (const { model, where, giveUp } of cursors) {
    if ((await callClient(inner(), model, 'count', { where })) === 0) giveUp()
  }
}

/** Asks which rows meet a filter. */
export function meeting(inner: () => object): Meeting {
  return async (model, ids, where) => {
    const keys = new Set<string>()
    const select = Object.fromEntries(model.idFields.map((field) => [field, true]))
    for (const some of chunksOf(model.idFields, ids)) {
      const met = restrict(model, whereKeys(model.idFields, some), [where])
      const rows = await callClient(inner(), model, 'findMany', { where: met, select })
      for (const row of rows) keys.add(keyOf(model, row))
    }
    return keys
  }
}
