import { type DefineRoutes, type CustomRouter, createCustomRouter } from '../../http/custom-routes.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { assertJsonContentType } from '../parse-arguments.js'
import { type CustomRouteContext, createRpcApi } from './create-rpc-api.js'

/** Custom RPC routes, created by the emitted `defineRpcRoutes`. `C` is the type of the context that they require. */
export interface CustomRpcRoutes<C = unknown> {
  /** Creates the router that is tried before the emitted routes. */
  readonly rpc: (context: CustomRouteContext) => CustomRouter
  /** Phantom property: requires the handler's context to match `C`. Never set. */
  readonly needs?: (context: C) => void
}

/**
 * Prepares custom routes for the option `routes`.
 * Called by the emitted `defineRpcRoutes`.
 * @param routes adds the routes to the app that it receives together with the RPC API
 */
export function customRpcRoutes<A, C>(routes: DefineRoutes<A>): CustomRpcRoutes<C> {
  return {
    rpc: (context) => {
      const { bodyBytes } = context.limits
      return createCustomRouter({
        build: (app) => routes(app, unsafeCast(createRpcApi(context))),
        bodyBytes,
        checkContentType: assertJsonContentType,
      })
    },
  }
}
