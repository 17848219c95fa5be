import {
  type BaseAdapterOptions,
  type WithHandler,
  createRequestContext,
  requestIdFromHeader,
} from '../http/create-request-context.js'
import { joinPath, createMountMatcherOrPattern, urlPath } from '../http/routing/mount-path.js'

/**
 * Options of the emitted `createFetchHandler`. `A` is the tuple of additional arguments that the platform passes, for example `env` in
 * Workers: `getOrm: (request: Request, env: Env) => …`, with explicit types.
 */
export type FetchHandlerOptions<O, A extends readonly unknown[] = []> = Omit<
  BaseAdapterOptions<O, FetchArguments<A>>,
  'context' | 'getOrm'
> & {
  readonly context?: undefined
  /** See {@link BaseAdapterOptions.getOrm}. Receives no context. */
  readonly getOrm: (...args: FetchArguments<A>) => O | Promise<O>
}

/**
 * {@link FetchHandlerOptions} with `context`. Write `context` before `getOrm`, with explicit parameter types: `context: (request: Request,
 * env: Env) => …`.
 */
export interface FetchContextOptions<O, A extends readonly unknown[] = [], C = unknown> extends BaseAdapterOptions<
  O,
  FetchArguments<A>,
  C
> {
  readonly context: (...args: FetchArguments<A>) => C | Promise<C>
}

type FetchArguments<A extends readonly unknown[]> = [request: Request, ...rest: A]

/** Handles a web request. */
export type FetchHandler<A extends readonly unknown[] = []> = (request: Request, ...rest: A) => Promise<Response>

/**
 * Creates a function that takes a web request and returns a web response, for Workers, Deno, Bun, edge functions and every framework that
 * uses web requests.
 * Called by the emitted `createFetchHandler`.
 * @param options see {@link BaseAdapterOptions}
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
