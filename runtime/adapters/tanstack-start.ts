import { type AdapterOptions, mountOrPattern, pathOf, type WithHandler } from '../http/mount.js'

/** What TanStack Start hands to a handler of a server route. */
export interface TanStackStartContext {
  readonly request: Request
  /** The parameters of the route's path. */
  readonly params: Readonly<Record<string, string | undefined>>
  /** The route's path. */
  readonly pathname: string
  /** What the route's middleware has put there. */
  readonly context: unknown
}

/** Options of the emitted `createTanStackStartHandler`. */
export type TanStackStartHandlerOptions<O, C extends TanStackStartContext = TanStackStartContext> = AdapterOptions<
  O,
  [context: C]
>

/** The methods of a server route. */
export type TanStackStartMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** The `handlers` of a server route. */
export type TanStackStartHandlers<C extends TanStackStartContext = TanStackStartContext> = Readonly<
  Record<TanStackStartMethod, (context: C) => Promise<Response>>
>

/**
 * The handlers of a server route, for `createFileRoute('/api/$')({ server: { handlers } })`. `prefix` is the route's path
 * before the `$`.
 * @param options see {@link AdapterOptions}
 */
export function tanStackStartHandlers<O, C extends TanStackStartContext>(
  options: WithHandler<O, TanStackStartHandlerOptions<O, C>>,
): TanStackStartHandlers<C> {
  const { handler, getOrm } = options
  const mountIn = mountOrPattern(options.prefix)
  const serve = (context: C) => {
    const prefix = mountIn(pathOf(context.request.url))
    return handler.fetch(context.request, { getOrm: () => getOrm(context), prefix })
  }
  return { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve }
}
