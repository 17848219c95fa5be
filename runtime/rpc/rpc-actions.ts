import type { Context } from 'hono'

import { respondToWrite } from '../errors/respond-to-write.js'
import { type ClientCall, executePreparedRoute, type PreparedRoute } from '../http/routing/execute-prepared-route.js'
import type { ApiEnv } from '../http/handler-types.js'
import { readableRequest } from '../http/read-body.js'
import { rejectConditionalHeaders } from '../http/reject-conditional-headers.js'
import { type ActionHandler, type RouteAction, withAction } from '../http/routing/route.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import type { Limits } from '../limits.js'
import type { Call, ModelName, TypeMap } from '../prisma/client-types.js'
import { policyCheckOf, type CheckedAction } from '../prisma/policy-check.js'
import { getPrimary } from '../prisma/replicas.js'
import { retryCallOnConflict, retryOnRace } from '../prisma/transactions/retry-on-conflict.js'
import type { Model } from '../schema/model.js'
import type { Operation } from '../schema/resource.js'
import { type Args, expectEnum, expectNames } from './guard/argument-helpers.js'
import { assertCost } from './guard/assert-cost.js'
import { where } from './guard/where/where.js'
import { parseArguments } from './parse-arguments.js'
import type { RouterContext, RpcModelApi } from './rpc-router.js'
import * as operations from './rpc-operations.js'
import { successResponse, successStatus } from './rpc-responses.js'
import { type ExposedOperation, validateCall } from './validate-call.js'

/** The operation that an RPC route performs. */
export interface RpcAction extends RouteAction {
  /** The operation that a transaction can run. Undefined for `check`, which cannot be part of a transaction. */
  readonly exposed?: ExposedOperation
}

/** An RPC route of a model (contract 4.3). The `call` that an action receives is the only part with the types of the Prisma client. */
export type RpcRoute = ActionHandler<RpcAction>

/** Creates the route of an operation from the emitted call. */
type OperationAction<O extends string> = <T extends TypeMap, N extends ModelName<T>>(
  api: RpcModelApi<T, N>,
  call: Call<T, N, O>,
) => RpcRoute

// Bundlers omit the operations that an API does not use.
/** `GET` or `POST /findMany`. */
export const findMany = /* @__PURE__ */ action('findMany', operations.FIND_MANY, true)

/** `GET` or `POST /findFirst`. */
export const findFirst = /* @__PURE__ */ action('findFirst', operations.FIND_FIRST, true)

/** `GET` or `POST /findFirstOrThrow`. */
export const findFirstOrThrow = /* @__PURE__ */ action('findFirstOrThrow', operations.FIND_FIRST, true)

/** `GET` or `POST /findUnique`. */
export const findUnique = /* @__PURE__ */ action('findUnique', operations.FIND_UNIQUE, true)

/** `GET` or `POST /findUniqueOrThrow`. */
export const findUniqueOrThrow = /* @__PURE__ */ action('findUniqueOrThrow', operations.FIND_UNIQUE, true)

/** `GET` or `POST /count`. */
export const count = /* @__PURE__ */ action('count', operations.COUNT, true)

/** `GET` or `POST /aggregate`. */
export const aggregate = /* @__PURE__ */ action('aggregate', operations.AGGREGATE, true)

/** `GET` or `POST /groupBy`. */
export const groupBy = /* @__PURE__ */ action('groupBy', operations.GROUP_BY, true)

/** `POST /create`. */
export const create = /* @__PURE__ */ action('create', operations.CREATE)

/** `POST /createMany`. */
export const createMany = /* @__PURE__ */ action('createMany', operations.CREATE_MANY)

/** `POST /createManyAndReturn`. */
export const createManyAndReturn = /* @__PURE__ */ action('createManyAndReturn', operations.CREATE_MANY_AND_RETURN)

/** `PATCH` or `PUT /update`. */
export const update = /* @__PURE__ */ action('update', operations.UPDATE)

/** `PATCH` or `PUT /updateMany`. */
export const updateMany = /* @__PURE__ */ action('updateMany', operations.UPDATE_MANY)

/** `PATCH` or `PUT /updateManyAndReturn`. */
export const updateManyAndReturn = /* @__PURE__ */ action('updateManyAndReturn', operations.UPDATE_MANY_AND_RETURN)

/** `DELETE /delete`. */
const deleteRow = /* @__PURE__ */ action('delete', operations.DELETE)

/** `DELETE /deleteMany`. */
export const deleteMany = /* @__PURE__ */ action('deleteMany', operations.DELETE_MANY)

export { deleteRow as delete }

/** `POST /upsert`. Retries if a concurrent request changed the row between the read and the write of the upsert. */
export function upsert<T extends TypeMap, N extends ModelName<T>>(
  api: RpcModelApi<T, N>,
  call: Call<T, N, 'upsert'>,
): RpcRoute {
  const { model } = scopeOf(api)
  const erased: ClientCall = call
  return operationRoute(api, 'upsert', operations.UPSERT, (orm, args) =>
    retryOnRace(orm, model, args, async () => erased(orm, args)),
  )
}

/** `GET` or `POST /exists`: whether a matching row exists. The call loads only the id of the first row. */
export function exists<T extends TypeMap, N extends ModelName<T>>(
  api: RpcModelApi<T, N>,
  call: Call<T, N, 'findFirst'>,
): RpcRoute {
  const erased: ClientCall = call
  return operationRoute(api, 'exists', operations.EXISTS, async (orm, args) => (await erased(orm, args)) !== null, true)
}

/** `GET` or `POST /check`: whether the caller may read, create, update or delete rows. */
export function check<T extends TypeMap, N extends ModelName<T>>(api: RpcModelApi<T, N>): RpcRoute {
  const { model, context } = scopeOf(api)
  const { limits } = context
  return withAction({ operation: 'check' }, async (c) => {
    const args = await parseArguments(await readableRequest(c.req), model, limits)
    const allowed = await handleCheck(model, args, limits, () => c.env.getOrm())
    return successResponse(allowed, 200, context)
  })
}

/** The model and the context behind the typed `api` of an emitted router. */
export interface RpcScope {
  readonly model: Model
  readonly context: RouterContext
}

function scopeOf(api: object): RpcScope {
  return unsafeCast(api)
}

function action<O extends string>(name: O, operation: operations.RpcOperation, isRead?: boolean): OperationAction<O> {
  return (api, call) => operationRoute(api, name, operation, call, isRead)
}

function operationRoute(
  api: object,
  name: string,
  operation: operations.RpcOperation,
  call: ClientCall,
  isRead = false,
): RpcRoute {
  const { model, context } = scopeOf(api)
  const exposed: ExposedOperation = { model, name, operation, call, isRead }
  return withAction({ operation: name, exposed }, (c) =>
    executePreparedRoute(prepare(c, exposed, context), call, c.env, retryCallOnConflict),
  )
}

async function prepare(c: Context<ApiEnv>, exposed: ExposedOperation, context: RouterContext): Promise<PreparedRoute> {
  const { model, isRead } = exposed
  if (!isRead) rejectConditionalHeaders(c.req.raw.headers, VERSION_HINT)
  const parsed = validateCall(
    exposed,
    await parseArguments(await readableRequest(c.req), model, context.limits),
    context,
  )
  const client = await c.env.getOrm()
  c.env.explain = parsed.explain
  const { toResponseData, ...prepared } = await parsed.prepare(isRead ? client : getPrimary(client))
  const status = successStatus(exposed.name)
  return {
    ...prepared,
    reply: (result) => {
      const createResponse = () => successResponse(toResponseData(result), status, context)
      return isRead ? createResponse() : respondToWrite(createResponse)
    },
  }
}

/** The fix that errors about conditional headers suggest to callers of RPC. */
export const VERSION_HINT = 'Send the version in "where".'

const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies readonly CheckedAction[]

const OPERATIONS: Readonly<Record<CheckedAction, readonly Operation[]>> = {
  read: ['list', 'get'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
}

/**
 * Handles `check`: returns whether the model exposes an operation and the client's access policies, if any, allow it. `where` is validated
 * like any other filter.
 * @param input `{ operation, where? }`
 * @param client returns the client of the request
 */
async function handleCheck(model: Model, input: Args, limits: Limits, client: () => unknown): Promise<boolean> {
  expectNames(input, ['operation', 'where'], '')
  const operation = expectEnum(input['operation'], ACTIONS, 'operation')
  const filter = Object.hasOwn(input, 'where') ? where(model, input['where'], 'where', limits) : undefined
  assertCost(model, { where: filter }, limits)
  if (!OPERATIONS[operation].some((candidate) => model.operations.has(candidate))) return false
  const allows = policyCheckOf(await client())
  return allows ? allows(model.name, operation, filter) : true
}
