import type { Context } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import type { ArgsOf, ModelName, Operations, OrmOf, TypeMap } from '../orm/client-types.js'

/**
 * What an emitted `rpc.ts` asks of the runtime (contract 4.3).
 *
 * `call` reads the arguments from the query (`q`, `meta`) or from the body, checks them against the resources at every
 * depth, and gives the Prisma client of the request, the arguments, and `reply`, which serializes the call's result.
 */
export interface RpcApi<T extends TypeMap, N extends ModelName<T>> {
  call<O extends OperationName<T, N>>(
    c: Context<ApiEnv>,
    operation: O,
  ): Promise<{
    readonly orm: OrmOf<T, N>
    readonly args: ArgsOf<T, N, O>
    reply(result: unknown): Promise<Response>
  }>
  /** Makes an upsert again where another request came between its look and its write. */
  retry<R>(orm: unknown, upsert: () => PromiseLike<R>): Promise<R>
  /** `GET /:model/check`: may this caller read, create, update or delete? Design, section 5. */
  check(c: Context<ApiEnv>): Promise<Response>
}

type OperationName<T extends TypeMap, N extends ModelName<T>> = keyof Operations<T, N> & string
