import { type Context, Hono } from 'hono'

import type { ApiEnv } from '../http/handler-types.js'
import { readableRequest } from '../http/read-body.js'
import { respondWithContextHeaders } from '../http/response-headers.js'
import { type EndpointPaths, getBindings } from '../http/routing/custom-routes.js'
import { listRoutes } from '../http/routing/route.js'
import type { DeclaredRoute } from './list-routes.js'

/** The groups without a model that a handler serves, under their names in lower case. */
export interface GroupPaths {
  /** Path name of a group → the paths of its routes. */
  readonly paths: Map<string, string[]>
  /**
   * Adds a route and returns the path name of its group.
   * @throws Error if another endpoint has its path, or another group has the same path name
   */
  readonly add: (route: DeclaredRoute, path: string) => string
}

/** Creates an empty list of groups without a model. */
export function createGroupPaths(endpointPaths: EndpointPaths): GroupPaths {
  const paths = new Map<string, string[]>()
  const names = new Map<string, string>()
  return {
    paths,
    add({ group, label }, path) {
      const segment = group.toLowerCase()
      const other = names.get(segment) ?? group
      if (other !== group) throw new Error(`The groups "${other}" and "${group}" of routes have the same path.`)
      names.set(segment, group)
      if (endpointPaths.includes(`/${segment}${path}`)) {
        throw new Error(`The route ${label} has the path of another endpoint: /${segment}${path}.`)
      }
      const subpaths = path === '' ? [] : [path.slice(1)]
      paths.set(segment, [...new Set([...(paths.get(segment) ?? []), ...subpaths])])
      return segment
    },
  }
}

/** @throws Error if the generated router of the model already has a route with this method and path */
export function assertNotGenerated(
  { label, declaration: { method } }: DeclaredRoute,
  path: string,
  router: Hono<ApiEnv> | undefined,
  style: 'REST' | 'RPC',
): void {
  if (listRoutes(router).some((route) => route.method === method && route.path === path)) {
    const part = style === 'RPC' ? 'name' : 'method or path'
    throw new Error(
      `The route ${label} must have another ${part}, because ${style} has a generated route ${method} ${path}.`,
    )
  }
}

/** Creates an app for requests from other routes. It rethrows errors instead of rendering them. */
export function createInnerApp(): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>({ getPath: (_request, options) => options?.env?.path ?? '/' })
  app.onError((error) => {
    throw error
  })
  return app
}

/** Registers the action of a declared route. */
export type RegisterRoute = (method: string, path: string, action: (c: Context) => Promise<Response>) => void

/** Creates a function that registers declared routes on an app. Their writes are executed at most once per idempotency key. */
export function registerOn(app: Hono<ApiEnv>): RegisterRoute {
  // Each attempt has its own context, so that it reads the request again, and its stored response has no headers of middleware.
  const writes = createInnerApp()
  return (method, path, action) => {
    if (method === 'GET') {
      app.get(path, action)
      return
    }
    writes.on(method, path, action)
    app.on(method, path, async (c) => {
      const { executeWrite } = getBindings(c)
      if (!executeWrite) return action(c)
      const request = await readableRequest(c.req)
      return respondWithContextHeaders(
        c,
        await executeWrite(request, (attempt, bindings) => writes.fetch(attempt, bindings)),
      )
    })
  }
}
