import type { Context, Hono } from 'hono'

import { respondToWrite } from '../../errors/respond-to-write.js'
import {
  type DefineRoutes,
  type CustomRouter,
  createCustomRouter,
  type EndpointPaths,
  type RegisteredRoutes,
  getBindings,
  getRequestClient,
} from '../../http/routing/custom-routes.js'
import type { ClientAccessors } from '../../http/client-accessors.js'
import { mergeContextHeaders } from '../../http/response-headers.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { readableRequest } from '../../http/read-body.js'
import { applyInputSchema, type StandardSchema } from '../../http/standard-schema.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { maskRows } from '../../prisma/policy-check.js'
import type { Model } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import type { Args } from '../guard/argument-helpers.js'
import { assertJsonContentType, parseArguments } from '../parse-arguments.js'
import { successResponse } from '../rpc-responses.js'
import type { RouterContext } from '../rpc-router.js'
import type { DeclaringRoutes } from '../../http/routing/declaration-types.js'
import type { ErasedRpcApi } from './rpc-api.js'

/** Custom RPC routes, created by the emitted `defineRpcRoutes`. `C` is the type of the context that they require. */
export interface CustomRpcRoutes<C = unknown> extends DeclaringRoutes {
  /** Creates the router that is tried before the emitted routes. */
  readonly rpc: (context: CustomRouteContext, routers: EmittedRouters) => CustomRouter
  /** Returns the declared routes for transactions. */
  readonly transactionRoutes?: (context: CustomRouteContext) => TransactionRoutes
  /** Phantom property: requires the handler's context to match `C`. Never set. */
  readonly needs?: (context: C) => void
}

/** The declared routes, as transactions see them. */
export interface TransactionRoutes {
  /** The routes that transactions can call. */
  readonly callable: readonly TransactionRoute[]
  /**
   * Rejects the call of a declared route that transactions cannot call.
   * @param group the name of the model or group
   * @throws RequestError 404 if a declared route has this name but does not allow transactions
   */
  readonly rejectOthers: (group: string, operation: string) => void
}

/** A declared route that transactions can call. */
export interface TransactionRoute {
  /** The accepted spellings of its model, or of its group if it has no model. */
  readonly spellings: ReadonlySet<string>
  readonly name: string
  /** `post.publish`, for messages. */
  readonly label: string
  /**
   * Validates the arguments of a call.
   * @throws RequestError 400
   */
  readonly parse: (args: Args) => Promise<RouteCall>
}

/** A call of a declared route with validated arguments. */
export interface RouteCall {
  /** Calls the function of the route. */
  readonly run: (accessors: Pick<ClientAccessors, 'getContext' | 'getOrm'>) => Promise<unknown>
  /** Returns the data of the response, with the client that called the route. */
  readonly toResponseData: (result: unknown, orm: unknown) => unknown
}

/**
 * Prepares custom routes for the option `routes`.
 * Called by the emitted `defineRpcRoutes`.
 * @param routes adds the routes to the app that it receives together with the RPC API
 */
export function customRpcRoutes<A, C>(routes: DefineRoutes<A>): CustomRpcRoutes<C> {
  return buildRpcRoutes((app, api) => ({ returned: routes(app, unsafeCast(api)) }))
}

/** The parts of a handler that declared routes are checked against. */
interface HandlerParts {
  readonly routers: EmittedRouters
  readonly endpointPaths: EndpointPaths
}

/**
 * Prepares custom routes that depend on the handler's models.
 * @param build registers the routes
 */
export function buildRpcRoutes<C>(
  build: (app: Hono<ApiEnv>, api: ErasedRpcApi, context: CustomRouteContext, parts: HandlerParts) => RegisteredRoutes,
): CustomRpcRoutes<C> {
  return {
    rpc: (context, routers) => {
      const { bodyBytes } = context.limits
      return createCustomRouter({
        build: (app, endpointPaths) => build(app, createRpcApi(context), context, { routers, endpointPaths }),
        bodyBytes,
        checkContentType: assertJsonContentType,
      })
    },
  }
}

/** The routers of the emitted routes, by path name. */
type EmittedRouters = ReadonlyMap<string, Hono<ApiEnv>>

/** The parts of a handler that custom routes need. */
export interface CustomRouteContext extends RouterContext {
  /** Whether the request's client may mask rows. */
  readonly hasHooks: boolean
}

/** Creates the {@link ErasedRpcApi} of custom routes. */
function createRpcApi(routeContext: CustomRouteContext): ErasedRpcApi {
  const { limits } = routeContext
  const respond = (c: Context, value: unknown, status: 200 | 201) => {
    const createResponse = () => successResponse(value, status, routeContext)
    const { method } = c.req
    return mergeContextHeaders(
      c,
      method === 'GET' || method === 'HEAD' ? createResponse() : respondToWrite(createResponse),
    )
  }
  return {
    context: (c) => getBindings(c).getContext(),
    orm: getRequestClient,
    async args(c, schema) {
      const args = await parseArguments(await readableRequest(c.req), undefined, limits)
      return schema ? applyArgumentSchema(schema, args) : args
    },
    async reply(c, name, rows, status = 200) {
      const client = routeContext.hasHooks ? await getRequestClient(c) : undefined
      return respond(c, toResponseRows(name, rows, client, routeContext), status)
    },
    value: (c, value, status = 200) => respond(c, value, status),
  }
}

/** @throws RequestError 400 with all issues that the schema found */
export function applyArgumentSchema(schema: StandardSchema, args: unknown): Promise<unknown> {
  return applyInputSchema(schema, args, (path) => ({ code: 'invalid-arguments', path }))
}

/**
 * Returns the rows of a response, with the exposed properties only and with `mask` hooks applied.
 * @param client the client of the request, which is only used if the handler has hooks
 * @throws Error if the model is not exposed, which is a bug in the route
 */
export function toResponseRows(
  name: string,
  rows: unknown,
  client: unknown,
  { schema, hasHooks }: Pick<CustomRouteContext, 'schema' | 'hasHooks'>,
): unknown {
  const model = schema.get(name)
  if (model) return exposeRows(hasHooks ? maskRows(client, name, rows) : rows, model)
  throw new Error(`"${name}" is not an exposed model. Models: ${[...schema.keys()].join(', ')}.`)
}

/**
 * Copies the exposed properties of rows, at every depth: readable fields, exposed computed fields, relations and their `_count`.
 * @param rows one row, a list of rows, or null
 */
function exposeRows(rows: unknown, model: Model): unknown {
  if (Array.isArray(rows)) return rows.map((row) => exposeRows(row, model))
  if (!isObject(rows)) return null
  const exposed: Record<string, unknown> = {}
  // Properties are read by name, so that computed fields are not evaluated unless they are exposed.
  for (const name of Object.keys(rows)) {
    const field = model.fields.get(name)
    const relation = model.relations.get(name)
    if (field) {
      if (!field.writeOnly) exposed[name] = rows[name]
    } else if (model.computed.has(name)) {
      exposed[name] = rows[name]
    } else if (relation) {
      exposed[name] = exposeRows(rows[name], relation.target)
    } else if (name === '_count') {
      const value = rows[name]
      if (!isObject(value)) continue
      exposed[name] = Object.fromEntries(
        Object.entries(value).filter(([relationName]) => model.relations.has(relationName)),
      )
    }
  }
  return exposed
}
