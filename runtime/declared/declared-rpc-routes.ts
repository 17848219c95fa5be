import type { Context } from 'hono'

import type { DefineRoutes } from '../http/routing/custom-routes.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { applyArgumentSchema, buildRpcRoutes, type CustomRpcRoutes } from '../rpc/custom/custom-rpc-routes.js'
import type { ErasedRpcApi } from '../rpc/custom/rpc-api.js'
import { expectObject, invalidValue, unknownName } from '../rpc/guard/argument-helpers.js'
import { whereUnique } from '../rpc/guard/where/where.js'
import type { Limits } from '../limits.js'
import type { Model } from '../schema/model.js'
import {
  assertNotGenerated,
  callRoute,
  type DeclaredRoute,
  findRouteModel,
  getResultModel,
  type Implementations,
  listDeclaredRoutes,
  registerOn,
} from './list-routes.js'
import type { RouteDeclarations } from '../http/routing/declaration-types.js'

/**
 * Prepares declared routes for the RPC handler: `POST /post/publish`.
 * Called by the emitted `implementRoutes`.
 * @param defineOthers registers hand-written routes and middleware before the declared routes
 * @throws Error if a declaration is invalid or a route has no implementation
 */
export function declaredRpcRoutes<A, C>(
  declarations: RouteDeclarations,
  implementations: Implementations,
  defineOthers?: DefineRoutes<A>,
): CustomRpcRoutes<C> {
  const routes = listDeclaredRoutes(declarations, implementations)
  const customRoutes = buildRpcRoutes<C>((app, api, { schema, limits }, routers) => {
    const defined: unknown = defineOthers?.(app, unsafeCast(api))
    const register = registerOn(app)
    const models = [...schema.values()]
    for (const route of routes) {
      const model = findRouteModel(route, models)
      const type = model.name.toLowerCase()
      assertNotGenerated(route, `/${route.name}`, routers.get(type))
      register(route.declaration.method, `/${type}/${route.name}`, createRpcAction(route, model, api, limits))
    }
    return defined
  })
  return { ...customRoutes, declarations }
}

function createRpcAction(
  route: DeclaredRoute,
  model: Model,
  api: ErasedRpcApi,
  limits: Limits,
): (c: Context) => Promise<Response> {
  const { declaration, hasId } = route
  const { body, query } = declaration
  const schema = body ?? query
  const rowModel = getResultModel(route)
  return async (c) => {
    const { where, rest } = splitArguments(await api.args(c), hasId ? model : undefined, limits)
    if (!schema) for (const key of Object.keys(rest)) unknownName(key, '')
    const input = schema && (await applyArgumentSchema(schema, rest))
    const value = await callRoute(c, api, route, {
      ...(where && { where }),
      ...(body && { body: input }),
      ...(query && { query: input }),
    })
    return rowModel === undefined ? api.value(c, value) : api.reply(c, rowModel, value)
  }
}

/**
 * Separates the id from the other arguments: `{ id: 7, note: 'x' }`. A compound id has the name of its criterion, as in a `where`.
 * @param model the model of the id; undefined if the route has none
 * @throws RequestError 400 if the id is missing or invalid
 */
function splitArguments(args: unknown, model: Model | undefined, limits: Limits) {
  const all = expectObject(args, '')
  if (!model) return { where: undefined, rest: all }
  const { [model.id]: id, ...rest } = all
  if (id === undefined) invalidValue(model.id, 'is required')
  return { where: whereUnique(model, { [model.id]: id }, '', limits), rest }
}
