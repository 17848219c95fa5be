import type { OnResponse, OnError } from './telemetry.js'
import type { ApiHandler, Log, RequestContext } from './handler-types.js'

/**
 * Options of every adapter (contract 1). `A` is the tuple of arguments that the framework passes to its handlers: a context, an event or a
 * request. `C` is the type of the app's `context`. A handler that needs a context cannot be mounted without `context`.
 */
export type AdapterOptions<O, A extends readonly unknown[], C = unknown> = BaseAdapterOptions<O, A, C> &
  RequireContext<C>

/** {@link AdapterOptions} without the check that `context` is set if the handler needs it. */
export interface BaseAdapterOptions<O, A extends readonly unknown[], C = unknown> {
  /**
   * Returns the app's own context of a request, for example the user and the tenant. Called lazily and at most once per request; the result
   * is awaited. Errors thrown by it become error responses, as with `getOrm`. Put it before `getOrm`, so that TypeScript infers its type.
   */
  readonly context?: (...framework: A) => C | Promise<C>
  /**
   * Returns the Prisma client for a request. It may differ between requests, for example by user. Called after the request was parsed, with
   * the result of `context` as its last argument. Errors thrown by it become error responses.
   */
  readonly getOrm: (...args: [...framework: A, context: C]) => O | Promise<O>
  /**
   * The path under which the handler is mounted, as it appears in URLs: `/api`, or with parameters `/t/:tenant/api`. The framework's own
   * mount point, if it has one, is prepended. Default: the root.
   */
  readonly prefix?: string
  /** The API style to serve. Default: RPC with default options. */
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
   * Called for every response, including errors, for metrics and traces. Called in the same way as `onError`. Nothing is measured without
   * it.
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

/** Joins the parts of a mount point with one leading `/` each and no trailing slash. The root is the empty string. */
export function joinPath(...parts: readonly (string | undefined)[]): string {
  let joined = ''
  for (const part of parts) {
    if (part === undefined) continue
    let start = 0
    let end = part.length
    while (part[start] === '/') start++
    while (end > start && part[end - 1] === '/') end--
    if (end > start) joined += `/${part.slice(start, end)}`
  }
  return joined
}

/** Whether a path, optionally with a query, equals a mount point or is below it. Neither is decoded. */
export function isPathUnder(path: string, mount: string): boolean {
  if (!path.startsWith(mount)) return false
  const next = path[mount.length]
  return mount === '' || next === undefined || next === '/' || next === '?' || next === '#'
}

/**
 * Creates a function that extracts the mount point from a path.
 * @param pattern in the format of {@link joinPath}; a segment that starts with `:` matches any segment
 * @returns a function that returns the mount point as it appears in the path, or undefined if the path is not below it
 */
export function createMountMatcher(pattern: string): (path: string) => string | undefined {
  if (!pattern.includes('/:')) return (path) => (isPathUnder(path, pattern) ? pattern : undefined)
  const segments = pattern.split('/').map((segment) => (segment.startsWith(':') ? '[^/?#]+' : escapeRegExp(segment)))
  const expression = new RegExp(`^${segments.join('/')}(?=[/?#]|$)`)
  return (path) => expression.exec(path)?.[0]
}

/**
 * Like {@link createMountMatcher}, for adapters that handle every request. For a path that is not below the mount point, the matcher
 * returns the pattern itself. The path is not below the pattern either, so the handler responds with 404.
 * @param prefix see {@link AdapterOptions}
 */
export function createMountMatcherOrPattern(prefix: string | undefined): (path: string) => string {
  const pattern = joinPath(prefix)
  const mountIn = createMountMatcher(pattern)
  return (path) => mountIn(path) ?? pattern
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/**
 * Returns the leading segments of a path, as many as the route pattern has. Parameters of the pattern thus have the values of the request.
 */
export function mountPath(path: string, pattern: string): string {
  let end = 0
  for (let at = 0; at < pattern.length; at++) {
    const isStart = pattern[at] !== '/' && (at === 0 || pattern[at - 1] === '/')
    if (!isStart) continue
    end = path.indexOf('/', end + 1)
    if (end < 0) return path
  }
  return path.slice(0, end)
}

/** Returns the path of an absolute URL, still encoded. */
export function urlPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const query = url.indexOf('?', start)
  // A fragment also ends the path and may contain a "?".
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 || (query >= 0 && query < fragment) ? query : fragment
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** Returns the part of a URL's path below a prefix, or undefined if the path is not below it. */
export function pathAfterPrefix(url: string, prefix = ''): string | undefined {
  const path = urlPath(url)
  const mount = joinPath(prefix)
  return isPathUnder(path, mount) ? path.slice(mount.length) : undefined
}
