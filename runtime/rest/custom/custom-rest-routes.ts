import { type DefineRoutes, type CustomRouter, createCustomRouter } from '../../http/custom-routes.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import type { RestContext } from '../rest-context.js'
import { checkContentType } from '../request/content-negotiation.js'
import { createRestApi } from './create-rest-api.js'

/** Custom REST routes, created by the emitted `defineRestRoutes`. `C` is the type of the context that they require. */
export interface CustomRestRoutes<C = unknown> {
  /** Creates the router that is tried before the emitted routes. */
  readonly rest: (context: RestContext) => CustomRouter
  /** Phantom property: requires the handler's context to match `C`. Never set. */
  readonly needs?: (context: C) => void
}

/**
 * Prepares custom routes for the option `routes`.
 * Called by the emitted `defineRestRoutes`.
 * @param routes adds the routes to the app that it receives together with the REST API
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
