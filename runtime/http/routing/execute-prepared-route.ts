import { countRows } from '../telemetry.js'
import type { ApiEnv } from '../handler-types.js'
import { unsafeCast } from '../unsafe-cast.js'

/**
 * A call to the Prisma client in an emitted route: `(orm, args) => orm.post.findMany(args)`. Only the emitted code has the client's types.
 * The runtime treats the client and the arguments as untyped.
 */
export type ClientCall = (orm: never, args: never) => PromiseLike<unknown>

/** A parsed request: the client, the arguments of the call, and a function that converts the result to a response. */
export interface PreparedRoute {
  readonly orm: unknown
  readonly args: object
  reply(result: unknown): Response | Promise<Response>
  /**
   * Makes the calls if the request needs more than one, and chooses the client and the arguments of each call. If absent, the call is made
   * once.
   * @param orm the client of the request, or one in a transaction that the calls belong to
   */
  readonly run?: (call: UntypedCall, orm: unknown) => PromiseLike<unknown>
}

/** A {@link ClientCall} without types. */
export type UntypedCall = (orm: unknown, args: object) => PromiseLike<unknown>

/**
 * Retries a failed call if that may help.
 * @param error the error that the call threw
 * @param orm the client of the call
 * @param start the time of the first call, as returned by `Date.now()`
 * @throws the error if a retry does not help
 */
export type RetryCall = (
  error: unknown,
  orm: unknown,
  call: () => PromiseLike<unknown>,
  start: number,
) => Promise<unknown>

/**
 * Runs an emitted route's client call and renders the result as a response. All emitted calls run here. The call and the rendering are
 * skipped if `assertActive` throws.
 * @param request the request as parsed by the route's endpoint
 * @throws errors of the client, which are rendered in the error format of REST or RPC
 */
export async function executePreparedRoute(
  request: PreparedRoute | Promise<PreparedRoute>,
  call: ClientCall,
  { assertActive, outcome }: Pick<ApiEnv['Bindings'], 'assertActive' | 'outcome'>,
  retry: RetryCall,
): Promise<Response> {
  const prepared = await request
  const invoke = () => {
    assertActive()
    return runPreparedCall(prepared, call)
  }
  const start = Date.now()
  let result: unknown
  try {
    result = await invoke()
  } catch (error) {
    result = await retry(error, prepared.orm, invoke, start)
  }
  assertActive()
  if (outcome) outcome.rows = countRows(result)
  return prepared.reply(result)
}

/** Runs the call of a parsed request. */
export function runPreparedCall(
  { orm, args, run }: Omit<PreparedRoute, 'reply'>,
  call: ClientCall,
): PromiseLike<unknown> {
  return run ? run(toUntypedCall(call), orm) : call(unsafeCast(orm), unsafeCast(args))
}

function toUntypedCall(call: ClientCall): UntypedCall {
  return (orm, args) => call(unsafeCast(orm), unsafeCast(args))
}
