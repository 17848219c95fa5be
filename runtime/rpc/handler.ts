import type { ApiHandler } from '../handler.js'
import type { RpcOptions } from './options.js'
import type { RpcRoutesByModel } from './routes.js'

/** Mounts RPC routes under `/<model>/<operation>`. */
export function rpcHandler<O>(routes: RpcRoutesByModel, options: RpcOptions): ApiHandler<O> {
  throw new Error('')
}
