import { Hono } from 'hono'

import { createClientAccessors, type CustomRouteResult, type WrapClient } from '../client-accessors.js'
import { decodeSegment, pathAfterPrefix } from './mount-path.js'
import {
  explainError,
  redirect,
  serveStaticEndpoint,
  type StaticEndpoints,
  forwardVariables,
  type PostEndpoint,
} from './endpoints.js'
import { didYouMean } from '../../errors/did-you-mean.js'
import { RequestError, unknownPathError } from '../../errors/request-error.js'
import type { RouteMatch, MatchRoute, FetchResponse, RenderError, ApiEnv, RequestContext } from '../handler-types.js'
import { methodsForPath, listMethods, findRoute, getAction, methodNotAllowed } from './route.js'
import type { CustomRouter } from './custom-routes.js'
import type { IdempotencyMiddleware } from '../idempotency-types.js'
import type { AssertActive } from '../active-request.js'

/** The path rules that differ between REST and RPC. */
export interface PathRules {
  /** Returns alternatives for the last segment of an unknown path. */
  alternatives(router: Hono<ApiEnv>, path: string): readonly string[]
  /** Whether a route rejects every request with 403. `Allow` must not list the method of such a route. */
  isForbidden?(router: Hono<ApiEnv>, method: string, path: string): boolean
  /** Returns the error for a method without a route, or undefined for the usual 405. */
  methodError?(router: Hono<ApiEnv>, method: string, path: string): RequestError | undefined
}

/** The routers of the models, for REST or RPC. */
export interface Routers {
  /** Path name → the model's router. Each model has exactly one path name. */
  readonly byName: ReadonlyMap<string, Hono<ApiEnv>>
  /** Alternative spelling → the path name that it redirects to. */
  readonly aliases: ReadonlyMap<string, string>
  /** Path name → the model's name in the schema. */
  readonly models: ReadonlyMap<string, string>
}

/** The result of {@link createDispatcher}. */
export interface Dispatcher<O, C> {
  readonly fetchResponse: FetchResponse<O, C>
  /** Returns the route that handled a request. */
  readonly matchRoute: MatchRoute
}

/** Optional endpoints and middleware of a handler. */
export interface DispatchOptions<O, C> {
  /** Wraps the client of a request with hooks. */
  readonly wrap?: WrapClient<O, C> | undefined
  /** Custom routes, which are tried first. */
  readonly customRouter?: CustomRouter | undefined
  /** Static endpoints in addition to the models, by their path below the prefix. */
  readonly statics?: StaticEndpoints | undefined
  /** The paths of all other endpoints: static ones, the health check and bulk operations. Undefined paths are ignored. */
  readonly endpointPaths?: readonly (string | undefined)[]
  /** The endpoint for bulk operations, if enabled. */
  readonly service?: PostEndpoint | undefined
  /** Middleware around all endpoints except hand-written routes. */
  readonly idempotency?: IdempotencyMiddleware<O, C> | undefined
}

/**
 * Creates a dispatcher from the models' routers. It finds the model by the first path segment and passes the rest of the path to its
 * router. All errors are rendered in the format of REST or RPC: 404, 405 with `Allow`, and errors thrown by routes. Alternative spellings
 * of a path name are redirected with 308, so that middleware that guards paths sees the real path.
 * @param renderFailure renders an error in the format of REST or RPC
 */
export function createDispatcher<O, C = unknown>(
  { byName, aliases, models }: Routers,
  renderFailure: RenderError,
  rules: PathRules,
  { wrap, customRouter, statics, endpointPaths = [], service, idempotency }: DispatchOptions<O, C> = {},
): Dispatcher<O, C> {
  const createApps = (withVariables: boolean) =>
    new Map([...byName].map(([name, router]) => [name, modelApp(name, router, renderFailure, rules, withVariables)]))
  const apps = createApps(false)
  // Created on the first request with variables. Other requests use the apps above, because Hono is fastest if a route has no middleware.
  let appsWithVariables: typeof apps | undefined
  const dispatchRequest = async (
    request: Request,
    context: RequestContext<O, C>,
    path: string,
    assertActive: AssertActive,
    customResult?: CustomRouteResult,
  ): Promise<Response> => {
    const end = path.indexOf('/', 1)
    const name = end < 0 ? path.slice(1) : path.slice(1, end)
    const subpath = end < 0 ? '' : path.slice(end)
    const contextVariables = customResult?.variables ?? context.variables
    const variables = hasVariables(contextVariables) ? contextVariables : undefined
    const app = variables ? (appsWithVariables ??= createApps(true)).get(name) : apps.get(name)
    const createEnv = (): ApiEnv['Bindings'] => {
      const accessors = customResult?.accessors ?? createClientAccessors(context, assertActive, wrap)
      // Listed explicitly, because spreading an object is slower.
      return {
        getOrm: accessors.getOrm,
        getContext: accessors.getContext,
        assertActive,
        log: context.log,
        requestId: context.requestId,
        outcome: context.outcome,
        variables,
        customMethods: customResult?.methods,
        // `/post` is the collection, but `/post/` does not exist.
        path: subpath === '' ? '/' : subpath === '/' ? '//' : subpath,
        explain: undefined,
        targetType: undefined,
      }
    }
    if (!app) {
      const fail = (error: unknown) => renderFailure(error, context)
      const page = statics?.get(path === '/' ? '' : path)
      if (page) return serveStaticEndpoint(page, request, fail)
      if (service && decodedPath(path) === service.path) {
        if (path !== service.path) return redirect(service.path.slice(1), subpath, request.url)
        return service.serve(request, createEnv(), fail)
      }
      const model = decodeSegment(name) ?? name
      const target = apps.has(model) ? model : aliases.get(model)
      if (target !== undefined) return redirect(target + subpath, subpath, request.url)
      const customResponse = customResult?.respondToUnmatched?.()
      if (customResponse) return customResponse
      const detail = model
        ? `Unknown model "${model}".${didYouMean(model, byName.keys())}`
        : 'The path contains no model.'
      return fail(new RequestError({ code: 'unsupported-model', detail }))
    }
    const env = createEnv()
    try {
      return await app.fetch(request, env)
    } catch (error) {
      // Hono rethrows values that are not instances of Error.
      return renderFailure(error, context, env.targetType ?? name)
    }
  }
  const matchStyleRoute = (method: string, path: string): RouteMatch | undefined => {
    if (path === service?.path) return { route: path, operation: service.operation }
    const [, name = ''] = path.split('/', 2)
    const route = findRoute(byName.get(name), method, path.slice(name.length + 1) || '/')
    if (!route) return undefined
    const pattern = `/${name}${route.path === '/' ? '' : route.path}`
    return { route: pattern, model: models.get(name), operation: getAction(route)?.operation }
  }
  const styleFetch = idempotency?.(dispatchRequest, { wrap, fail: renderFailure, matchStyleRoute }) ?? dispatchRequest
  const customDispatcher = customRouter?.(renderFailure, wrap, idempotency, endpointPaths)
  return {
    fetchResponse(request, context, assertActive) {
      const path = pathAfterPrefix(request.url, context.prefix) ?? OUTSIDE
      if (!customDispatcher) return styleFetch(request, context, path, assertActive)
      return customDispatcher.fetchResponse(request, context, path, assertActive, (forwarded, customResult) => {
        if (context.outcome) context.outcome.isDelegated = true
        return styleFetch(forwarded, context, path, assertActive, customResult)
      })
    },
    matchRoute(method, path, isDelegated) {
      return customDispatcher && !isDelegated
        ? customDispatcher.matchRoute(method, path)
        : matchStyleRoute(method, path)
    },
  }
}

/** Decodes the segments of a path. Clients that use `encodeURIComponent` also encode `$`. */
function decodedPath(path: string): string {
  return path.includes('%') ? path.split('/').map(decodeSegment).join('/') : path
}

/** Stands in for every path outside the prefix. No endpoint has this path, and it differs from the path of the mount point itself. */
const OUTSIDE = '//'

function hasVariables(variables: Readonly<Record<string, unknown>> = {}): boolean {
  for (const _ in variables) return true
  return false
}

/** @param withVariables whether variables of the outer app are copied to the context */
function modelApp(
  name: string,
  router: Hono<ApiEnv>,
  renderFailure: RenderError,
  rules: PathRules,
  withVariables: boolean,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  if (withVariables) app.use(forwardVariables)
  app.route('/', router)
  const methods = listMethods(router)
  app.notFound((c) => {
    const fail = (error: unknown) => renderFailure(error, c.env, name)
    const { method, path } = c.req
    const allowed = methodsForPath(app, methods, path)
    const customMethods = c.env.customMethods?.() ?? []
    if (allowed.length + customMethods.length === 0) return fail(unknownPathError(rules.alternatives(router, path)))
    const methodError = method === 'OPTIONS' ? undefined : rules.methodError?.(router, method, path)
    if (methodError) return fail(methodError)
    return methodNotAllowed(
      method,
      [...allowed.filter((allowedMethod) => !rules.isForbidden?.(router, allowedMethod, path)), ...customMethods],
      fail,
    )
  })
  app.onError(async (error, c) => renderFailure(await explainError(error, c.env), c.env, c.env.targetType ?? name))
  return app
}

/** Returns a predicate that checks whether a path segment belongs to a model or to another endpoint. */
export function createReservedCheck(
  { byName, aliases }: Pick<Routers, 'byName' | 'aliases'>,
  reservedPaths: Iterable<string> = [],
): (segment: string) => boolean {
  const others = new Set(Array.from(reservedPaths, (path) => path.split('/', 2)[1]))
  return (segment) => byName.has(segment) || aliases.has(segment) || others.has(segment)
}
