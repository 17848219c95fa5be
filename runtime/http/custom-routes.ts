import { type Context, Hono } from 'hono'
import type { RouterRoute } from 'hono/types'

import { RequestError } from '../errors/request-error.js'
import { CACHE_CONTROL } from './cache-control.js'
import { type RequestAccessors, createRequestAccessors, type WrapClient } from './request-accessors.js'
import { isAbortedBody, limitBody, readableRequest, bodyTooLargeError } from './body.js'
import type { RenderError } from './dispatch.js'
import type { RouteMatch } from './telemetry.js'
import type { ApiEnv, RequestContext } from './api-handler.js'
import { respondWithContextHeaders } from './merge-headers.js'
import { isRoute, methodsForPath, listMethods } from './allowed-methods.js'
import type { AssertActive } from './lifecycle/deadline.js'
import { forwardVariables } from './forward-variables.js'

/**
 * Puts routes of an app's own on a Hono app, whose paths are those below the prefix.
 * @param api what they are given beside it: the means of the emitted ones
 */
export type DefineRoutes<A> = (app: Hono<ApiEnv>, api: A) => void

/** Routes of the user's own, which are tried before those of a style. */
export interface CustomRoutes {
  /** Puts them on an app, whose paths are those below the prefix. */
  readonly build: (app: Hono<ApiEnv>) => unknown
  /** How many bytes the body of a request may have. */
  readonly bodyBytes: number
  /**
   * Refuses a body that is not of the style's type.
   * @throws RequestError 415
   */
  readonly checkContentType: (type: string) => void
}

/** What is known once they were tried. */
export interface CustomRouteResult {
  readonly asked: RequestAccessors
  /** What their middleware has set, and what the outer app has. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The methods that they have at this path. */
  readonly methods: () => readonly string[]
}

/** Answers with a style's own routes. */
type PassOn = (request: Request, tried: CustomRouteResult) => Promise<Response>

/** Tries routes of the user's own. */
interface Tries<O, C> {
  /** Answers a request with one of them, or passes it on. */
  answer(
    request: Request,
    context: RequestContext<O, C>,
    path: string,
    alive: AssertActive,
    passOn: PassOn,
  ): Promise<Response>
  /** The route of theirs that answers a request. */
  spotOf(method: string, path: string): RouteMatch | undefined
}

/**
 * Makes what tries routes of the user's own before those of a style. It passes on what no route of theirs answers, and what one of them
 * leaves to `next`; a 404 that a route answers itself is the answer. Whatever they throw is answered in the style's error format. A
 * handler is handed this, and does not import it: where the option is not given, a bundler leaves all of it out.
 * @param mount puts hooks around the client of a request
 * @throws Error where they are not put on the app at once
 */
export type CustomRouter = <O, C>(renderFailure: RenderError, mount: WrapClient<O, C> | undefined) => Tries<O, C>

/** The {@link OwnRouter} of some routes. */
export function createCustomRouter(own: CustomRoutes): CustomRouter {
  return (renderFailure, mount) => tryFirst(own, renderFailure, mount)
}

function tryFirst<O, C>(
  own: CustomRoutes,
  renderFailure: RenderError,
  mount: WrapClient<O, C> | undefined,
): Tries<O, C> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  app.onError((error, c) =>
    respondWithContextHeaders(c, renderFailure(isAbortedBody(error) ?? error, c.env, nameIn(c.env.path))),
  )
  app.notFound((c) => {
    const missing = new RequestError({ code: 'not-found', detail: 'There is no such thing.' })
    return respondWithContextHeaders(c, renderFailure(missing, c.env, nameIn(c.env.path)))
  })
  app.use(forwardVariables)
  let theirs: ReadonlySet<RouterRoute> = new Set()
  const theirsAt = (method: string, path: string) => {
    const found = app.router.match(method === 'HEAD' ? 'GET' : method, path)[0].map(([[, route]]) => route)
    return found.filter((route) => theirs.has(route))
  }
  app.use(async (c, next) => {
    const routes = theirsAt(c.req.method, c.req.path)
    const isTheirs = routes.some(answers)
    if (routes.length > 0) c.req.raw = guarded(c.req.raw, own, isTheirs)
    await next()
    if (isTheirs && !c.res.headers.has('Cache-Control')) c.header('Cache-Control', CACHE_CONTROL['Cache-Control'])
  })
  const before = app.routes.length
  const built: unknown = own.build(app)
  if (built instanceof Promise) throw new Error('routes must put its routes on the app at once, and not be async.')
  theirs = new Set(app.routes.slice(before))
  const methods = listMethods(app)
  app.all('*', async (c) => {
    const { passOn } = c.env
    return passOn ? respondWithContextHeaders(c, await passOn(await readableRequest(c.req), c.var)) : c.notFound()
  })

  return {
    async answer(request, context, path, alive, passOn) {
      const asked = createRequestAccessors(context, alive, mount)
      const { log, requestId, seen, variables } = context
      const at = path === '' ? '/' : path
      const env: ApiEnv['Bindings'] = {
        ...asked,
        log,
        requestId,
        seen,
        ...(variables && { variables }),
        path: at,
        passOn: (passed, set) =>
          passOn(passed, { asked, variables: set, methods: () => methodsForPath(app, methods, at) }),
      }
      try {
        return await app.fetch(request, env)
      } catch (error) {
        // Hono hands on what is no Error.
        return renderFailure(error, context, nameIn(at))
      }
    },
    spotOf(method, path) {
      const route = theirsAt(method, path === '' ? '/' : path).findLast(answers)
      return route && { route: route.path === '/' ? '' : route.path }
    },
  }
}

/** Whether a route is no middleware. `app.all` and `app.use` are the same to Hono; what has a wildcard is middleware, as a rule. */
function answers({ method, path }: RouterRoute): boolean {
  return isRoute(method) || !path.endsWith('*')
}

/**
 * What a route knows of its request.
 * @throws Error for a context of another app
 */
export function getBindings({ env }: Context): ApiEnv['Bindings'] {
  if (!env?.getContext) throw new Error('This context is not that of a route given with the option `routes`.')
  return env
}

/**
 * The client of a route's request: a promise, whatever the app gives. Who awaits it late is told then that there is none.
 * @throws Error as {@link bindingsOf}, when it is awaited
 */
export function getRequestClient(c: Context): Promise<unknown> {
  const client = (async () => getBindings(c).getOrm())()
  client.catch(() => {})
  return client
}

/**
 * A request whose body is one that the style's own routes would take, whoever reads it.
 * @param isAnswered whether a route answers it, and not only middleware sees it: then it is refused whether or not it is read
 */
function guarded(request: Request, { bodyBytes, checkContentType }: CustomRoutes, isAnswered: boolean): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const type = request.headers.get('Content-Type')
  const excess = bodyTooLargeError(bodyBytes)
  if (type === null) return limitBody(request, 0, untyped())
  try {
    checkContentType(type)
  } catch (error) {
    if (isAnswered) throw error
    return limitBody(request, 0, error)
  }
  if (isAnswered && Number(request.headers.get('Content-Length') ?? 0) > bodyBytes) throw excess
  return limitBody(request, bodyBytes, excess)
}

function untyped(): RequestError {
  return new RequestError({ code: 'unsupported-media-type', detail: 'The body must have a Content-Type.' })
}

function nameIn(path: string): string {
  const [, name = ''] = path.split('/', 2)
  return name
}
