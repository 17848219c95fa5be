import type { BaseClient } from './client.js'
import { restrict } from './condition.js'
import { applyPlan, keyOf, type Meeting, whereIds } from './plan.js'
import type { Reading } from './read.js'
import type { ReadQuery } from './read-args.js'
import type { Tree } from './tree.js'

/** How many ids one query asks for. Databases have a limit on the values of one query. */
const CHUNK = 500

/**
 * Runs a query that was rewritten, and takes out of its result what the query itself could not.
 * @param inner gives the client that sees every row, in the query's own transaction
 * @param run runs the query
 */
export async function findReadable(
  { args, plan }: ReadQuery,
  { cursors }: Reading,
  inner: () => BaseClient,
  run: (args: Tree) => Promise<unknown>,
): Promise<unknown> {
  for (const { model, where, giveUp } of cursors) {
    if ((await inner().delegate(model.delegate).count({ where })) === 0) giveUp()
  }
  const result = await run(args)
  if (plan) await applyPlan(result, plan, meeting(inner))
  return result
}

/** Asks which rows meet a filter. */
export function meeting(inner: () => BaseClient): Meeting {
  return async (model, ids, where) => {
    const keys = new Set<string>()
    const select = Object.fromEntries(model.idFields.map((field) => [field, true]))
    for (let start = 0; start < ids.length; start += CHUNK) {
      const some = whereIds(model, ids.slice(start, start + CHUNK))
      const rows = await inner()
        .delegate(model.delegate)
        .findMany({ where: restrict(model, some, [where]), select })
      for (const row of rows) keys.add(keyOf(model, row))
    }
    return keys
  }
}
