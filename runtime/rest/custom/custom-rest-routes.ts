import { type DefineRoutes, type CustomRouter, createCustomRouter } from '../../http/custom-routes.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import type { RestContext } from '../rest-context.js'
import { checkContentType } from '../request/content-negotiation.js'
import { createRestApi } from './create-rest-api.js'

/** An app's custom routes, as created by the emitted `defineRestRoutes`. `C` is the type of the app's context that they need. */
export interface CustomRestRoutes<C = unknown> {
  /** Creates the router that handles requests before the emitted routes. */
  readonly rest: (context: RestContext) => CustomRouter
  /** Phantom property: makes `C` contravariant, so that the handler must supply the context. Never set. */
  readonly needs?: (context: C) => void
}

/**
 * Prepares custom routes for the option `routes`.
 * Called by the emitted `defineRestRoutes`.
 * @param routes registers the routes on the app; receives the API of {@link createRestApi}
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
