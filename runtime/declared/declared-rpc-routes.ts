import type { Context } from 'hono'

import { isRowMissing } from '../errors/database/classify-database-error.js'
import { RequestError } from '../errors/request-error.js'
import type { ClientAccessors } from '../http/client-accessors.js'
import { rejectConditionalHeaders } from '../http/reject-conditional-headers.js'
import { type DefineRoutes, getBindings } from '../http/routing/custom-routes.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { getPrimary } from '../prisma/replicas.js'
import {
  applyArgumentSchema,
  buildRpcRoutes,
  type CustomRouteContext,
  type CustomRpcRoutes,
  toResponseRows,
  type TransactionRoute,
} from '../rpc/custom/custom-rpc-routes.js'
import type { ErasedRpcApi } from '../rpc/custom/rpc-api.js'
import { type Args, expectObject, invalidArguments, invalidValue, unknownName } from '../rpc/guard/argument-helpers.js'
import { whereUnique } from '../rpc/guard/where/where.js'
import { FIND_MANY, SELECTION } from '../rpc/rpc-operations.js'
import type { RouterContext, VersionedRow } from '../rpc/rpc-router.js'
import { validateCall } from '../rpc/validate-call.js'
import type { Limits } from '../limits.js'
import type { Model } from '../schema/model.js'
import { isObject } from '../values/is-object.js'
import { callRoute, type RouteInput, toListResult } from './call-route.js'
import { assertNotReserved } from './check-declaration.js'
import {
  type DeclaredRoute,
  findRouteModel,
  getResultModel,
  type Implementations,
  listDeclaredRoutes,
  notInTransaction,
  type RouteModels,
} from './list-routes.js'
import { assertNotGenerated, createGroupPaths, registerOn } from './register-routes.js'
import type { RouteDeclarations } from '../http/routing/declaration-types.js'

/**
 * Prepares declared routes for the RPC handler: `POST /post/publish`.
 * Called by the emitted `implementRoutes`.
 * @param defineOthers registers hand-written routes and middleware before the declared routes
 * @param hiddenModels the delegate names of the models without emitted routes
 * @throws Error if a declaration is invalid, a route has no implementation, or an implementation has no declaration
 */
export function declaredRpcRoutes<A, C>(
  declarations: RouteDeclarations,
  implementations: Implementations,
  defineOthers?: DefineRoutes<A>,
  hiddenModels: readonly string[] = [],
): CustomRpcRoutes<C> {
  const routes = listDeclaredRoutes(declarations, implementations)
  const customRoutes = buildRpcRoutes<C>((app, api, context, { routers, endpointPaths }) => {
    const returned: unknown = defineOthers?.(app, unsafeCast(api))
    const register = registerOn(app)
    const groups = createGroupPaths(endpointPaths)
    const models: RouteModels = {
      exposed: [...context.schema.values()],
      hidden: hiddenModels,
      spellings: ({ name, delegate }) => [name, delegate],
    }
    for (const route of routes) {
      const path = `/${route.name}`
      const model = findRouteModel(route, models)
      assertNotReserved(route, 'RPC', (name, part) => findReservedUse(name, part, route, model))
      const segment = model?.name.toLowerCase() ?? groups.add(route, path)
      assertNotGenerated(route, path, routers.get(segment), 'RPC')
      register(route.declaration.method, `/${segment}${path}`, createRpcAction(route, model, api, context))
    }
    return { returned, groups: groups.paths }
  })
  return {
    ...customRoutes,
    declarations,
    transactionRoutes(context) {
      const models = [...context.schema.values()]
      const all = routes.map((route) => {
        const model = models.find(({ delegate }) => delegate === route.group)
        return { ...createTransactionRoute(route, model, context), declaration: route.declaration }
      })
      return {
        callable: all.filter(({ declaration }) => declaration.transaction),
        rejectOthers(group, operation) {
          const found = all.find(({ spellings, name }) => name === operation && spellings.has(group))
          if (found) invalidArguments('unknown-path', notInTransaction([found.declaration.method]), 'op')
        },
      }
    },
  }
}

/** Returns what requests to a route use an argument for that is not part of its body or query, or undefined. */
function findReservedUse(
  name: string,
  part: 'body' | 'query',
  { hasId, declaration: { method, list } }: DeclaredRoute,
  model: Model | undefined,
): string | undefined {
  if (part === 'body' && name === 'meta') return 'the types of values'
  if (hasId && name === model?.id) return 'the id of the row'
  if (hasId && method !== 'GET' && name === model?.version?.name) return 'the version of the row'
  return list && LIST_ARGUMENTS.has(name) ? 'an argument of the list' : undefined
}

function createRpcAction(
  route: DeclaredRoute,
  model: Model | undefined,
  api: ErasedRpcApi,
  context: CustomRouteContext,
): (c: Context) => Promise<Response> {
  const rowModel = getResultModel(route)
  const listModel = route.declaration.list && rowModel !== undefined ? context.schema.get(rowModel) : undefined
  const version = route.hasId ? model?.version : undefined
  const fix = version ? `Send the version of the row as the argument "${version.name}".` : 'Remove the header.'
  return async (c) => {
    if (route.declaration.method !== 'GET') rejectConditionalHeaders(c.req.raw.headers, fix)
    const args = expectObject(await api.args(c), '')
    const { listArgs, localArgs } = listModel ? takeListArguments(args, model?.id) : { listArgs: {}, localArgs: args }
    const input = await parseInput(route, model, localArgs, context.limits)
    const prepared = listModel && (await prepareList(listModel, listArgs, await api.orm(c), context))
    const fullInput = { ...input, ...(prepared && { args: prepared.args }) }
    const value = await callWithVersion(getBindings(c), route, model, fullInput, context)
    if (rowModel === undefined) return api.value(c, value)
    return api.reply(c, rowModel, prepared ? prepared.toResponseData(toListResult(value, route.label).rows) : value)
  }
}

const LIST_ARGUMENTS = new Set([...FIND_MANY.names, ...SELECTION])

/**
 * Separates the arguments of `findMany` from those of the route itself.
 * @param idName the name of the id in the arguments of the route
 */
function takeListArguments(
  args: Args,
  idName: string | undefined,
): { readonly listArgs: Args; readonly localArgs: Args } {
  const isOfList = (name: string) => LIST_ARGUMENTS.has(name) && name !== idName
  const entries = Object.entries(args)
  return {
    listArgs: Object.fromEntries(entries.filter(([name]) => isOfList(name))),
    localArgs: Object.fromEntries(entries.filter(([name]) => !isOfList(name))),
  }
}

function createTransactionRoute(
  route: DeclaredRoute,
  model: Model | undefined,
  context: CustomRouteContext,
): TransactionRoute {
  const rowModel = getResultModel(route)
  const { group, name, label } = route
  return {
    spellings: new Set(model ? [model.name.toLowerCase(), model.delegate, model.name] : [group.toLowerCase(), group]),
    name,
    label,
    async parse(args) {
      const input = await parseInput(route, model, args, context.limits)
      return {
        run: (accessors) => callWithVersion(accessors, route, model, input, context),
        toResponseData: (result, orm) =>
          rowModel === undefined ? (result ?? null) : toResponseRows(rowModel, result, orm, context),
      }
    },
  }
}

/**
 * Calls a route. If `where` contains a version, the call fails if the row has a different one.
 * @throws RequestError 412 if the row has a different version, before or after the call; 404 if a row with a version in `where` is missing
 */
async function callWithVersion(
  accessors: Pick<ClientAccessors, 'getContext' | 'getOrm'>,
  route: DeclaredRoute,
  model: Model | undefined,
  input: RouteInput,
  { versionedWrites }: RouterContext,
): Promise<unknown> {
  const call = () => callRoute(accessors, route, input, (_part, path) => ({ path }))
  const { where } = input
  const version = model?.version
  if (!versionedWrites || !version || !where || !Object.hasOwn(where, version.name)) return call()
  const row: VersionedRow = { orm: getPrimary(await accessors.getOrm()), model, version, where: { ...where } }
  const conflictError = () => versionedWrites.versionConflictError(model, version.name)
  const state = await versionedWrites.compareVersion(row)
  if (state === 'outdated') throw conflictError()
  if (state === 'missing')
    throw new RequestError({ code: 'not-found', detail: `There is no ${model.name} with this id.`, path: [model.id] })
  try {
    return await call()
  } catch (error) {
    throw isRowMissing(error, model.name) && (await versionedWrites.compareVersion(row)) === 'outdated'
      ? conflictError()
      : error
  }
}

/**
 * Validates the arguments of a list and runs the queries that check its limits, like `findMany`.
 * @throws RequestError 400 if the arguments are invalid or exceed a limit
 */
async function prepareList(model: Model, input: Args, orm: unknown, context: RouterContext) {
  const findMany = { model, name: 'findMany', operation: FIND_MANY, isRead: true }
  const { args, toResponseData } = await validateCall(findMany, input, context).prepare(orm)
  return { args: { where: {}, ...args }, toResponseData }
}

/**
 * Validates the arguments of a route.
 * @param model the model of the route's path
 * @throws RequestError 400
 */
async function parseInput(
  { declaration: { method, body, query }, hasId }: DeclaredRoute,
  model: Model | undefined,
  args: unknown,
  limits: Limits,
): Promise<RouteInput> {
  const { where, rest } = splitArguments(args, hasId ? model : undefined, method !== 'GET', limits)
  const schema = body ?? query
  if (!schema) for (const key of Object.keys(rest)) unknownName(key, '')
  const input = schema && (await applyArgumentSchema(schema, rest))
  return { ...(where && { where }), ...(body && { body: input }), ...(query && { query: input }) }
}

/**
 * Separates the id, and the version of the row, from the other arguments: `{ id: 7, version: 2, note: 'x' }`. A compound id has the name of
 * its criterion, as in a `where`.
 * @param model the model of the id; undefined if the route has none
 * @param isWrite whether the arguments may contain a version
 * @throws RequestError 400 if the id is missing, or if the id or the version is invalid; 428 if a required version is missing
 */
function splitArguments(args: unknown, model: Model | undefined, isWrite: boolean, limits: Limits) {
  const all = expectObject(args, '')
  if (!model) return { where: undefined, rest: all }
  const { [model.id]: id, ...rest } = all
  if (id === undefined) invalidValue(model.id, 'is required')
  const criteria = { [model.id]: id }
  const { version, versionChecks } = model
  if (!isWrite || !version) return { where: whereUnique(model, criteria, '', limits), rest }
  versionChecks?.assertVersion(rest, '')
  const { [version.name]: current, ...others } = rest
  if (isObject(current) && !(current instanceof Date)) invalidValue(version.name, 'must be the version of the row')
  const where = current === undefined ? criteria : { ...criteria, [version.name]: current }
  return { where: whereUnique(model, where, '', limits), rest: others }
}
