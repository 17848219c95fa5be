import type { Member, ModelName, TypeMap } from '../orm/client-types.js'
import type { FitsModel, Resource } from '../schema/resource.js'
import type { RpcRouter } from './rpc-router-types.js'

/** The RPC routes of one model. The emitted `rpc.ts` exports them, and the emitted `RPCApiHandler` mounts them. */
export interface RpcRoutes<R extends Resource, T extends TypeMap, N extends ModelName<T>> {
  readonly resource: R
  readonly build: (app: RpcRouter<T, N>) => void
}

/**
 * Defines the RPC routes of a model.
 * Called by the emitted `rpc.ts`.
 * @param resource the exposed fields and relations of the model
 * @param build adds the routes to a router; called once per handler
 */
export function rpcRoutes<const R extends Resource, T extends TypeMap, N extends ModelName<T>>(
  resource: R & NoInfer<FitsModel<R, Member<T['model'][N], 'payload'>>>,
  build: (app: RpcRouter<T, N>) => void,
): RpcRoutes<R, T, N> {
  return { resource, build }
}

/** The RPC routes of a schema by model name, which the emitted `index.ts` mounts. */
export type RpcRoutesByModel = Readonly<
  // Accepts the router of any model. Its types exist only in the emitted code.
  Record<string, { readonly resource: Resource; readonly build: (app: never) => void }>
>
