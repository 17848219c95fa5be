import type { Hono } from 'hono'

import type { Feature } from '../../http/feature.js'
import { rpcFeature, TRANSACTION_PATH } from '../../rpc/rpc-features.js'
import { didYouMean } from '../../errors/did-you-mean.js'
import { type LogOutage, createOutageLog } from '../../errors/logging.js'
import { type ErrorDetail, RequestError, mapErrors } from '../../errors/request-error.js'
import { rolledBackError } from '../../errors/respond-to-write.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { rejectConditionalHeaders } from '../../http/reject-conditional-headers.js'
import { runPreparedCall } from '../../http/routing/execute-prepared-route.js'
import {
  createPostEndpoint,
  explainError,
  type PostEndpoint,
  type PostEndpointEnv,
} from '../../http/routing/endpoints.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { isRouteMethod, listRoutes } from '../../http/routing/route.js'
import { countRows } from '../../http/telemetry.js'
import { type Limits, costLimitMessage } from '../../limits.js'
import { getPrimary } from '../../prisma/replicas.js'
import { runStepsInTransaction, type Step } from '../../prisma/transactions/retry-on-conflict.js'
import { invalidArguments, invalidValue, limitExceeded, quoteText } from '../../rpc/guard/argument-helpers.js'
import { argumentsCost } from '../../rpc/guard/assert-cost.js'
import type { TransactionRoute, TransactionRoutes } from '../../rpc/custom/custom-rpc-routes.js'
import { argumentsFromBody, readJsonBody } from '../../rpc/parse-arguments.js'
import type { RouterContext } from '../../rpc/rpc-router.js'
import { type RpcAction, VERSION_HINT } from '../../rpc/rpc-actions.js'
import { assertRowLimit } from '../../rpc/rpc-operations.js'
import { successResponse } from '../../rpc/rpc-responses.js'
import { type ExposedOperation, validateCall } from '../../rpc/validate-call.js'
import { isObject } from '../../values/is-object.js'

/**
 * Enables transactions: a list of operations that run in order, all or nothing.
 * Called by the emitted `index.ts`.
 */
export function transactions(): Feature<'transactions'> {
  return rpcFeature('transactions', transactionService)
}

/** The keys of an operation. */
const OPERATION_KEYS = ['model', 'op', 'args']

/**
 * Creates the endpoint for transactions, which runs a list of operations in order, all or nothing. The body is a list of
 * `{ model, op, args }`, and the response is a list of results in the same order. Operations have the same permissions as single requests.
 * @param routers the routers of the models, by each accepted spelling of a model's name
 * @param routes the declared routes that transactions can call
 * @throws Error if a router has middleware, because transactions would bypass it, or if a route has the name of a generated operation
 */
function transactionService(
  routers: ReadonlyMap<string, Hono<ApiEnv>>,
  context: RouterContext,
  routes?: TransactionRoutes,
): PostEndpoint {
  for (const [name, router] of routers) {
    if (router.routes.every(({ method }) => isRouteMethod(method))) continue
    throw new Error(
      `The RPC routes of ${name} have middleware, which transactions would skip. Remove "transactions" from the list "rpc" of the generator block, or set transactions: false.`,
    )
  }
  const models = new Map([...routers].map(([name, router]) => [name, generatedOperations(router, context)]))
  for (const route of routes?.callable ?? []) addRoute(models, route, context)
  const logOutage = createOutageLog()
  return createPostEndpoint(TRANSACTION_PATH, '$transaction', async (request, env) => {
    rejectConditionalHeaders(request.headers, VERSION_HINT)
    const { limits } = context
    const calls = await parseOperations(await parseOperationList(request, limits), models, limits, routes)
    const steps = calls.map((call, index) => createStep(call, index, { env, context, logOutage }))
    return runStepsInTransaction(getPrimary(await env.getOrm()), steps, (done) => {
      env.assertActive()
      if (env.outcome) env.outcome.rows = done.reduce((sum, { rows = 0 }) => sum + rows, 0)
      return successResponse(
        done.map(({ data }) => data),
        200,
        context,
      )
    })
  })
}

/** The operations that a transaction may contain: spelling of a model or group → operation → the parser of its arguments. */
type OperationsByModel = ReadonlyMap<string, ReadonlyMap<string, ParseCall>>

/**
 * Validates the arguments of an operation.
 * @throws RequestError 400
 */
type ParseCall = (args: unknown) => TransactionCall | Promise<TransactionCall>

/** A call of an operation with validated arguments. */
interface TransactionCall {
  /** The cost of the conditions and sort orders in its arguments, in points. */
  readonly cost: number
  readonly explain: (error: unknown) => Promise<unknown>
  /** Makes the call with the client of the transaction. */
  readonly run: (orm: unknown, env: PostEndpointEnv) => Promise<CallResult>
}

interface CallResult {
  readonly result: unknown
  readonly toResponseData: (result: unknown) => unknown
}

function generatedOperations(router: Hono<ApiEnv>, context: RouterContext): Map<string, ParseCall> {
  const routes: readonly RpcAction[] = listRoutes(router)
  return new Map(
    routes.flatMap(({ operation, exposed }) => (exposed ? [[operation, generatedOperation(exposed, context)]] : [])),
  )
}

function generatedOperation(exposed: ExposedOperation, context: RouterContext): ParseCall {
  const { model, call } = exposed
  return (args) => {
    const parsed = validateCall(exposed, argumentsFromBody(model, args, context.limits), context)
    return {
      cost: argumentsCost(model, parsed.args),
      explain: parsed.explain,
      async run(orm) {
        const { toResponseData, ...prepared } = await parsed.prepare(orm)
        return { result: await runPreparedCall(prepared, call), toResponseData }
      },
    }
  }
}

/** @throws Error if the route has the name of a generated operation */
function addRoute(
  models: Map<string, Map<string, ParseCall>>,
  route: TransactionRoute,
  { limits }: RouterContext,
): void {
  const { spellings, name, label } = route
  const parse: ParseCall = async (args) => {
    const { run, toResponseData } = await route.parse(argumentsFromBody(undefined, args, limits))
    return {
      // An id costs nothing, and conditions of the app are not limited.
      cost: 0,
      explain: async (error) => error,
      run: async (orm, { getContext }) => ({
        result: await run({ getContext, getOrm: () => orm }),
        toResponseData: (result) => toResponseData(result, orm),
      }),
    }
  }
  for (const spelling of spellings) {
    const operations = models.get(spelling) ?? new Map<string, ParseCall>()
    if (operations.has(name)) {
      throw new Error(
        `The route ${label} must not have "transaction", because a generated operation has the same name.`,
      )
    }
    models.set(spelling, operations.set(name, parse))
  }
}

/** The result of an operation. */
interface OperationOutcome {
  readonly data: unknown
  readonly rows: number | undefined
  /** The total number of rows in the lists of this operation and those before it. */
  readonly totalRows: number
}

interface StepContext {
  readonly env: PostEndpointEnv
  readonly context: RouterContext
  readonly logOutage: LogOutage
}

function createStep(
  call: TransactionCall,
  index: number,
  { env, context, logOutage }: StepContext,
): Step<OperationOutcome> {
  return {
    async run(orm, before) {
      env.assertActive()
      const { result, toResponseData } = await call.run(orm, env)
      const rows = Array.isArray(result) ? result.length : 0
      // All rows are held in memory until the transaction ends.
      const totalRows = rows + (before.at(-1)?.totalRows ?? 0)
      assertRowLimit(totalRows, context.limits.rows)
      return { data: toResponseData(result), rows: countRows(result), totalRows }
    },
    explain: (error) => explainError(error, { ...env, explain: call.explain }),
    locate: (error) =>
      relocateError(toRequestError(error, context.schema, env, logOutage), [index, 'args'], { cause: error }),
  }
}

/** Reads the list of operations from the body, and checks only its length. */
async function parseOperationList(request: Request, limits: Limits): Promise<readonly unknown[]> {
  // The list and the operation objects do not count toward the depth of the arguments.
  const body = await readJsonBody(request, { ...limits, depth: limits.depth + 1 })
  if (!Array.isArray(body)) {
    return invalidArguments(
      'invalid-arguments',
      'The body must be a list of operations: [{ "model": …, "op": …, "args": … }].',
    )
  }
  const { operations } = limits
  if (body.length <= operations) return body
  return limitExceeded('operations', `A transaction must not have more than ${operations} operations.`)
}

async function parseOperations(
  list: readonly unknown[],
  models: OperationsByModel,
  limits: Limits,
  routes: TransactionRoutes | undefined,
): Promise<readonly TransactionCall[]> {
  const calls: TransactionCall[] = []
  for (const [index, input] of list.entries()) {
    const { parse, args } = await withOperationPath([index], () => parseOperation(input, models, routes))
    calls.push(await withOperationPath([index, 'args'], () => parse(args)))
  }
  const cost = calls.reduce((sum, call) => sum + call.cost, 0)
  if (cost > limits.filterCost) limitExceeded('filterCost', costLimitMessage(cost, limits))
  return calls
}

/** Finds the operation that the input names. Does not validate its arguments. */
function parseOperation(
  input: unknown,
  models: OperationsByModel,
  routes: TransactionRoutes | undefined,
): { readonly parse: ParseCall; readonly args: unknown } {
  if (!isObject(input)) return invalidArguments('invalid-arguments', 'An operation must be an object.', '')
  for (const name of Object.keys(input)) {
    if (!OPERATION_KEYS.includes(name))
      invalidArguments('invalid-arguments', `Unknown key ${quoteText(name)} in an operation.`, name)
  }
  const { model, op, args = {} } = input
  if (typeof model !== 'string') return invalidValue('model', 'must be the name of a model')
  if (typeof op !== 'string') return invalidValue('op', 'must be the name of an operation')
  const operations = models.get(model)
  const parse = operations?.get(op)
  if (!parse) routes?.rejectOthers(model, op)
  if (!operations) {
    const detail = `Unknown model ${quoteText(model)}.${didYouMean(model, models.keys())}`
    return invalidArguments('unsupported-model', detail, 'model')
  }
  if (!parse) {
    const available = [...operations.keys()].join(', ')
    return invalidArguments('unknown-path', `Unknown operation ${quoteText(op)}. Available: ${available}.`, 'op')
  }
  return { parse, args }
}

/** A path in the list of operations: the index of an operation, and keys inside it. */
type OperationPath = readonly [index: number, ...keys: string[]]

/** Runs a function, and adds the operation and the path to its errors. */
async function withOperationPath<R>(path: OperationPath, work: () => R | Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof RequestError ? relocateError(error, path) : error
  }
}

/**
 * Adds the operation and the path to an error.
 * @param options contains the database error as the cause, for observers
 */
function relocateError(error: RequestError, path: OperationPath, options?: ErrorOptions): RequestError {
  const operation = `Operation ${path[0]}`
  const relocate = (detail: ErrorDetail): ErrorDetail => ({
    ...rolledBackError(detail),
    operation,
    path: [...path, ...getPath(detail)],
  })
  return mapErrors(error, relocate, options)
}

/** Returns the path in the arguments. If an error of the app names a field, the path refers to the data. */
function getPath({ path, field }: ErrorDetail): readonly (string | number)[] {
  return path ?? (field === undefined ? [] : ['data', field])
}
