import { type AdapterOptions, mountOrPattern, pathOf, type WithHandler } from '../http/mount.js'

/**
 * Options of the emitted `createFetchHandler`. `A` is what the runtime hands over beside the request, as Workers' `env`:
 * `getOrm: (request: Request, env: Env) => …`, with the types written out.
 */
export type FetchHandlerOptions<O, A extends readonly unknown[] = []> = AdapterOptions<
  O,
  [request: Request, ...rest: A]
>

/** Answers a web request. */
export type FetchHandler<A extends readonly unknown[] = []> = (request: Request, ...rest: A) => Promise<Response>

/**
 * A function from a web request to a web response: for Workers, Deno, Bun, edge functions, and every framework that speaks
 * them.
 * @param options see {@link AdapterOptions}
 */
export function fetchHandler<O, A extends readonly unknown[]>(
  options: WithHandler<O, FetchHandlerOptions<O, A>>,
): FetchHandler<A> {
  const { handler, getOrm } = options
  const mountIn = mountOrPattern(options.prefix)
  return (request, ...rest) => {
    const prefix = mountIn(pathOf(request.url))
    return handler.fetch(request, { getOrm: () => getOrm(request, ...rest), prefix })
  }
}
