import type { Hono } from 'hono'

import type { ApiEnv } from '../http/api-handler.js'
import type { READ_METHODS, UPDATE_METHODS } from '../http/methods.js'
import type { ClientCall } from '../http/execute-route.js'
import type { ArgsOf, ModelName, Operations, OrmOf, TypeMap } from '../orm/client-types.js'

/**
 * The Hono app that an emitted `rpc.ts` puts a model's operations on, by Hono's own methods (contract 4.3). The path names the
 * operation; the handler is its Prisma call, and is given the client and the operation's own arguments. Around it the runtime reads
 * and checks the arguments, decides when and with which client the call is made, and serializes what it gives.
 */
export interface RpcRouter<T extends TypeMap, N extends ModelName<T>> {
  /** The app itself, for middleware of your own templates. */
  readonly hono: Hono<ApiEnv>
  /** An operation that reads or updates. */
  on<O extends OperationName<T, N>>(methods: Methods, path: `/${O}`, call: Call<T, N, O>): void
  /** An operation that creates. */
  post<O extends OperationName<T, N>>(path: `/${O}`, call: Call<T, N, O>): void
  /** An operation that deletes. */
  delete<O extends OperationName<T, N>>(path: `/${O}`, call: Call<T, N, O>): void
  /** Is there such a row? The call finds the first one, of which its id alone is selected; the answer is true or false. */
  exists(methods: typeof READ_METHODS, path: '/exists', call: Call<T, N, 'findFirst'>): void
  /** May this caller read, create, update or delete? Design, section 5. */
  check(methods: typeof READ_METHODS, path: '/check'): void
}

/** The same without the client's types, which emitted code alone knows. */
export interface ErasedRpcRouter {
  readonly hono: Hono<ApiEnv>
  on(methods: Methods, path: string, call: ClientCall): void
  post(path: string, call: ClientCall): void
  delete(path: string, call: ClientCall): void
  exists(methods: typeof READ_METHODS, path: string, call: ClientCall): void
  check(methods: typeof READ_METHODS, path: string): void
}

type Methods = typeof READ_METHODS | typeof UPDATE_METHODS

type Call<T extends TypeMap, N extends ModelName<T>, O extends string> = (
  orm: OrmOf<T, N>,
  args: ArgsOf<T, N, O>,
) => PromiseLike<unknown>

type OperationName<T extends TypeMap, N extends ModelName<T>> = keyof Operations<T, N> & string
