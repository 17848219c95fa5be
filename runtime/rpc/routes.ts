import type { Context, Hono } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import type { ModelName, TypeMap } from '../orm/client-types.js'
import type { Resource } from '../schema/resource.js'
import type { RpcApi } from './api.js'

/** One model's RPC routes, as the emitted `rpc.ts` exports them; mounted by the emitted `RPCApiHandler`. */
export interface RpcRoutes<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (api: RpcApi<T, N>) => Hono<ApiEnv>
}

/**
 * Ties a model's RPC routes to its resource.
 * @param resource what the model looks like on the wire
 * @param build makes the router; called once per handler, with the runtime's side of the work bound to the resource
 */
export function rpcRoutes<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R,
  build: (api: RpcApi<T, N>) => Hono<ApiEnv>,
): RpcRoutes<R, T, N> {
  return { resource, build }
}

/** Any model's {@link RpcApi}. A client and arguments of type `never` are those of every model. */
export interface ErasedRpcApi {
  call(
    c: Context<ApiEnv>,
    operation: string,
  ): Promise<{ readonly orm: never; readonly args: never; reply(result: unknown): Promise<Response> }>
  retry<R>(orm: unknown, upsert: () => PromiseLike<R>): Promise<R>
  check(c: Context<ApiEnv>): Promise<Response>
}

/** The RPC routes of a schema, by model name: what the emitted `index.ts` mounts. */
export type RpcRoutesByModel = Readonly<
  Record<string, { readonly resource: Resource; readonly build: (api: ErasedRpcApi) => Hono<ApiEnv> }>
>
