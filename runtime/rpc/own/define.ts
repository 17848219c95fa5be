import { type AddRoutes, type OwnRouter, ownRouter } from '../../http/own-routes.js'
import { erase } from '../../http/perform.js'
import { requireJson } from '../request.js'
import { type OwnContext, rpcApi } from './make-api.js'

/** Routes of an app's own, as the emitted `defineRpcRoutes` makes them ready. `C` is what they need to know of a request. */
export interface OwnRpcRoutes<C = unknown> {
  /** Makes what tries them before the emitted ones. */
  readonly rpc: (context: OwnContext) => OwnRouter
  /** Never there. It has the compiler hold `C` to what the handler is told. */
  readonly needs?: (context: C) => void
}

/**
 * Makes routes of an app's own ready for the option `routes`.
 * @param routes puts them on the app, with the means of the emitted ones
 */
export function ownRpcRoutes<A, C>(routes: AddRoutes<A>): OwnRpcRoutes<C> {
  return {
    rpc: (context) => {
      const { bodyBytes } = context.limits
      return ownRouter({
        build: (app) => routes(app, erase(rpcApi(context))),
        bodyBytes,
        checkContentType: requireJson,
      })
    },
  }
}
