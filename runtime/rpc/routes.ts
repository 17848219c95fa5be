import type { Member, ModelName, TypeMap } from '../orm/client-types.js'
import type { FitsModel, Resource } from '../schema/resource.js'
import type { RpcRouter } from './router.js'

/** One model's RPC routes, as the emitted `rpc.ts` exports them; mounted by the emitted `RPCApiHandler`. */
export interface RpcRoutes<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (app: RpcRouter<T, N>) => void
}

/**
 * Ties a model's RPC routes to its resource.
 * @param resource what the model looks like on the wire
 * @param build puts the routes on a router; called once per handler
 */
export function rpcRoutes<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R & NoInfer<FitsModel<R, Member<T['model'][N], 'payload'>>>,
  build: (app: RpcRouter<T, N>) => void,
): RpcRoutes<R, T, N> {
  return { resource, build }
}

/** The RPC routes of a schema, by model name: what the emitted `index.ts` mounts. */
export type RpcRoutesByModel = Readonly<
  // Any model's router, whose types emitted code alone knows.
  Record<string, { readonly resource: Resource; readonly build: (app: never) => void }>
>
