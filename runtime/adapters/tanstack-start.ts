import {
  type AdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { joinPath, createMountMatcherOrPattern, urlPath } from '../http/routing/mount-path.js'

/** The argument that TanStack Start passes to a handler of a server route. */
export interface TanStackStartContext {
  readonly request: Request
  /** The parameters of the route's path. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** The route's path. */
  readonly pathname: string
  /** The context added by the route's middleware. */
  readonly context: unknown
}

/** Options of the emitted `createTanStackStartHandler`. */
export type TanStackStartHandlerOptions<
  O,
  R extends TanStackStartContext = TanStackStartContext,
  C = unknown,
> = AdapterOptions<O, [route: R], C>

/** The methods of a server route. */
export type TanStackStartMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** The `handlers` of a server route. */
export type TanStackStartHandlers<R extends TanStackStartContext = TanStackStartContext> = Readonly<
  Record<TanStackStartMethod, (route: R) => Promise<Response>>
>

/**
 * Creates the handlers of a server route, for `createFileRoute('/api/$')({ server: { handlers } })`. `prefix` is the route's path before
 * the `$`.
 * Called by the emitted `createTanStackStartHandler`.
 * @param options see {@link AdapterOptions}
 */
export function tanStackStartHandlers<O, R extends TanStackStartContext, C>(
  options: WithHandler<O, TanStackStartHandlerOptions<O, R, C>, C>,
): TanStackStartHandlers<R> {
  const { handler } = options
  const mountIn = createMountMatcherOrPattern(options.prefix)
  const mount = joinPath(options.prefix)
  const serve = (route: R) => {
    const prefix = mountIn(urlPath(route.request.url))
    const requestId = () => requestIdFromHeader(route.request)
    return handler.fetch(route.request, createRequestContext(options, { prefix, mount, requestId }, route))
  }
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve }
}
