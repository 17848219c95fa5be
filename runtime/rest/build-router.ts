import { type Context, Hono } from 'hono'

import type { ApiEnv } from '../http/api-handler.js'
import { type ClientCall, executeRoute } from '../http/execute-route.js'
import { retryCallOnConflict } from '../orm/retry.js'
import type { Endpoint, RestEndpoints } from './endpoints/endpoints.js'
import type { ErasedRestRouter } from './router.js'

/** The path of a relation's linkage, of what is related by it, and of one of its members. */
const LINKAGE = /^\/:id\/relationships\/(\w+)$/
const RELATED = /^\/:id\/(\w+)$/
const MEMBER = /^\/:id\/(\w+)\/:relatedId$/

/** Makes of the call of a route the one that is made: it fits the model that the call asks, which an operation on a relation decides. */
export type ResolveCall = (call: ClientCall, operation: keyof RestEndpoints, relation?: string) => ClientCall

/**
 * Makes the router that a model's emitted routes are put on.
 * @param endpoints what the paths of the contract mean for this model
 */
export function createRestRouter(endpoints: RestEndpoints, fit: ResolveCall): ErasedRestRouter {
  const hono = new Hono<ApiEnv>()
  // Registered behind the create, which makes it where a request asks for an upsert.
  let update: ClientCall | undefined
  const route = (methods: readonly string[], path: string, given: ClientCall) => {
    const operation = restOperation(methods[0] ?? '', path)
    const relation = relationOf(path)
    const call = fit(given, operation, relation)
    if (operation === 'update') update = call
    const endpoint = endpointOf(endpoints, operation, relation, path)
    hono.on([...methods], path, (c) => executeRoute(endpoint(c), call, c.env, retryCallOnConflict))
  }
  return {
    hono,
    get: (path, call) => route(['GET'], path, call),
    post(path, given) {
      if (path !== '/') return route(['POST'], path, given)
      const call = fit(given, 'create')
      hono.post(path, async (c) => {
        const prepared = await endpoints.create(c)
        if (!prepared.upsert) return executeRoute(prepared, call, c.env, retryCallOnConflict)
        if (!update) throw new Error('An upsert needs the route that updates a resource.')
        const response = await prepared.upsert({ create: call, update })
        if (c.env.seen) c.env.seen.rows = 1
        return response
      })
    },
    on: route,
    delete: (path, call) => route(['DELETE'], path, call),
  }
}

/**
 * The endpoint of a path.
 * @throws Error where the path is none of the contract's, as a template of the user's own could write it
 */
function endpointOf(
  endpoints: RestEndpoints,
  operation: keyof RestEndpoints,
  relation: string | undefined,
  path: string,
): Endpoint {
  if (isOwn(operation)) return endpoints[operation]
  if (relation === undefined) throw new Error(`The REST style has no such route: ${path}`)
  return (c: Context<ApiEnv>) => endpoints[operation](c, relation)
}

type OwnOperation = 'list' | 'create' | 'get' | 'update' | 'delete'

function isOwn(operation: keyof RestEndpoints): operation is OwnOperation {
  return ['list', 'create', 'get', 'update', 'delete'].includes(operation)
}

/** What a route does, by the name of its endpoint. */
export function restOperation(method: string, path: string): keyof RestEndpoints {
  if (path === '/') return method === 'POST' ? 'create' : 'list'
  if (path === '/:id') return method === 'GET' ? 'get' : method === 'DELETE' ? 'delete' : 'update'
  if (MEMBER.test(path) && !LINKAGE.test(path)) {
    return method === 'GET' ? 'getMember' : method === 'DELETE' ? 'deleteMember' : 'updateMember'
  }
  if (!LINKAGE.test(path)) return method === 'GET' ? 'related' : method === 'POST' ? 'createMember' : 'updateMember'
  if (method === 'GET') return 'linkage'
  return method === 'POST' ? 'add' : method === 'DELETE' ? 'remove' : 'replace'
}

/** The relation that a path names, if it does. */
function relationOf(path: string): string | undefined {
  return (LINKAGE.exec(path) ?? RELATED.exec(path) ?? MEMBER.exec(path))?.[1]
}
