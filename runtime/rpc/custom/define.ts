import { type DefineRoutes, type CustomRouter, createCustomRouter } from '../../http/custom-routes.js'
import { unsafeCast } from '../../http/execute-route.js'
import { assertJsonContentType } from '../request.js'
import { type CustomRouteContext, createRpcApi } from './create-api.js'

/** Routes of an app's own, as the emitted `defineRpcRoutes` makes them ready. `C` is what they need to know of a request. */
export interface CustomRpcRoutes<C = unknown> {
  /** Makes what tries them before the emitted ones. */
  readonly rpc: (context: CustomRouteContext) => CustomRouter
  /** Never there. It has the compiler hold `C` to what the handler is told. */
  readonly needs?: (context: C) => void
}

/**
 * Makes routes of an app's own ready for the option `routes`.
 * @param routes puts them on the app, with the means of the emitted ones
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
