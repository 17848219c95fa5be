import { Hono } from 'hono'

import { askedOnce, type Mount } from './asked-once.js'
import { CACHE_CONTROL } from './cache-control.js'
import { decodeSegment } from './decode.js'
import { RequestError } from '../errors/request-error.js'
import { nothingServed } from '../errors/nothing-served.js'
import type { ApiEnv, ApiHandler, Log } from './handler.js'
import { isBelow, joinPath, pathOf } from './mount.js'

/** How a style answers a failure. Never throws. */
export type RenderFailure = (error: unknown, log: Log | undefined) => Response

/** What a style knows of its paths beside their routes. */
export interface PathRules {
  /** What could stand in place of the last segment of a path at which nothing is served. */
  alternatives(router: Hono<ApiEnv>, path: string): readonly string[]
  /** Whether a route answers every request with 403, so that `Allow` must not name its method. */
  isRefused?(router: Hono<ApiEnv>, method: string, path: string): boolean
  /** What answers a method that has no route, where that is not 405. */
  refusal?(router: Hono<ApiEnv>, method: string, path: string): RequestError | undefined
}

/** The routers of a style. */
export interface Routers {
  /** Path name → the model's router. A model has one path name, and only there it is served. */
  readonly served: ReadonlyMap<string, Hono<ApiEnv>>
  /** Another spelling → the path name that it is redirected to. */
  readonly spellings: ReadonlyMap<string, string>
}

/**
 * Makes one handler of the routers of many models: finds the model by the first path segment, lets its router answer the
 * rest of the path, and renders every failure in the style's format: 404, 405 with `Allow`, and whatever a route threw. Another
 * spelling of a path name is answered with 308, so that whoever guards paths in front of the handler sees what is served.
 * @param routers the models' routers
 * @param renderFailure the style's error format
 * @param rules what the style knows of its paths
 * @param mount puts hooks around the client of a request
 */
export function dispatch<O, C = unknown>(
  { served, spellings }: Routers,
  renderFailure: RenderFailure,
  rules: PathRules,
  mount?: Mount<O, C>,
): ApiHandler<O, C> {
  const appsOf = (takesVariables: boolean) =>
    new Map([...served].map(([name, router]) => [name, modelApp(router, renderFailure, rules, takesVariables)]))
  const apps = appsOf(false)
  // Made by the first request whose app has set something: a route without middleware is what Hono runs fastest.
  let appsWithVariables: typeof apps | undefined
  return {
    async fetch(request, context) {
      const path = pathBelow(request.url, context.prefix) ?? ''
      const end = path.indexOf('/', 1)
      const name = end < 0 ? path.slice(1) : path.slice(1, end)
      const below = end < 0 ? '' : path.slice(end)
      const variables = isAny(context.variables) ? context.variables : undefined
      const app = variables ? (appsWithVariables ??= appsOf(true)).get(name) : apps.get(name)
      if (!app) {
        const model = decodeSegment(name) ?? name
        const meant = apps.has(model) ? model : spellings.get(model)
        if (meant !== undefined) return redirect(meant, below, request.url)
        const detail = model ? `There is no model "${model}" here.` : 'The path names no model.'
        return renderFailure(new RequestError({ code: 'unsupported-model', detail }), context.log)
      }
      // `/post` is the collection; `/post/` is nothing.
      const env: ApiEnv['Bindings'] = {
        ...askedOnce(context, mount),
        log: context.log,
        ...(variables && { variables }),
        path: below === '' ? '/' : below === '/' ? '//' : below,
      }
      try {
        return await app.fetch(request, env)
      } catch (error) {
        // Hono hands on what is no Error.
        return renderFailure(error, context.log)
      }
    },
  }
}

/**
 * Leads to the path name that serves. Relative to the URL that was asked for, whose first part may be another one before a proxy
 * than it is here; with its query, and for every method with its body.
 */
function redirect(name: string, below: string, url: string): Response {
  const [withoutFragment = ''] = url.split('#', 1)
  const query = withoutFragment.indexOf('?')
  const location = '../'.repeat(below.split('/').length - 1) + name + below
  return new Response(null, {
    status: 308,
    headers: { Location: query < 0 ? location : location + withoutFragment.slice(query), ...CACHE_CONTROL },
  })
}

function isAny(variables: Readonly<Record<string, unknown>> = {}): boolean {
  for (const _ in variables) return true
  return false
}

/** @param takesVariables whether what the outer app has set is put on the context */
function modelApp(
  router: Hono<ApiEnv>,
  renderFailure: RenderFailure,
  rules: PathRules,
  takesVariables: boolean,
): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  if (takesVariables) {
    app.use(async (c, next) => {
      const { variables } = c.env
      for (const name in variables) c.set(name, variables[name])
      await next()
    })
  }
  app.route('/', router)
  const methods = [...new Set(router.routes.map((route) => route.method))].filter(isRoute)
  app.notFound((c) => {
    const known = methods.filter((method) => {
      return app.router.match(method, c.req.path)[0].some(([[, route]]) => isRoute(route.method))
    })
    const allowed = known.filter((method) => !rules.isRefused?.(router, method, c.req.path))
    if (allowed.includes('GET')) allowed.push('HEAD')
    const allow = allowed.sort().join(', ')
    if (known.length === 0) return renderFailure(nothingServed(rules.alternatives(router, c.req.path)), c.env.log)
    if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: allow } })
    const refusal = rules.refusal?.(router, c.req.method, c.req.path)
    if (refusal) return renderFailure(refusal, c.env.log)
    const detail = `${c.req.method} is not possible here. Possible: ${allow || 'nothing'}.`
    return renderFailure(new RequestError({ code: 'method-not-allowed', detail }, { Allow: allow }), c.env.log)
  })
  app.onError(async (error, c) => renderFailure(await explained(error, c.env.explain), c.env.log))
  return app
}

/** Whether something on a router answers a method, and is no middleware, which Hono keeps under `ALL`. */
export function isRoute(method: string): boolean {
  return method !== 'ALL'
}

/** What a failure is answered with: what the route itself knows of it, if it does. */
async function explained(error: unknown, explain: ApiEnv['Bindings']['explain']): Promise<unknown> {
  try {
    return explain && !(error instanceof RequestError) ? await explain(error) : error
  } catch (better) {
    // Where the look at the reason fails too, as in a transaction that has ended, the first failure is the answer.
    return better instanceof RequestError ? better : error
  }
}

/** The part of a URL's path below a prefix, or undefined where the path is not below it. */
function pathBelow(url: string, prefix = ''): string | undefined {
  const path = pathOf(url)
  const mount = joinPath(prefix)
  return isBelow(path, mount) ? path.slice(mount.length) : undefined
}
