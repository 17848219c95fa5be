import {
  createRequestContext,
  type BaseAdapterOptions,
  joinPath,
  createMountMatcherOrPattern,
  urlPath,
  requestIdFromHeader,
  type WithHandler,
} from '../http/adapter-options.js'

/**
 * Options of the emitted `createFetchHandler`. `A` is what the runtime hands over beside the request, as Workers' `env`:
 * `getOrm: (request: Request, env: Env) => …`, with the types written out.
 */
export type FetchHandlerOptions<O, A extends readonly unknown[] = []> = Omit<
  BaseAdapterOptions<O, FetchArguments<A>>,
  'context' | 'getOrm'
> & {
  readonly context?: undefined
  /** As in {@link AppOptions}, without a context. */
  readonly getOrm: (...args: FetchArguments<A>) => O | Promise<O>
}

/** The same with `context`, which stands before `getOrm` and has the types: `context: (request: Request, env: Env) => …`. */
export interface FetchContextOptions<O, A extends readonly unknown[] = [], C = unknown> extends BaseAdapterOptions<
  O,
  FetchArguments<A>,
  C
> {
  readonly context: (...args: FetchArguments<A>) => C | Promise<C>
}

type FetchArguments<A extends readonly unknown[]> = [request: Request, ...rest: A]

/** Answers a web request. */
export type FetchHandler<A extends readonly unknown[] = []> = (request: Request, ...rest: A) => Promise<Response>

/**
 * A function from a web request to a web response: for Workers, Deno, Bun, edge functions, and every framework that speaks
 * them.
 * @param options see {@link AppOptions}
 */
export function fetchHandler<O, A extends readonly unknown[], C>(
  options: WithHandler<O, FetchHandlerOptions<O, A>> | WithHandler<O, FetchContextOptions<O, A, C>, C>,
): FetchHandler<A> {
  const mountIn = createMountMatcherOrPattern(options.prefix)
  const mount = joinPath(options.prefix)
  const { log, onError, onResponse } = options
  return (request, ...rest) => {
    const prefix = mountIn(urlPath(request.url))
    const requestId = () => requestIdFromHeader(request)
    if (!options.context) {
      const getOrm = () => options.getOrm(request, ...rest)
      return options.handler.fetch(request, { getOrm, log, onError, onResponse, prefix, mount, requestId })
    }
    return options.handler.fetch(request, createRequestContext(options, { prefix, mount, requestId }, request, ...rest))
  }
}
