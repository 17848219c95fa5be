import { chunkKeys, whereAnyKey } from '../../orm/keys.js'
import { callClient } from '../../orm/client-port.js'
import { runSplitQuery } from './relation-order.js'
import { restrict } from '../rules/condition.js'
import { redact, rowKey, type MatchRows } from './redaction.js'
import type { Cursor, ReadContext } from './context.js'
import type { ReadQuery } from './rewrite-args.js'
import type { Args } from '../args.js'

/**
 * Runs a rewritten query, and redacts what the query could not exclude.
 * @param inner returns the client that can access every row, in the query's transaction
 * @param run runs the query
 */
export async function runReadableQuery(
  { args, plan, parts }: ReadQuery,
  { cursors }: ReadContext,
  inner: () => object,
  run: (args: Args) => PromiseLike<unknown>,
): Promise<unknown> {
  await resolveCursors(cursors, inner)
  const result = await (parts
    ? runSplitQuery(parts, run, (where) => callClient(inner(), parts.model, 'count', { where }))
    : run(args))
  if (plan) await redact(result, plan, rowMatcher(inner))
  return result
}

/** Changes the arguments of each cursor whose row is not readable so that they find no rows. */
export async function resolveCursors(cursors: readonly Cursor[], inner: () => object): Promise<void> {
  for (const { model, where, giveUp } of cursors) {
    if ((await callClient(inner(), model, 'count', { where })) === 0) giveUp()
  }
}

/** Creates a function that queries which rows match a filter. */
export function rowMatcher(inner: () => object): MatchRows {
  return async (model, ids, where) => {
    const keys = new Set<string>()
    const select = Object.fromEntries(model.idFields.map((field) => [field, true]))
    for (const some of chunkKeys(model.idFields, ids)) {
      const met = restrict(model, whereAnyKey(model.idFields, some), [where])
      const rows = await callClient(inner(), model, 'findMany', { where: met, select })
      for (const row of rows) keys.add(rowKey(model, row))
    }
    return keys
  }
}
