import type { Limits } from '../limits.js'
import type { Mount } from './asked-once.js'
import type { RenderFailure } from './dispatch.js'
import type { Spot } from './facts.js'
import type { RequestContext } from './handler.js'
import type { Style } from './hooks.js'
import type { Tried } from './own-routes.js'
import type { Alive } from './traffic/life.js'

/** Answers a request with the routes of a style. Never rejects. */
export type StyleAnswer<O, C> = (
  request: Request,
  context: RequestContext<O, C>,
  path: string,
  alive: Alive,
  tried?: Tried,
) => Promise<Response>

/** What a handler tells of itself to what stands around its routes. */
export interface RepeatedHandler {
  readonly style: Style
  readonly limits: Limits
  /** The database. */
  readonly dialect: { readonly provider: string }
  /** The models that are on the wire, by the names of their delegates. */
  readonly resources: readonly { readonly delegate: string }[]
}

/** What is done around the routes of a style. */
export interface StyleApp<O, C> {
  readonly mount: Mount<O, C> | undefined
  readonly fail: RenderFailure
  /** The route that answers a request, and what it does. */
  readonly spotAt: (method: string, path: string) => Spot | undefined
}

/** Stands around the routes of a style. */
export type Repeats<O, C> = (answer: StyleAnswer<O, C>, app: StyleApp<O, C>) => StyleAnswer<O, C>

/** What is to be known of keys, to describe them. */
export interface KeyFacts {
  /** Whether requests that may do their work twice must have one. */
  readonly required: boolean
}

/**
 * Lets requests that write be sent again: what `idempotency` of `@routewright/runtime/idempotency` gives, for the handlers' option of the
 * same name. A handler is handed it, and does not import it.
 */
export interface Idempotency<C = unknown> extends KeyFacts {
  readonly around: <O>(handler: RepeatedHandler) => Repeats<O, C>
}
