import { type Context, Hono } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import { type ClientCall, perform } from '../http/perform.js'
import { repeatConflict } from '../orm/race.js'
import type { Endpoint, RelationEndpoint, RestEndpoints } from './endpoints/endpoints.js'
import type { ErasedRestRouter } from './router.js'

/** The path of a relation's linkage, and of what is related by it. */
const LINKAGE = /^\/:id\/relationships\/(\w+)$/
const RELATED = /^\/:id\/(\w+)$/

/** Makes of the call of a route the one that is made: of the route's own model, or of the one that the members of a relation are of. */
export type FitCall = (call: ClientCall, membersOf?: string) => ClientCall

/**
 * Makes the router that a model's emitted routes are put on.
 * @param endpoints what the paths of the contract mean for this model
 */
export function restRouter(endpoints: RestEndpoints, fit: FitCall): ErasedRestRouter {
  const hono = new Hono<ApiEnv>()
  // Registered behind the create, which makes it where a request asks for an upsert.
  let update: ClientCall | undefined
  const route = (methods: readonly string[], path: string, endpoint: Endpoint, call: ClientCall) => {
    hono.on([...methods], path, (c) => perform(endpoint(c), call, c.env, repeatConflict))
  }
  return {
    hono,
    get(path, given) {
      const call = fit(given, relationOf(path))
      const { list, get, related, linkage } = endpoints
      if (path === '/') route(['GET'], path, list, call)
      else if (path === '/:id') route(['GET'], path, get, call)
      else route(['GET'], path, relationEndpoint(path, linkage, related), call)
    },
    post(path, given) {
      const call = fit(given)
      if (path !== '/') return route(['POST'], path, relationEndpoint(path, endpoints.add), call)
      hono.post(path, async (c) => {
        const prepared = await endpoints.create(c)
        if (!prepared.upsert) return perform(prepared, call, c.env, repeatConflict)
        if (!update) throw new Error('An upsert needs the route that updates a resource.')
        const response = await prepared.upsert({ create: call, update })
        if (c.env.seen) c.env.seen.rows = 1
        return response
      })
    },
    on(methods, path, given) {
      const call = fit(given)
      if (path === '/:id') update = call
      const endpoint = path === '/:id' ? endpoints.update : relationEndpoint(path, endpoints.replace)
      route(methods, path, endpoint, call)
    },
    delete(path, given) {
      const call = fit(given)
      const endpoint = path === '/:id' ? endpoints.delete : relationEndpoint(path, endpoints.remove)
      route(['DELETE'], path, endpoint, call)
    },
  }
}

/**
 * The endpoint of a relation's path.
 * @throws Error where the path is none of the contract's, as a template of the user's own could write it
 */
function relationEndpoint(path: string, linkage: RelationEndpoint, related?: RelationEndpoint): Endpoint {
  const name = relationOf(path)
  const endpoint = LINKAGE.test(path) ? linkage : related
  if (name === undefined || !endpoint) throw new Error(`The REST style has no such route: ${path}`)
  return (c: Context<ApiEnv>) => endpoint(c, name)
}

/** What a route does, by the name of its endpoint. */
export function restOperation(method: string, path: string): keyof RestEndpoints {
  if (path === '/') return method === 'POST' ? 'create' : 'list'
  if (path === '/:id') return method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : 'update'
  if (!LINKAGE.test(path)) return 'related'
  if (method === 'GET') return 'linkage'
  return method === 'POST' ? 'add' : method === 'DELETE' ? 'remove' : 'replace'
}

/** The relation that a path names, if it does. */
function relationOf(path: string): string | undefined {
  return (LINKAGE.exec(path) ?? RELATED.exec(path))?.[1]
}
