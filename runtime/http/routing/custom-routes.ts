import { type Context, Hono } from 'hono'
import type { RouterRoute } from 'hono/types'

import { RequestError, unknownPathError } from '../../errors/request-error.js'
import { CACHE_CONTROL, respondWithContextHeaders } from '../response-headers.js'
import { createClientAccessors, type CustomRouteResult, type WrapClient } from '../client-accessors.js'
import type { IdempotencyMiddleware, StyleFetch } from '../idempotency-types.js'
import { isAbortedBody, limitBody, readableRequest, bodyTooLargeError } from '../read-body.js'
import type { RenderError, RouteMatch, ApiEnv, ExecuteWrite, RequestContext } from '../handler-types.js'
import { isRouteMethod, methodNotAllowed, methodsForPath, listMethods } from './route.js'
import type { AssertActive } from '../active-request.js'
import { forwardVariables, redirect } from './endpoints.js'
import { decodeSegment } from './mount-path.js'

/**
 * Registers custom routes on a Hono app. Their paths are relative to the prefix.
 * @param api the helpers that emitted routes also use
 */
export type DefineRoutes<A> = (app: Hono<ApiEnv>, api: A) => void

/** The result of registering custom routes on an app. */
export interface RegisteredRoutes {
  /** The value that the app's function returned. It must not be a promise, because routes must be registered synchronously. */
  readonly returned: unknown
  /** The path names of declared groups without a model, with the paths of their routes. Default: none. */
  readonly groups?: RouteGroups
}

/** Path name of a group → the paths of its routes. */
export type RouteGroups = ReadonlyMap<string, readonly string[]>

/** The paths of the endpoints of a handler that belong to no model, such as the health check. */
export type EndpointPaths = readonly (string | undefined)[]

/** Custom routes, which are tried before the REST or RPC routes. */
export interface CustomRoutes {
  /** Registers the routes on an app. Their paths are relative to the prefix. */
  readonly build: (app: Hono<ApiEnv>, endpointPaths: EndpointPaths) => RegisteredRoutes
  /** Maximum number of bytes in a request body. */
  readonly bodyBytes: number
  /**
   * Checks that a body has a media type that REST or RPC accepts.
   * @param isHandled whether a custom route handles the request, and not only middleware
   * @throws RequestError 415 if it does not
   */
  readonly checkContentType: (type: string, isHandled: boolean) => void
}

/** Handles a request with the REST or RPC routes. */
type DelegateRequest = (request: Request, customResult: CustomRouteResult) => Promise<Response>

/** Dispatches requests to custom routes. */
interface CustomRouteDispatcher<O, C> {
  /** Handles a request with a custom route, or delegates it. */
  fetchResponse(
    request: Request,
    context: RequestContext<O, C>,
    path: string,
    assertActive: AssertActive,
    delegate: DelegateRequest,
  ): Promise<Response>
  /** Returns the custom route that handles a request. */
  matchRoute(method: string, path: string): RouteMatch | undefined
}

/**
 * Creates a dispatcher that tries custom routes before the REST or RPC routes. It delegates a request if no custom route matches or if the
 * matching route calls `next`. A 404 returned by a route is final. Errors thrown by routes are rendered in the error format of REST or RPC.
 * Handlers receive this as a value and do not import it, so that bundlers can drop it if the option is not set.
 * @param mount wraps the client of a request with hooks
 * @param idempotency middleware around the writes of declared routes
 * @throws Error if the routes are registered asynchronously, or if a declared route has the path of another endpoint
 */
export type CustomRouter = <O, C>(
  renderFailure: RenderError,
  mount: WrapClient<O, C> | undefined,
  idempotency: IdempotencyMiddleware<O, C> | undefined,
  endpointPaths: EndpointPaths,
) => CustomRouteDispatcher<O, C>

/** Creates a {@link CustomRouter} for the given routes. */
export function createCustomRouter(customRoutes: CustomRoutes): CustomRouter {
  return (renderFailure, mount, idempotency, endpointPaths) =>
    createCustomDispatcher(customRoutes, renderFailure, mount, idempotency, endpointPaths)
}

function createCustomDispatcher<O, C>(
  customRoutes: CustomRoutes,
  renderFailure: RenderError,
  mount: WrapClient<O, C> | undefined,
  idempotency: IdempotencyMiddleware<O, C> | undefined,
  endpointPaths: EndpointPaths,
): CustomRouteDispatcher<O, C> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  app.onError((error, c) =>
    respondWithContextHeaders(c, renderFailure(isAbortedBody(error) ?? error, c.env, getModelSegment(c.env.path))),
  )
  app.notFound((c) => {
    const missing = new RequestError({ code: 'not-found', detail: 'The resource was not found.' })
    return respondWithContextHeaders(c, renderFailure(missing, c.env, getModelSegment(c.env.path)))
  })
  app.use(forwardVariables)
  let registeredRoutes: ReadonlySet<RouterRoute> = new Set()
  const findCustomRoutes = (method: string, path: string) => {
    const found = app.router.match(method === 'HEAD' ? 'GET' : method, path)[0].map(([[, route]]) => route)
    return found.filter((route) => registeredRoutes.has(route))
  }
  app.use(async (c, next) => {
    const routes = findCustomRoutes(c.req.method, c.req.path)
    const isHandled = routes.some(isEndpoint)
    if (routes.length > 0) c.req.raw = guardRequest(c.req.raw, customRoutes, isHandled)
    await next()
    if (isHandled && !c.res.headers.has('Cache-Control')) c.header('Cache-Control', CACHE_CONTROL['Cache-Control'])
  })
  const before = app.routes.length
  const { returned, groups } = customRoutes.build(app, endpointPaths)
  if (returned instanceof Promise) throw new Error('routes must register its routes synchronously.')
  registeredRoutes = new Set(app.routes.slice(before))
  const methods = listMethods(app)
  app.all('*', async (c) => {
    const { delegate } = c.env
    return delegate ? respondWithContextHeaders(c, await delegate(await readableRequest(c.req), c.var)) : c.notFound()
  })

  return {
    async fetchResponse(request, context, path, assertActive, delegate) {
      const accessors = createClientAccessors(context, assertActive, mount)
      const { log, requestId, outcome, variables } = context
      const routePath = path === '' ? '/' : path
      const executeWrite: ExecuteWrite = (sent, execute) => {
        const next: StyleFetch<O, C> = async (attempt, { outcome: attemptOutcome }, _path, _assertActive, result) => {
          const bindings = { ...env, ...result?.accessors, outcome: attemptOutcome }
          try {
            return await execute(attempt, bindings)
          } catch (error) {
            return renderFailure(isAbortedBody(error) ?? error, bindings, getModelSegment(routePath))
          }
        }
        const matchStyleRoute = () => ({ route: routePath })
        const executeOnce = idempotency?.(next, { wrap: mount, fail: renderFailure, matchStyleRoute }) ?? next
        return executeOnce(sent, context, path, assertActive, { accessors, variables: {}, methods: () => [] })
      }
      const findMethods = () => methodsForPath(app, methods, routePath)
      const respondToUnmatched = () => {
        const found = findMethods()
        if (found.length === 0)
          return respondInGroup(routePath, request.url, groups, (error, group) => renderFailure(error, context, group))
        return methodNotAllowed(request.method, found, (error) => renderFailure(error, context))
      }
      const env: ApiEnv['Bindings'] = {
        ...accessors,
        log,
        requestId,
        outcome,
        ...(variables && { variables }),
        path: routePath,
        delegate: (forwarded, set) =>
          delegate(forwarded, { accessors, variables: set, methods: findMethods, respondToUnmatched }),
        ...(idempotency && { executeWrite }),
      }
      try {
        return await app.fetch(request, env)
      } catch (error) {
        // Hono rethrows values that are not instances of Error.
        return renderFailure(error, context, getModelSegment(routePath))
      }
    },
    matchRoute(method, path) {
      const route = findCustomRoutes(method, path === '' ? '/' : path).findLast(isEndpoint)
      return route && { route: route.path === '/' ? '' : route.path }
    },
  }
}

/**
 * Responds to a path of a group of declared routes that no route matches: redirects other spellings of the group, and rejects unknown paths
 * with 404.
 * @returns undefined if the path belongs to no group
 */
function respondInGroup(
  path: string,
  url: string,
  groups: RouteGroups | undefined,
  fail: (error: RequestError, group: string) => Response,
): Response | undefined {
  const segment = getModelSegment(path)
  const group = (decodeSegment(segment) ?? segment).toLowerCase()
  const routes = groups?.get(group)
  if (!routes) return undefined
  const subpath = path.slice(segment.length + 1)
  return segment === group ? fail(unknownPathError(routes), group) : redirect(group + subpath, subpath, url)
}

/**
 * Whether a route is an endpoint, as opposed to middleware. Hono does not distinguish `app.all` from `app.use`, so routes for all methods
 * with a trailing wildcard count as middleware.
 */
function isEndpoint({ method, path }: RouterRoute): boolean {
  return isRouteMethod(method) || !path.endsWith('*')
}

/**
 * Returns the bindings of a custom route's context.
 * @throws Error if the context belongs to a different app
 */
export function getBindings({ env }: Context): ApiEnv['Bindings'] {
  if (!env?.getContext) throw new Error('This context does not belong to a route of the option `routes`.')
  return env
}

/**
 * Returns the client of a custom route's request. Always returns a promise. If it rejects before it is awaited, the rejection is not
 * reported as unhandled.
 * @throws Error in the same cases as {@link getBindings}, when the promise is awaited
 */
export function getRequestClient(c: Context): Promise<unknown> {
  const client = (async () => getBindings(c).getOrm())()
  client.catch(() => {})
  return client
}

/**
 * Returns a request whose body must meet the same requirements as in the REST or RPC routes, no matter which code reads it.
 * @param isHandled whether a route matches and not only middleware; if so, an invalid body is rejected even if it is not read
 */
function guardRequest(request: Request, { bodyBytes, checkContentType }: CustomRoutes, isHandled: boolean): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const type = request.headers.get('Content-Type')
  const tooLargeError = bodyTooLargeError(bodyBytes)
  if (type === null) return limitBody(request, 0, missingContentTypeError())
  try {
    checkContentType(type, isHandled)
  } catch (error) {
    if (isHandled) throw error
    return limitBody(request, 0, error)
  }
  if (isHandled && Number(request.headers.get('Content-Length') ?? 0) > bodyBytes) throw tooLargeError
  return limitBody(request, bodyBytes, tooLargeError)
}

function missingContentTypeError(): RequestError {
  return new RequestError({ code: 'unsupported-media-type', detail: 'The body must have a Content-Type.' })
}

function getModelSegment(path: string): string {
  const [, name = ''] = path.split('/', 2)
  return name
}
