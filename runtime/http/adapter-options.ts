import type { OnResponse, OnError } from './telemetry.js'
import type { ApiHandler, Log, RequestContext } from './api-handler.js'

/**
 * What every adapter is told (contract 1). `A` is what the framework hands to its handlers: a context, an event, a request. `C` is
 * what the app says of a request. A handler that needs to know it cannot be mounted without `context`.
 */
export type AdapterOptions<O, A extends readonly unknown[], C = unknown> = BaseAdapterOptions<O, A, C> &
  RequireContext<C>

/** {@link AdapterOptions}, where what the handler needs does not count. */
export interface BaseAdapterOptions<O, A extends readonly unknown[], C = unknown> {
  /**
   * What the app says of a request: who asks, of which tenant. Called when something first asks for it, and at most once a request; what
   * it gives is awaited. What it throws becomes an error response, as with `getOrm`. Its type is inferred where it stands before `getOrm`.
   */
  readonly context?: (...framework: A) => C | Promise<C>
  /**
   * Gives the Prisma client for a request; may differ by request, for example by its user. Called once the request was
   * understood, with what `context` gave as its last argument. What it throws becomes an error response.
   */
  readonly getOrm: (...args: [...framework: A, context: C]) => O | Promise<O>
  /**
   * The path below which the handler is mounted, as it stands in URLs: `/api`, or with parameters `/t/:tenant/api`. A mount
   * point that the framework knows comes before it. Default: the root.
   */
  readonly prefix?: string
  /** The style to serve. Default: RPC, with no options. */
  readonly handler?: ApiHandler<O, C>
  /**
   * Writes a line about what went wrong, with what was thrown where that says more than the line. Default: the logger of Fastify or Nest,
   * `console.error` elsewhere.
   */
  readonly log?: Log
  /**
   * Is told of every failure of yours or the database's (5xx), for error reports. Not awaited: nothing that it does delays or changes an
   * answer, and what it throws is logged.
   */
  readonly onError?: OnError
  /** Is told of every answer, refusals included, for metrics and traces; called as `onError` is. Without it nothing is measured. */
  readonly onResponse?: OnResponse
}

/** Whether `context` has to be given. `NoInfer`, so that only the handler and `context` say what `C` is. */
export type RequireContext<C> = unknown extends NoInfer<C> ? unknown : { readonly context: unknown }

/** Adapter options with the handler chosen, as the emitted code passes them on. */
export type WithHandler<O, T, C = unknown> = T & { readonly handler: ApiHandler<O, C> }

/** What an adapter knows of one request. */
export interface AdapterRequest {
  readonly prefix: string
  /** See `RequestContext`. */
  readonly mount: string
  readonly requestId: () => unknown
  readonly variables?: Readonly<Record<string, unknown>>
  /** The framework's own log, for apps that name no other. */
  readonly log?: Log | undefined
  /** What is called in place of the app's own. */
  readonly onResponse?: OnResponse | undefined
}

/**
 * What a handler is told of the app and of a request. Written out: to spread one object into another takes longer than all else that
 * an adapter does.
 * @param framework what the framework handed over with the request
 */
export function createRequestContext<O, A extends readonly unknown[], C>(
  options: ToldOptions & Pick<BaseAdapterOptions<O, A, C>, 'getOrm' | 'context'>,
  received: AdapterRequest,
  ...framework: A
): RequestContext<O, C> {
  const { getOrm, context, onError } = options
  const onResponse = received.onResponse ?? options.onResponse
  return {
    getOrm: (said) => getOrm(...framework, said),
    context: context && (() => context(...framework)),
    prefix: received.prefix,
    mount: received.mount,
    requestId: received.requestId,
    variables: received.variables,
    log: options.log ?? received.log,
    onError,
    onResponse,
    seen: onError || onResponse ? {} : undefined,
  }
}

/** The options that say who is told what. */
type ToldOptions = Pick<BaseAdapterOptions<never, readonly []>, 'log' | 'onError' | 'onResponse'>

/** The id that a request came with, for frameworks that have none of their own. */
export function requestIdFromHeader({ headers }: Pick<Request, 'headers'>): unknown {
  return headers.get('X-Request-Id')
}

/** Joins parts of a mount point: one `/` before each, none at the end. The root is the empty text. */
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

/** Whether a path, which may have a query behind it, is a mount point or lies below it. Neither is decoded. */
export function isPathUnder(path: string, mount: string): boolean {
  if (!path.startsWith(mount)) return false
  const next = path[mount.length]
  return mount === '' || next === undefined || next === '/' || next === '?' || next === '#'
}

/**
 * Finds a mount point in the paths below it.
 * @param pattern as {@link joinPath} gives it; a segment that begins with `:` stands for any
 * @returns tells the mount point as the path has it, or undefined where the path is not below it
 */
export function createMountMatcher(pattern: string): (path: string) => string | undefined {
  if (!pattern.includes('/:')) return (path) => (isPathUnder(path, pattern) ? pattern : undefined)
  const segments = pattern.split('/').map((segment) => (segment.startsWith(':') ? '[^/?#]+' : escapeRegExp(segment)))
  const expression = new RegExp(`^${segments.join('/')}(?=[/?#]|$)`)
  return (path) => expression.exec(path)?.[0]
}

/**
 * Like {@link mountFinder}, for adapters that answer every request: a path that is not below the mount point gets the pattern
 * itself, which it is not below either, so that the handler answers 404.
 * @param prefix as in {@link AdapterOptions}
 */
export function createMountMatcherOrPattern(prefix: string | undefined): (path: string) => string {
  const pattern = joinPath(prefix)
  const mountIn = createMountMatcher(pattern)
  return (path) => mountIn(path) ?? pattern
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The first segments of a path: as many as a route's pattern has, so that parameters in it have the request's values. */
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

/** The path of an absolute URL, still encoded. */
export function urlPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const query = url.indexOf('?', start)
  // A fragment ends the path too, and there may be a "?" in it.
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 || (query >= 0 && query < fragment) ? query : fragment
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** The part of a URL's path below a prefix, or undefined where the path is not below it. */
export function pathAfterPrefix(url: string, prefix = ''): string | undefined {
  const path = urlPath(url)
  const mount = joinPath(prefix)
  return isPathUnder(path, mount) ? path.slice(mount.length) : undefined
}
