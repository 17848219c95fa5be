import { type DefineRoutes, type CustomRouter, createCustomRouter } from '../../http/custom-routes.js'
import { unsafeCast } from '../../http/execute-route.js'
import type { RestContext } from '../context.js'
import { checkContentType } from '../request/negotiation.js'
import { createRestApi } from './create-api.js'

/** Routes of an app's own, as the emitted `defineRestRoutes` makes them ready. `C` is what they need to know of a request. */
export interface CustomRestRoutes<C = unknown> {
  /** Makes what tries them before the emitted ones. */
  readonly rest: (context: RestContext) => CustomRouter
  /** Never there. It has the compiler hold `C` to what the handler is told. */
  readonly needs?: (context: C) => void
}

/**
 * Makes routes of an app's own ready for the option `routes`.
 * @param routes puts them on the app, with the means of the emitted ones
 */
export function customRestRoutes<A, C>(routes: DefineRoutes<A>): CustomRestRoutes<C> {
  return {
    rest: (context) => {
      const { bodyBytes } = context.settings.limits
      return createCustomRouter({
        build: (app) => routes(app, unsafeCast(createRestApi(context))),
        bodyBytes,
        checkContentType,
      })
    },
  }
}
