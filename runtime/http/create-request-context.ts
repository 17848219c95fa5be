import type { Log, RequestContext, ApiHandler } from './handler-types.js'
import type { OnResponse, OnError } from './telemetry.js'

/**
 * Options of every adapter (contract 1). `A` is the tuple of arguments that the framework passes to its handlers: a context, an event or a
 * request. `C` is the type of the app's `context`. A handler that needs a context cannot be mounted without `context`.
 */
export type AdapterOptions<O, A extends readonly unknown[], C = unknown> = BaseAdapterOptions<O, A, C> &
  RequireContext<C>

/** {@link AdapterOptions} without the check that `context` is set if the handler needs it. */
export interface BaseAdapterOptions<O, A extends readonly unknown[], C = unknown> {
  /**
   * Returns the app's own context for a request, for example the user and the tenant. Called lazily and at most once per request; the
   * result is awaited. Errors thrown by it become error responses, as with `getOrm`. Put it before `getOrm`, so that TypeScript infers its
   * type.
   */
  readonly context?: (...framework: A) => C | Promise<C>
  /**
   * Returns the Prisma client for a request. It may differ between requests, for example by user. Called after the request has been parsed,
   * with the result of `context` as its last argument. Errors thrown by it become error responses.
   */
  readonly getOrm: (...args: [...framework: A, context: C]) => O | Promise<O>
  /**
   * The path under which the handler is mounted, as it appears in URLs: `/api`, or with parameters `/t/:tenant/api`. The framework's own
   * mount point, if it has one, is prepended. Default: the root.
   */
  readonly prefix?: string
  /** The REST or RPC handler to serve. Default: RPC with default options. */
  readonly handler?: ApiHandler<O, C>
  /**
   * Writes a log line about an error, with the error itself if it adds information. Default: the logger of Fastify or Nest, otherwise
   * `console.error`.
   */
  readonly log?: Log
  /**
   * Called for every server error (5xx), for example to report it. It is not awaited and does not delay or change the response. Errors
   * thrown by it are logged.
   */
  readonly onError?: OnError
  /**
   * Called for every response, including errors, for metrics and traces. It is not awaited, and errors thrown by it are logged. Requests
   * are measured only if it is set.
   */
  readonly onResponse?: OnResponse
}

/** Makes `context` required if the handler needs a context. `NoInfer` ensures that `C` is inferred only from the handler and `context`. */
export type RequireContext<C> = unknown extends NoInfer<C> ? unknown : { readonly context: unknown }

/** Adapter options with a required handler, as the emitted code passes them. */
export type WithHandler<O, T, C = unknown> = T & { readonly handler: ApiHandler<O, C> }

/** The request data that an adapter passes to {@link createRequestContext}. */
export interface AdapterRequest {
  readonly prefix: string
  /** See {@link RequestContext.mount}. */
  readonly mount: string
  readonly requestId: () => unknown
  readonly variables?: Readonly<Record<string, unknown>>
  /** The framework's logger, used if the app sets no `log`. */
  readonly log?: Log | undefined
  /** Replaces the app's `onResponse`. */
  readonly onResponse?: OnResponse | undefined
}

/**
 * Creates the context that a handler receives with a request. The properties are listed explicitly, because spreading an object takes
 * longer than the rest of an adapter's work.
 * @param framework the arguments that the framework passed with the request
 */
export function createRequestContext<O, A extends readonly unknown[], C>(
  options: ObserverOptions & Pick<BaseAdapterOptions<O, A, C>, 'getOrm' | 'context'>,
  received: AdapterRequest,
  ...framework: A
): RequestContext<O, C> {
  const { getOrm, context, onError } = options
  const onResponse = received.onResponse ?? options.onResponse
  return {
    getOrm: (appContext) => getOrm(...framework, appContext),
    context: context && (() => context(...framework)),
    prefix: received.prefix,
    mount: received.mount,
    requestId: received.requestId,
    variables: received.variables,
    log: options.log ?? received.log,
    onError,
    onResponse,
    outcome: onError || onResponse ? {} : undefined,
  }
}

/** The options for logging and telemetry. */
type ObserverOptions = Pick<BaseAdapterOptions<never, readonly []>, 'log' | 'onError' | 'onResponse'>

/** Returns the value of the header `X-Request-Id`, for frameworks that do not create request ids. */
export function requestIdFromHeader({ headers }: Pick<Request, 'headers'>): unknown {
  return headers.get('X-Request-Id')
}
