import { Hono } from 'hono'

import { type RequestAccessors, createRequestAccessors, type WrapClient } from './request-accessors.js'
import { CACHE_CONTROL } from './cache-control.js'
import { decodeSegment } from './decode.js'
import { resolveError } from './resolve-error.js'
import { didYouMean } from '../errors/did-you-mean.js'
import { RequestError } from '../errors/request-error.js'
import { unknownPathError } from '../errors/unknown-path.js'
import type { RouteMatch } from './telemetry.js'
import type { ApiEnv, RequestContext, LogContext } from './api-handler.js'
import { methodsForPath, listMethods, methodNotAllowed, findRoute } from './allowed-methods.js'
import { pathAfterPrefix } from './adapter-options.js'
import type { MatchRoute } from './with-telemetry.js'
import type { CustomRouter, CustomRouteResult } from './custom-routes.js'
import { serveStaticEndpoint, type StaticEndpoints } from './static-endpoint.js'
import type { IdempotencyMiddleware } from './idempotency-middleware.js'
import { servePostEndpoint, type PostEndpoint, type PostEndpointEnv } from './post-endpoint.js'
import type { AssertActive } from './lifecycle/deadline.js'
import type { FetchResponse } from './lifecycle/timeout.js'
import { forwardVariables } from './forward-variables.js'

/**
 * How a style answers a failure. Never throws.
 * @param told who is told of it
 * @param name what the request's path begins with, which names a model
 */
export type RenderError = (error: unknown, told: LogContext, name?: string) => Response

/** What a style knows of its paths beside their routes. */
export interface PathPolicy {
  /** What could stand in place of the last segment of a path at which nothing is served. */
  alternatives(router: Hono<ApiEnv>, path: string): readonly string[]
  /** Whether a route answers every request with 403, so that `Allow` must not name its method. */
  isRefused?(router: Hono<ApiEnv>, method: string, path: string): boolean
  /** What a route does, by the style's own names. */
  operationAt(method: string, route: string): string
  /** What answers a method that has no route, where that is not 405. */
  refusal?(router: Hono<ApiEnv>, method: string, path: string): RequestError | undefined
}

/** The routers of a style. */
export interface Routers {
  /** Path name → the model's router. A model has one path name, and only there it is served. */
  readonly served: ReadonlyMap<string, Hono<ApiEnv>>
  /** Another spelling → the path name that it is redirected to. */
  readonly spellings: ReadonlyMap<string, string>
  /** Path name → the model's name in the schema. */
  readonly models: ReadonlyMap<string, string>
}

/** What {@link dispatch} gives. */
export interface Dispatcher<O, C> {
  readonly answer: FetchResponse<O, C>
  /** Where a request was answered. */
  readonly spotOf: MatchRoute
}

/** Tells whether paths that begin with a segment are those of a model, or of what else is served beside them. */
export function isReservedPath(
  { served, spellings }: Pick<Routers, 'served' | 'spellings'>,
  beside: Iterable<string> = [],
): (segment: string) => boolean {
  const others = new Set(Array.from(beside, (path) => path.split('/', 2)[1]))
  return (segment) => served.has(segment) || spellings.has(segment) || others.has(segment)
}

/** What an app does around what is served. */
export interface DispatchOptions<O, C> {
  /** Puts hooks around the client of a request. */
  readonly mount?: WrapClient<O, C> | undefined
  /** Routes of its own, which are tried first. */
  readonly own?: CustomRouter | undefined
  /** What is served beside the models, by its path below the prefix. */
  readonly pages?: StaticEndpoints | undefined
  /** What takes several changes at once, where that is asked for. */
  readonly service?: PostEndpoint | undefined
  /** Stands around all of these but its own routes. */
  readonly repeats?: IdempotencyMiddleware<O, C> | undefined
}

/**
 * Makes of the routers of many models what answers requests: finds the model by the first path segment, lets its router answer the
 * rest of the path, and renders every failure in the style's format: 404, 405 with `Allow`, and whatever a route threw. Another
 * spelling of a path name is answered with 308, so that whoever guards paths in front of the handler sees what is served.
 * @param routers the models' routers
 * @param renderFailure the style's error format
 * @param rules what the style knows of its paths
 * @param app what the app does around it
 */
export function createDispatcher<O, C = unknown>(
  { served, spellings, models }: Routers,
  renderFailure: RenderError,
  rules: PathPolicy,
  { mount, own, pages, service, repeats }: DispatchOptions<O, C> = {},
): Dispatcher<O, C> {
  const appsOf = (takesVariables: boolean) =>
    new Map([...served].map(([name, router]) => [name, modelApp(name, router, renderFailure, rules, takesVariables)]))
  const apps = appsOf(false)
  // Made by the first request whose app has set something: a route without middleware is what Hono runs fastest.
  let appsWithVariables: typeof apps | undefined
  const answerOnce = async (
    request: Request,
    context: RequestContext<O, C>,
    path: string,
    alive: AssertActive,
    tried?: CustomRouteResult,
  ): Promise<Response> => {
    const end = path.indexOf('/', 1)
    const name = end < 0 ? path.slice(1) : path.slice(1, end)
    const below = end < 0 ? '' : path.slice(end)
    const given = tried?.variables ?? context.variables
    const variables = isAny(given) ? given : undefined
    const app = variables ? (appsWithVariables ??= appsOf(true)).get(name) : apps.get(name)
    if (!app) {
      const page = pages?.get(path === '/' ? '' : path)
      if (page) return serveStaticEndpoint(page, request, (error) => renderFailure(error, context))
      if (service && decodedPath(path) === service.path) {
        if (path !== service.path) return redirect(service.path.slice(1), below, request.url)
        const asked = tried?.asked ?? createRequestAccessors(context, alive, mount)
        return servePostEndpoint(service, request, envOf(context, asked, variables), (error) =>
          renderFailure(error, context),
        )
      }
      const model = decodeSegment(name) ?? name
      const meant = apps.has(model) ? model : spellings.get(model)
      if (meant !== undefined) return redirect(meant + below, below, request.url)
      const methods = tried?.methods() ?? []
      if (methods.length > 0) return methodNotAllowed(request.method, methods, (error) => renderFailure(error, context))
      const detail = model
        ? `There is no model "${model}" here.${didYouMean(model, served.keys())}`
        : 'The path names no model.'
      return renderFailure(new RequestError({ code: 'unsupported-model', detail }), context)
    }
    // `/post` is the collection; `/post/` is nothing.
    const { getOrm, getContext } = tried?.asked ?? createRequestAccessors(context, alive, mount)
    const env: ApiEnv['Bindings'] = {
      getOrm,
      getContext,
      alive,
      log: context.log,
      requestId: context.requestId,
      seen: context.seen,
      variables,
      alsoAllowed: tried?.methods,
      path: below === '' ? '/' : below === '/' ? '//' : below,
      explain: undefined,
      about: undefined,
    }
    try {
      return await app.fetch(request, env)
    } catch (error) {
      // Hono hands on what is no Error.
      return renderFailure(error, context, env.about ?? name)
    }
  }
  const spotAt = (method: string, path: string): RouteMatch | undefined => {
    if (path === service?.path) return { route: path, operation: service.operation }
    const [, name = ''] = path.split('/', 2)
    const route = findRoute(served.get(name), method, path.slice(name.length + 1) || '/')
    if (!route) return undefined
    const pattern = `/${name}${route.path === '/' ? '' : route.path}`
    return { route: pattern, model: models.get(name), operation: rules.operationAt(route.method, route.path) }
  }
  const ours = repeats?.(answerOnce, { mount, fail: renderFailure, spotAt }) ?? answerOnce
  const first = own?.(renderFailure, mount)
  return {
    answer(request, context, alive) {
      const path = pathAfterPrefix(request.url, context.prefix) ?? OUTSIDE
      if (!first) return ours(request, context, path, alive)
      return first.answer(request, context, path, alive, (passed, tried) => {
        if (context.seen) context.seen.isPassedOn = true
        return ours(passed, context, path, alive, tried)
      })
    },
    spotOf(method, path, isPassedOn) {
      return first && !isPassedOn ? first.spotOf(method, path) : spotAt(method, path)
    },
  }
}

/** A path as it is meant: `encodeURIComponent` writes `$` otherwise. */
function decodedPath(path: string): string {
  return path.includes('%') ? path.split('/').map(decodeSegment).join('/') : path
}

/** What a service is told of a request. */
function envOf<O, C>(
  { log, requestId, seen }: RequestContext<O, C>,
  { getOrm, getContext, alive }: RequestAccessors,
  variables: RequestContext<O, C>['variables'],
): PostEndpointEnv {
  return { getOrm, getContext, alive, log, requestId, seen, variables, explain: undefined, about: undefined }
}

/**
 * Leads to the path that is served. Relative to the URL that was asked for, whose first part may be another one before a proxy
 * than it is here; with its query, and for every method with its body.
 * @param below what follows the first segment of the path that was asked for
 */
function redirect(path: string, below: string, url: string): Response {
  const [withoutFragment = ''] = url.split('#', 1)
  const query = withoutFragment.indexOf('?')
  const location = '../'.repeat(below.split('/').length - 1) + path
  return new Response(null, {
    status: 308,
    headers: { Location: query < 0 ? location : location + withoutFragment.slice(query), ...CACHE_CONTROL },
  })
}

/** Stands for every path that is not below the prefix: nothing is served at it, and the mount itself is another one. */
const OUTSIDE = '//'

function isAny(variables: Readonly<Record<string, unknown>> = {}): boolean {
  for (const _ in variables) return true
  return false
}

/** @param takesVariables whether what the outer app has set is put on the context */
function modelApp(
  name: string,
  router: Hono<ApiEnv>,
  renderFailure: RenderError,
  rules: PathPolicy,
  takesVariables: boolean,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  if (takesVariables) app.use(forwardVariables)
  app.route('/', router)
  const methods = listMethods(router)
  app.notFound((c) => {
    const fail = (error: unknown) => renderFailure(error, c.env, name)
    const { method, path } = c.req
    const known = methodsForPath(app, methods, path)
    const others = c.env.alsoAllowed?.() ?? []
    if (known.length + others.length === 0) return fail(unknownPathError(rules.alternatives(router, path)))
    const refusal = method === 'OPTIONS' ? undefined : rules.refusal?.(router, method, path)
    if (refusal) return fail(refusal)
    return methodNotAllowed(
      method,
      [...known.filter((each) => !rules.isRefused?.(router, each, path)), ...others],
      fail,
    )
  })
  app.onError(async (error, c) => renderFailure(await resolveError(error, c.env), c.env, c.env.about ?? name))
  return app
}
