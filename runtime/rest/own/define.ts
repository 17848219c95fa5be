import { type AddRoutes, type OwnRouter, ownRouter } from '../../http/own-routes.js'
import { erase } from '../../http/perform.js'
import type { RestContext } from '../context.js'
import { checkContentType } from '../request/negotiation.js'
import { restApi } from './make-api.js'

/** Routes of an app's own, as the emitted `defineRestRoutes` makes them ready. `C` is what they need to know of a request. */
export interface OwnRestRoutes<C = unknown> {
  /** Makes what tries them before the emitted ones. */
  readonly rest: (context: RestContext) => OwnRouter
  /** Never there. It has the compiler hold `C` to what the handler is told. */
  readonly needs?: (context: C) => void
}

/**
 * Makes routes of an app's own ready for the option `routes`.
 * @param routes puts them on the app, with the means of the emitted ones
 */
export function ownRestRoutes<A, C>(routes: AddRoutes<A>): OwnRestRoutes<C> {
  return {
    rest: (context) => {
      const { bodyBytes } = context.settings.limits
      return ownRouter({ build: (app) => routes(app, erase(restApi(context))), bodyBytes, checkContentType })
    },
  }
}
