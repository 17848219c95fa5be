import type { Context, Hono } from 'hono'

import {
  type DefineRoutes,
  type CustomRouter,
  createCustomRouter,
  type EndpointPaths,
  type RegisteredRoutes,
  getBindings,
  getRequestClient,
} from '../../http/routing/custom-routes.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { mergeContextHeaders } from '../../http/response-headers.js'
import { decodeSegment } from '../../http/routing/mount-path.js'
import { readableRequest } from '../../http/read-body.js'
import { applyInputSchema, type StandardSchema } from '../../http/standard-schema.js'
import { unsafeCast } from '../../http/unsafe-cast.js'
import { supportsLoadStrategy } from '../../prisma/dialect.js'
import { withQueryStrategy } from '../../prisma/load-strategy.js'
import { notFoundError } from '../document/resource-errors.js'
import { toSkipTake } from '../paging/offset-paging.js'
import { checkContentType, checkAccept, MEDIA_TYPE, parseMediaTypes } from '../request/content-negotiation.js'
import { childPointer, type JsonObject } from '../request/request-errors.js'
import { parseDocument } from '../request/body/parse-document.js'
import { parseFilterAndSort } from '../request/query/parse-filter-and-sort.js'
import { parseInclude } from '../request/query/parse-include.js'
import { parseOffsetPage } from '../request/query/parse-page.js'
import { parseQuery } from '../request/query/parse-query.js'
import { parseResponseShape } from '../request/query/parse-response-shape.js'
import { parseId, uniqueWhere } from '../request/resource-id.js'
import type { RestContext } from '../rest-context.js'
import type { RestModel } from '../rest-model.js'
import { type ReplyQuery, replyWith } from './reply-with.js'
import type { DeclaringRoutes } from '../../http/routing/declaration-types.js'
import type { Resource } from '../../schema/resource.js'
import type { ErasedRestApi } from './rest-api.js'

/** Custom REST routes, created by the emitted `defineRestRoutes`. `C` is the type of the context that they require. */
export interface CustomRestRoutes<C = unknown> extends DeclaringRoutes {
  /**
   * Creates the router that is tried before the emitted routes.
   * @param resources all models with emitted routes, including those that the handler does not expose
   */
  readonly rest: (context: RestContext, routers: EmittedRouters, resources: Resources) => CustomRouter
  /** Returns the declared routes that atomic operations can call, or undefined if there are none. */
  readonly operationRoutes?: (context: RestContext) => OperationRoutes | undefined
  /** Phantom property: requires the handler's context to match `C`. Never set. */
  readonly needs?: (context: C) => void
}

/** The declared routes that atomic operations can call. */
export interface OperationRoutes {
  /** Serves the routes. Their methods are those of generated routes for the same operation. */
  readonly app: Hono<ApiEnv>
  /**
   * Finds the route at a path and validates the operation that calls it.
   * @param path the path relative to the prefix, percent-encoded
   * @param pointer the pointer of the operation
   * @returns undefined if the path is not that of a route
   * @throws RequestError 400 or 422 with a pointer
   */
  parse(operation: RouteOperation, path: string, pointer: string): Promise<RouteOperationTarget> | undefined
}

/** The members of an atomic operation that may call a declared route. */
export interface RouteOperation {
  readonly op: 'add' | 'update' | 'remove'
  /** The URL of the operation's `href`, with its query. */
  readonly url: string
  readonly data: unknown
  readonly meta: JsonObject | undefined
}

/** The declared route that an operation calls. */
export interface RouteOperationTarget {
  /** The model of the route's path. Undefined if the group of the route has none. */
  readonly model: RestModel | undefined
  /** The resource whose id replaces `:id` in the path. Undefined if the path contains the id. */
  readonly target: { readonly lid: string } | undefined
  /** `meta`, and the validated `body` and `query` of the route. */
  readonly document: JsonObject
}

type Resources = ReadonlyMap<string, Resource>

/** The routers of the emitted routes. */
export type EmittedRouters = ReadonlyMap<RestModel, Hono<ApiEnv>>

/**
 * Prepares custom routes for the option `routes`.
 * Called by the emitted `defineRestRoutes`.
 * @param routes adds the routes to the app that it receives together with the REST API
 */
export function customRestRoutes<A, C>(routes: DefineRoutes<A>): CustomRestRoutes<C> {
  return buildRestRoutes((app, api) => ({ returned: routes(app, unsafeCast(api)) }))
}

/** The parts of a handler that declared routes are checked against. */
interface HandlerParts {
  readonly routers: EmittedRouters
  /** All models with emitted routes, including those that the handler does not expose. */
  readonly resources: Resources
  readonly endpointPaths: EndpointPaths
}

/**
 * Prepares custom routes that depend on the handler's models.
 * @param build registers the routes
 */
export function buildRestRoutes<C>(
  build: (app: Hono<ApiEnv>, api: ErasedRestApi, context: RestContext, parts: HandlerParts) => RegisteredRoutes,
): CustomRestRoutes<C> {
  return {
    rest: (context, routers, resources) => {
      const { bodyBytes } = context.settings.limits
      return createCustomRouter({
        build: (app, endpointPaths) =>
          build(app, createRestApi(context), context, { routers, resources, endpointPaths }),
        bodyBytes,
        // Middleware also runs for atomic operations, whose endpoint checks the extension in the media type.
        checkContentType: (type, isHandled) => {
          if (isHandled || parseMediaTypes(type)[0]?.name !== MEDIA_TYPE) checkContentType(type)
        },
      })
    },
  }
}

/** Creates the API that custom REST routes receive. */
export function createRestApi(context: RestContext): ErasedRestApi {
  const { limits } = context.settings
  // The parsed query of each request. It is parsed before the route writes anything, and reused for the response.
  const replyQueries = new WeakMap<Context, Map<RestModel, ReplyQuery>>()
  const getReplyQuery = (c: Context, model: RestModel, isList = false): ReplyQuery => {
    const byModel = replyQueries.get(c) ?? new Map<RestModel, ReplyQuery>()
    const cached = byModel.get(model)
    if (cached && (cached.page || !isList)) return cached
    const replyQuery = parseReplyQuery(c, model, context, isList)
    replyQueries.set(c, byModel.set(model, replyQuery))
    return replyQuery
  }

  return {
    context: (c) => getBindings(c).getContext(),
    orm: getRequestClient,
    id(c, name, parameter = 'id') {
      const model = getModel(name, context)
      const id = pathParameter(c, parameter)
      const values = id === undefined ? undefined : parseId(model.id, id)
      if (!values) throw notFoundError(model)
      return uniqueWhere(model.id, values)
    },
    select: (c, name) => getReplyQuery(c, getModel(name, context)).selection.args,
    query(c, name) {
      const model = getModel(name, context)
      const { shape, selection, page } = getReplyQuery(c, model, true)
      const { where = {}, orderBy } = parseFilterAndSort(shape.query, model, shape.include, context)
      const listArgs = { where, orderBy, skip: 0, ...selection.args }
      const args = supportsLoadStrategy(context.dialect) ? withQueryStrategy(model.model, listArgs) : listArgs
      return page ? { ...args, ...toSkipTake(page) } : args
    },
    async body(c, schema) {
      const document = await parseDocument(await readableRequest(c.req), limits)
      return schema ? applyBodySchema(schema, document) : document
    },
    async reply(c, name, rows, options) {
      const model = getModel(name, context)
      return mergeContextHeaders(c, await replyWith(c, model, rows, getReplyQuery(c, model), context, options))
    },
  }
}

/**
 * Returns a model.
 * @throws Error if the model is not exposed, which is a bug in the route
 */
export function getModel(name: string, { models }: RestContext): RestModel {
  const model = models.get(name)
  if (model) return model
  throw new Error(`"${name}" is not an exposed model. Models: ${[...models.keys()].join(', ')}.`)
}

function parseReplyQuery(c: Context, model: RestModel, context: RestContext, isList: boolean): ReplyQuery {
  const { settings, selector } = context
  checkAccept(c.req.header('Accept'))
  const query = parseQuery(c.req.url, isList ? 'list' : 'single', settings.families)
  const shape = parseResponseShape(query, parseInclude(query, model, context), undefined, context)
  const selection = selector.select(model, shape.include, shape.fieldsets)
  return { shape, selection, ...(isList && { page: parseOffsetPage(query, settings) }) }
}

/** Returns a path parameter. Hono partially decodes invalid percent-encoded UTF-8. Such a value is not treated as an id. */
function pathParameter(c: Context, name: string): string | undefined {
  const value = c.req.param(name)
  if (value === undefined) throw new Error(`The path of this route has no parameter ":${name}".`)
  const segments = getBindings(c).path.split('/')
  return segments.some((segment) => decodeSegment(segment) === value) ? value : undefined
}

/**
 * Validates a body.
 * @param pointer the pointer of the body in the request
 * @throws RequestError 422 with all issues that the schema found
 */
export function applyBodySchema(schema: StandardSchema, body: unknown, pointer = ''): Promise<unknown> {
  return applyInputSchema(schema, body, (path) => ({
    code: 'invalid-value',
    source: { pointer: path.reduce<string>(childPointer, pointer) },
  }))
}
