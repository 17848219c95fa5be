import { type Context, Hono } from 'hono'
import type { RouterRoute } from 'hono/types'

import { RequestError } from '../errors/request-error.js'
import { CACHE_CONTROL } from './cache-control.js'
import { type Asked, askedOnce, type Mount } from './asked-once.js'
import { brokenOff, limited, readable, tooLarge } from './body.js'
import type { RenderFailure } from './dispatch.js'
import type { Spot } from './facts.js'
import type { ApiEnv, RequestContext } from './handler.js'
import { answerWithHeadersOf } from './headers.js'
import { isRoute, methodsAt, methodsOf } from './method-answers.js'
import type { Alive } from './traffic/life.js'
import { handVariablesOn } from './variables.js'

/**
 * Puts routes of an app's own on a Hono app, whose paths are those below the prefix.
 * @param api what they are given beside it: the means of the emitted ones
 */
export type AddRoutes<A> = (app: Hono<ApiEnv>, api: A) => void

/** Routes of the user's own, which are tried before those of a style. */
export interface OwnRoutes {
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
export interface Tried {
  readonly asked: Asked
  /** What their middleware has set, and what the outer app has. */
  readonly variables: Readonly<Record<string, unknown>>
  /** The methods that they have at this path. */
  readonly methods: () => readonly string[]
}

/** Answers with a style's own routes. */
type PassOn = (request: Request, tried: Tried) => Promise<Response>

/** Tries routes of the user's own. */
interface Tries<O, C> {
  /** Answers a request with one of them, or passes it on. */
  answer(request: Request, context: RequestContext<O, C>, path: string, alive: Alive, passOn: PassOn): Promise<Response>
  /** The route of theirs that answers a request. */
  spotOf(method: string, path: string): Spot | undefined
}

/**
 * Makes what tries routes of the user's own before those of a style. It passes on what no route of theirs answers, and what one of them
 * leaves to `next`; a 404 that a route answers itself is the answer. Whatever they throw is answered in the style's error format. A
 * handler is handed this, and does not import it: where the option is not given, a bundler leaves all of it out.
 * @param mount puts hooks around the client of a request
 * @throws Error where they are not put on the app at once
 */
export type OwnRouter = <O, C>(renderFailure: RenderFailure, mount: Mount<O, C> | undefined) => Tries<O, C>

/** The {@link OwnRouter} of some routes. */
export function ownRouter(own: OwnRoutes): OwnRouter {
  return (renderFailure, mount) => tryFirst(own, renderFailure, mount)
}

function tryFirst<O, C>(own: OwnRoutes, renderFailure: RenderFailure, mount: Mount<O, C> | undefined): Tries<O, C> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  app.onError((error, c) => answerWithHeadersOf(c, renderFailure(brokenOff(error) ?? error, c.env, nameIn(c.env.path))))
  app.notFound((c) => {
    const missing = new RequestError({ code: 'not-found', detail: 'There is no such thing.' })
    return answerWithHeadersOf(c, renderFailure(missing, c.env, nameIn(c.env.path)))
  })
  app.use(handVariablesOn)
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
  const methods = methodsOf(app)
  app.all('*', async (c) => {
    const { passOn } = c.env
    return passOn ? answerWithHeadersOf(c, await passOn(await readable(c.req), c.var)) : c.notFound()
  })

  return {
    async answer(request, context, path, alive, passOn) {
      const asked = askedOnce(context, alive, mount)
      const { log, requestId, seen, variables } = context
      const at = path === '' ? '/' : path
      const env: ApiEnv['Bindings'] = {
        ...asked,
        log,
        requestId,
        seen,
        ...(variables && { variables }),
        path: at,
        passOn: (passed, set) => passOn(passed, { asked, variables: set, methods: () => methodsAt(app, methods, at) }),
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
export function bindingsOf({ env }: Context): ApiEnv['Bindings'] {
  if (!env?.getContext) throw new Error('This context is not that of a route given with the option `routes`.')
  return env
}

/**
 * The client of a route's request: a promise, whatever the app gives. Who awaits it late is told then that there is none.
 * @throws Error as {@link bindingsOf}, when it is awaited
 */
export function requestClient(c: Context): Promise<unknown> {
  const client = (async () => bindingsOf(c).getOrm())()
  client.catch(() => {})
  return client
}

/**
 * A request whose body is one that the style's own routes would take, whoever reads it.
 * @param isAnswered whether a route answers it, and not only middleware sees it: then it is refused whether or not it is read
 */
function guarded(request: Request, { bodyBytes, checkContentType }: OwnRoutes, isAnswered: boolean): Request {
  if (request.method === 'GET' || request.method === 'HEAD') return request
  const type = request.headers.get('Content-Type')
  const excess = tooLarge(bodyBytes)
  if (type === null) return limited(request, 0, untyped())
  try {
    checkContentType(type)
  } catch (error) {
    if (isAnswered) throw error
    return limited(request, 0, error)
  }
  if (isAnswered && Number(request.headers.get('Content-Length') ?? 0) > bodyBytes) throw excess
  return limited(request, bodyBytes, excess)
}

function untyped(): RequestError {
  return new RequestError({ code: 'unsupported-media-type', detail: 'The body must have a Content-Type.' })
}

function nameIn(path: string): string {
  const [, name = ''] = path.split('/', 2)
  return name
}
