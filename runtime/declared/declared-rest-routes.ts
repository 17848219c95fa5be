import type { Context } from 'hono'

import { mapErrors, RequestError } from '../errors/request-error.js'
import { respondToWrite } from '../errors/respond-to-write.js'
import { type DefineRoutes, getBindings } from '../http/routing/custom-routes.js'
import { readableRequest, readBytes } from '../http/read-body.js'
import { rejectConditionalHeaders } from '../http/reject-conditional-headers.js'
import { mergeContextHeaders } from '../http/response-headers.js'
import type { StandardSchema } from '../http/standard-schema.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { selectFields } from '../prisma/keys.js'
import { getPrimary } from '../prisma/replicas.js'
import {
  applyBodySchema,
  buildRestRoutes,
  createRestApi,
  type CustomRestRoutes,
  getModel,
} from '../rest/custom/custom-rest-routes.js'
import type { ErasedRestApi } from '../rest/custom/rest-api.js'
import {
  type CaptureResult,
  JSONAPI,
  respondNoContent,
  RESPONSE_HEADERS,
  responseTooLargeError,
} from '../rest/document/respond.js'
import { findDocumentVersion, parsePrecondition } from '../rest/conditional-requests.js'
import { notFoundError } from '../rest/document/resource-errors.js'
import { findUnique, rowSelect } from '../rest/orm/delegate-calls.js'
import type { RestModel } from '../rest/rest-model.js'
import { checkAccept, checkContentType } from '../rest/request/content-negotiation.js'
import { decodeDocument } from '../rest/request/body/parse-document.js'
import { childPointer, type JsonObject, malformedDocument } from '../rest/request/request-errors.js'
import { isFamily, parseQuery } from '../rest/request/query/parse-query.js'
import { createIdDefinition, parseId, rowId, uniqueWhere } from '../rest/request/resource-id.js'
import type { RestContext } from '../rest/rest-context.js'
import { idFields } from '../schema/model.js'
import { serialize } from '../serialization/serialize.js'
import { exceedsByteLength } from '../serialization/write-json.js'
import { callRoute, type LocateInput, toListResult } from './call-route.js'
import { assertNotReserved } from './check-declaration.js'
import {
  type DeclaredRoute,
  findRouteModel,
  getResultModel,
  type Implementations,
  listDeclaredRoutes,
  type RouteModels,
} from './list-routes.js'
import { createOperationRoutes } from './operation-routes.js'
import { applyQuerySchema, splitQuery, type SplitQuery } from './query-parameters.js'
import { assertNotGenerated, createGroupPaths, registerOn } from './register-routes.js'
import type { RouteDeclarations } from '../http/routing/declaration-types.js'

/**
 * Prepares declared routes for the REST handler: `POST /post/7/publish`.
 * Called by the emitted `implementRoutes`.
 * @param defineOthers registers hand-written routes and middleware before the declared routes
 * @param hiddenModels the delegate names of the models without emitted routes
 * @throws Error if a declaration is invalid, a route has no implementation, or an implementation has no declaration
 */
export function declaredRestRoutes<A, C>(
  declarations: RouteDeclarations,
  implementations: Implementations,
  defineOthers?: DefineRoutes<A>,
  hiddenModels: readonly string[] = [],
): CustomRestRoutes<C> {
  const routes = listDeclaredRoutes(declarations, implementations)
  const customRoutes = buildRestRoutes<C>((app, api, context, { routers, resources, endpointPaths }) => {
    const returned: unknown = defineOthers?.(app, unsafeCast(api))
    const register = registerOn(app)
    const groups = createGroupPaths(endpointPaths)
    const models: RouteModels = {
      exposed: Array.from(context.models.values(), ({ model }) => model),
      hidden: [...hiddenModels, ...Array.from(resources.values(), ({ delegate }) => delegate)],
      spellings: ({ name, delegate }) => [name, delegate, getModel(name, context).type],
    }
    for (const route of routes) {
      const { path, declaration } = route
      const found = findRouteModel(route, models)
      assertNotReserved(route, 'REST', (name, part) => findReservedUse(name, part, context))
      const model = found && getModel(found.name, context)
      if (model) assertNotGenerated(route, path, routers.get(model), 'REST')
      const segment = model?.type ?? groups.add(route, path)
      register(
        declaration.method,
        `/${encodeURIComponent(segment)}${path}`,
        createRestAction(route, model, api, context),
      )
    }
    return { returned, groups: groups.paths }
  })
  return {
    ...customRoutes,
    declarations,
    operationRoutes(context) {
      const api = createRestApi(context)
      return createOperationRoutes(routes, context, (route, model) => createRestAction(route, model, api, context))
    },
  }
}

/** Returns what requests use a name for that is not a property of a body or query, or undefined. */
function findReservedUse(name: string, part: 'body' | 'query', { settings }: RestContext): string | undefined {
  if (part === 'body') return name === 'meta' ? 'the types of values' : undefined
  return isFamily(name.split('[', 1)[0] ?? '', settings.families) ? 'a parameter of the API' : undefined
}

function createRestAction(
  route: DeclaredRoute,
  model: RestModel | undefined,
  api: ErasedRestApi,
  context: RestContext,
): (c: Context) => Promise<Response> {
  const { declaration, hasId } = route
  const { method, body, query, result, list = false } = declaration
  const rowModel = getResultModel(route)
  const findWhere = hasId && model ? createRowFinder(api, model, method) : undefined
  return async (c) => {
    const bindings = getBindings(c)
    const { document, capture } = bindings
    const where = findWhere && (await findWhere(c))
    if (!where && method !== 'GET') assertNoPrecondition(c, document)
    if (!body && method !== 'GET' && !document) await assertNoBody(c, context)
    const parameters = query && !document ? takeParameters(c, context, list) : {}
    const args = list && rowModel !== undefined ? api.query(c, rowModel) : undefined
    // Rejects invalid parameters before the route writes anything.
    if (rowModel === undefined) assertNoParameters(c, context)
    else if (!args) api.select(c, rowModel)
    const call = async (guarded: object | undefined) =>
      callRoute(
        bindings,
        route,
        {
          ...(guarded && { where: guarded }),
          ...(args && { args }),
          ...(query && { query: document ? document['query'] : await applyQuerySchema(query, parameters) }),
          ...(body && { body: document ? document['body'] : await readValidBody(c, body, context) }),
        },
        document ? locateInOperation : locateInRequest,
      )
    const value =
      where && model && method !== 'GET' ? await callIfMet(c, api, where, model, context, call) : await call(where)
    if (rowModel !== undefined) {
      const { rows, ...count } = args ? toListResult(value, route.label) : { rows: value }
      return api.reply(c, rowModel, rows, {
        ...count,
        parameters: Object.entries(parameters).map(([name, text]) => ({ name, value: text })),
      })
    }
    const respond = () => (result === undefined ? respondNoContent() : valueResponse(value, context, capture))
    const response = method === 'GET' ? respond() : await respondToWrite(respond)
    return mergeContextHeaders(c, response)
  }
}

/**
 * Creates a function that returns the unique `where` of the row in the request's path. As in RPC, it contains the model's id, even if
 * `externalIdMapping` identifies the model by other fields in paths. Then the function also finds the row. It throws a RequestError: 404 if the
 * row cannot exist or was not found, 403 if its id is not readable.
 */
function createRowFinder(
  api: ErasedRestApi,
  model: RestModel,
  method: string,
): (c: Context) => object | Promise<object> {
  const { name, id } = model.model
  if (model.id.criterion === id) return (c) => api.id(c, name)
  const modelId = createIdDefinition(model.model, id)
  const select = selectFields(idFields(model.model))
  return async (c) => {
    const where = api.id(c, name)
    const orm = await api.orm(c)
    const row = await findUnique(method === 'GET' ? orm : getPrimary(orm), model, { where, select })
    // `rowId` throws if rules hide the id. Prisma ignores undefined in a filter, so the route must not receive it.
    const values = row && parseId(modelId, rowId(modelId, row))
    if (!values) throw notFoundError(model)
    return uniqueWhere(modelId, values)
  }
}

const locateInRequest: LocateInput = (part, path) => ({
  source: part === 'body' ? { pointer: path.reduce(childPointer, '') } : { parameter: path[0] },
})

const locateInOperation: LocateInput = (part, path) => ({
  source: { pointer: part === 'body' ? path.reduce(childPointer, '/meta/body') : '/href' },
})

/**
 * Rejects a precondition of a route that has no resource to compare it with. If it were ignored, callers could overwrite other changes.
 * @param document the document of an operation, which has no headers
 * @throws RequestError 400 for `meta.version`, 412 for a header
 */
function assertNoPrecondition(c: Context, document: JsonObject | undefined): void {
  const version = document && findDocumentVersion(document)
  if (version) throw malformedDocument('This route has no version, because its path has no id.', version.pointer)
  const fix = 'This route has no version, because its path has no id. Remove the header.'
  if (!document) rejectConditionalHeaders(c.req.raw.headers, fix, 'precondition-failed')
}

/**
 * Calls a route if the resource meets the precondition of the request. The `where` of the call contains the version, so that a write with
 * it also fails if another request changes the resource in between.
 * @throws RequestError 404 if the resource does not exist, 412 if it does not meet the precondition, 428 if a required precondition is missing
 */
async function callIfMet(
  c: Context,
  api: ErasedRestApi,
  where: object,
  model: RestModel,
  context: RestContext,
  call: (where: object) => Promise<unknown>,
): Promise<unknown> {
  const condition = parsePrecondition(c, model, context, getBindings(c).document)
  if (!condition) return call(where)
  const { match, isCreateOnly } = condition
  const { version } = model.model
  const guarded = version && !isCreateOnly ? { ...where, ...condition.where(model) } : where
  const orm = getPrimary(await api.orm(c))
  const found = { orm, model, where: { ...where }, condition }
  const exists = (criteria: object) => findUnique(orm, model, { where: { ...criteria }, select: rowSelect(model) })
  // `If-None-Match: *` requires that the resource does not exist, all other preconditions require that it does.
  const isMet = !isCreateOnly && (!match || version !== undefined) && (await exists(guarded))
  if (!isMet) {
    if (await exists(where)) throw condition.failedError(model)
    if (!isCreateOnly) throw notFoundError(model)
  }
  try {
    return await call(guarded)
  } catch (error) {
    throw (await condition.findError(error, found)) ?? error
  }
}

/**
 * Returns the validated body. A missing body is treated as `{}`, as in RPC.
 * @throws RequestError 400, 413 or 415 if the body cannot be read, 422 if it is invalid
 */
async function readValidBody(
  c: Context,
  schema: StandardSchema,
  { settings: { limits } }: RestContext,
): Promise<unknown> {
  const request = await readableRequest(c.req)
  const bytes = await readBytes(request, limits.bodyBytes)
  if (bytes.length === 0) return applyBodySchema(schema, {})
  checkContentType(request.headers.get('Content-Type'))
  // `meta` annotates the types of the values, which are already decoded.
  const { meta: _, ...body } = decodeDocument(bytes, limits)
  return applyBodySchema(schema, body)
}

/** @throws RequestError 400 if the request has a body with members; 413 or 415 if it has a body that cannot be read */
async function assertNoBody(c: Context, { settings }: RestContext): Promise<void> {
  const bytes = await readBytes(await readableRequest(c.req), settings.limits.bodyBytes)
  if (bytes.length === 0) return
  const [member] = Object.keys(decodeDocument(bytes, settings.limits))
  if (member !== undefined)
    throw malformedDocument('This route has no body. Remove the members of the body.', childPointer('', member))
}

/** @throws RequestError 400 if the query has parameters other than those of the route, which are already removed */
function assertNoParameters(c: Context, { settings }: RestContext): void {
  checkAccept(c.req.header('Accept'))
  try {
    parseQuery(c.req.url, 'none', settings.families)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const detail = 'This route does not support this parameter, because its result is not a resource.'
    throw mapErrors(error, (one) => (one.code === 'unsupported-parameter' ? { ...one, detail } : one))
  }
}

/**
 * Removes the parameters that JSON:API does not define from a request's URL and returns their values.
 * @param isList see {@link splitQuery}
 */
function takeParameters(c: Context, context: RestContext, isList: boolean): SplitQuery['parameters'] {
  const { parameters, remaining } = splitQuery(c.req.url, context, isList)
  const [url = ''] = c.req.url.split('?', 1)
  const { method, headers, signal } = c.req.raw
  c.req.raw = new Request(remaining.length > 0 ? `${url}?${remaining.join('&')}` : url, { method, headers, signal })
  return parameters
}

/**
 * Returns a document with a value that is not a resource. JSON:API only allows such values in `meta`, which also annotates their types.
 * @param capture receives the members of `meta` instead, if the value will be part of the response to atomic operations
 */
function valueResponse(value: unknown, { settings }: RestContext, capture: CaptureResult): Response {
  const { responseBytes } = settings.limits
  const { json, meta } = serialize({ meta: { result: value ?? null } })
  const serialization = meta === undefined ? '' : `,"serialization":${meta}`
  const members = json.slice('{"meta":{'.length, -'}}'.length) + serialization
  if (capture) return capture('', members)
  const text = `{"meta":{${members}},"jsonapi":${JSON.stringify(JSONAPI)}}`
  if (exceedsByteLength(responseBytes, text)) throw responseTooLargeError(responseBytes)
  return new Response(text, { headers: RESPONSE_HEADERS })
}
