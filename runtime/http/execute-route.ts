import { countRows } from './telemetry.js'
import type { ApiEnv } from './api-handler.js'

/**
 * A call of the Prisma client, as an emitted route writes it: `(orm, args) => orm.post.findMany(args)`. The client's types are
 * known there only. To the runtime, the client and its arguments are those of any model.
 */
export type ClientCall = (orm: never, args: never) => PromiseLike<unknown>

/** A request that was understood: the client for it, the arguments of the call to make, and what makes the result an answer. */
export interface PreparedRoute {
  readonly orm: unknown
  readonly args: object
  reply(result: unknown): Response | Promise<Response>
  /**
   * Makes the call itself, where it takes more than one: on the client that the call is to be made with, and with other arguments.
   * Absent where the call is simply made.
   */
  readonly run?: (call: (orm: unknown, args: object) => PromiseLike<unknown>) => Promise<unknown>
}

/**
 * Makes a call again that has failed, where that may help.
 * @param error what it threw
 * @param orm the client that it was made with
 * @param began when it was made first, as `Date.now()` tells
 * @throws the error, where it may not
 */
export type RetryCall = (
  error: unknown,
  orm: unknown,
  call: () => PromiseLike<unknown>,
  began: number,
) => Promise<unknown>

/**
 * Makes the call of an emitted route, and answers with what it gives. Every such call is made here.
 * @param request what the route's endpoint made of the request
 * @param env `alive` throws where nobody waits for an answer: neither the call is made then, nor what the answer takes
 * @throws whatever the client throws; the style's error format answers it
 */
export async function executeRoute(
  request: PreparedRoute | Promise<PreparedRoute>,
  call: ClientCall,
  { alive, seen }: Pick<ApiEnv['Bindings'], 'alive' | 'seen'>,
  rescue: RetryCall,
): Promise<Response> {
  const prepared = await request
  const made = () => {
    alive()
    return callAndSerialize(prepared, call)
  }
  const began = Date.now()
  let result: unknown
  try {
    result = await made()
  } catch (error) {
    result = await rescue(error, prepared.orm, made, began)
  }
  alive()
  if (seen) seen.rows = countRows(result)
  return prepared.reply(result)
}

/** Makes the call of a request that was understood. */
export function callAndSerialize(
  { orm, args, run }: Omit<PreparedRoute, 'reply'>,
  call: ClientCall,
): PromiseLike<unknown> {
  return run ? run(erasing(call)) : call(unsafeCast(orm), unsafeCast(args))
}

function erasing(call: ClientCall): (orm: unknown, args: object) => PromiseLike<unknown> {
  return (orm, args) => call(unsafeCast(orm), unsafeCast(args))
}

/**
 * Vouches that a client, or arguments that were checked against the resource, are what the emitted code expects: the one place
 * where the runtime says so without the compiler.
 */
export function unsafeCast(value: unknown): never {
  return value as never
}
