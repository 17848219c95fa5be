import { type Context, Hono } from 'hono'

import type { ApiEnv } from '../http/handler-types.js'
import { type ClientCall, executePreparedRoute } from '../http/execute-prepared-route.js'
import { retryCallOnConflict } from '../orm/retry-on-conflict.js'
import type { Endpoint, RestEndpoints } from './endpoints/endpoint-types.js'
import type { ErasedRestRouter } from './rest-router-types.js'

/** The paths of a relationship's linkage, its related resources, and one of its members. */
const LINKAGE = /^\/:id\/relationships\/(\w+)$/
const RELATED = /^\/:id\/(\w+)$/
const MEMBER = /^\/:id\/(\w+)\/:relatedId$/

/** Adapts the call of a route to the model that it queries. On a relation's routes, the operation determines which model this is. */
export type ResolveCall = (call: ClientCall, operation: keyof RestEndpoints, relation?: string) => ClientCall

/**
 * Creates the router on which the emitted code registers a model's routes.
 * @param endpoints the handlers for the paths of the contract
 */
export function createRestRouter(endpoints: RestEndpoints, resolveCall: ResolveCall): ErasedRestRouter {
  const hono = new Hono<ApiEnv>()
  // Set by the update route, which is registered after the create route. Upserts use both.
  let update: ClientCall | undefined
  const route = (methods: readonly string[], path: string, clientCall: ClientCall) => {
    const operation = restOperation(methods[0] ?? '', path)
    const relation = relationInPath(path)
    const call = resolveCall(clientCall, operation, relation)
    if (operation === 'update') update = call
    const endpoint = getEndpoint(endpoints, operation, relation, path)
    hono.on([...methods], path, (c) => executePreparedRoute(endpoint(c), call, c.env, retryCallOnConflict))
  }
  return {
    hono,
    get: (path, call) => route(['GET'], path, call),
    post(path, clientCall) {
      if (path !== '/') return route(['POST'], path, clientCall)
      const call = resolveCall(clientCall, 'create')
      hono.post(path, async (c) => {
        const prepared = await endpoints.create(c)
        if (!prepared.upsert) return executePreparedRoute(prepared, call, c.env, retryCallOnConflict)
        if (!update) throw new Error('An upsert requires the route that updates a resource.')
        const response = await prepared.upsert({ create: call, update })
        if (c.env.outcome) c.env.outcome.rows = 1
        return response
      })
    },
    on: route,
    delete: (path, call) => route(['DELETE'], path, call),
  }
}

/**
 * Returns the endpoint for a path.
 * @throws Error if the contract does not define the path, for example in a custom template
 */
function getEndpoint(
  endpoints: RestEndpoints,
  operation: keyof RestEndpoints,
  relation: string | undefined,
  path: string,
): Endpoint {
  if (isModelOperation(operation)) return endpoints[operation]
  if (relation === undefined) throw new Error(`Unknown REST route: ${path}`)
  return (c: Context<ApiEnv>) => endpoints[operation](c, relation)
}

type ModelOperation = 'list' | 'create' | 'get' | 'update' | 'delete'

function isModelOperation(operation: keyof RestEndpoints): operation is ModelOperation {
  return ['list', 'create', 'get', 'update', 'delete'].includes(operation)
}

/** Returns the operation of a route, which is also the name of its endpoint. */
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

/** Returns the name of the relation in a path, if any. */
function relationInPath(path: string): string | undefined {
  return (LINKAGE.exec(path) ?? RELATED.exec(path) ?? MEMBER.exec(path))?.[1]
}
