import { callClient } from '../../prisma/call-client.js'
import { runSplitQuery } from './split-query.js'
import { redact } from './redact.js'
import type { Cursor, ReadContext } from './read-context.js'
import type { ReadQuery } from './rewrite-read-args.js'
import type { Args } from '../args.js'
import { matchingKeysQuery } from './matching-keys-query.js'

/**
 * Runs a rewritten query, and redacts what the query could not exclude.
 * @param getClient returns the client that can access every row, in the query's transaction
 */
export async function runReadableQuery(
  { args, plan, parts }: ReadQuery,
  { cursors }: ReadContext,
  getClient: () => object,
  run: (args: Args) => PromiseLike<unknown>,
): Promise<unknown> {
  await resolveCursors(cursors, getClient)
  const result = await (parts
    ? runSplitQuery(parts, run, (where) => callClient(getClient(), parts.model, 'count', { where }))
    : run(args))
  if (plan) await redact(result, plan, matchingKeysQuery(getClient))
  return result
}

/** Changes the arguments of each cursor whose row is not readable, so that they match no rows. */
export async function resolveCursors(cursors: readonly Cursor[], getClient: () => object): Promise<void> {
  for (const { model, where, drop } of cursors) {
    if ((await callClient(getClient(), model, 'count', { where })) === 0) drop()
  }
}
