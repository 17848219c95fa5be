import type { Hono } from 'hono'

import type { ApiEnv } from '../http/handler-types.js'
import type { READ_METHODS, UPDATE_METHODS } from '../http/read-and-update-methods.js'
import type { ClientCall } from '../http/execute-prepared-route.js'
import type { ArgsOf, ModelName, Operations, OrmOf, TypeMap } from '../orm/client-types.js'

/**
 * The router to which an emitted `rpc.ts` adds a model's operations, with the methods of Hono (contract 4.3). The path is the operation's
 * name. The `call` callback makes the Prisma call with the client and the validated arguments that it receives. The runtime parses and
 * validates the arguments, chooses the client, decides when to make the call, and serializes the result.
 */
export interface RpcRouter<T extends TypeMap, N extends ModelName<T>> {
  /** The Hono app, for middleware in custom templates. */
  readonly hono: Hono<ApiEnv>
  /** Adds an operation that reads or updates. */
  on<O extends OperationName<T, N>>(methods: Methods, path: `/${O}`, call: Call<T, N, O>): void
  /** Adds an operation that creates. */
  post<O extends OperationName<T, N>>(path: `/${O}`, call: Call<T, N, O>): void
  /** Adds an operation that deletes. */
  delete<O extends OperationName<T, N>>(path: `/${O}`, call: Call<T, N, O>): void
  /** Adds `exists`, which responds with true or false. The call finds the first row and selects only its id. */
  exists(methods: typeof READ_METHODS, path: '/exists', call: Call<T, N, 'findFirst'>): void
  /** Adds `check`, which reports whether the caller may read, create, update or delete rows. */
  check(methods: typeof READ_METHODS, path: '/check'): void
}

/** An {@link RpcRouter} without the client's types, which exist only in the emitted code. */
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
