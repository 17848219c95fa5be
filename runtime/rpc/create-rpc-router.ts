import { type Context, Hono } from 'hono'
import { respondToWrite } from '../errors/respond-to-write.js'
import { RequestError } from '../errors/request-error.js'
import { readableRequest } from '../http/read-body.js'
import type { ApiEnv } from '../http/handler-types.js'
import { type ClientCall, executePreparedRoute, type PreparedRoute } from '../http/execute-prepared-route.js'
import { retryCallOnConflict, retryOnRace } from '../orm/retry-on-conflict.js'
import { getPrimary } from '../orm/replicas.js'
import type { Model } from '../schema/model.js'
import { handleCheck } from './handle-check.js'
import { RPC_OPERATIONS } from './rpc-operations.js'
import { parseArguments } from './parse-arguments.js'
import type { ErasedRpcRouter } from './rpc-router-types.js'
import { successResponse } from './success-response.js'
import type { RouterContext } from './router-context.js'
import { type ExposedOperation, validateCall } from './validate-call.js'

/** The router of a model. Other endpoints can call its operations too. */
export interface ModelRouter extends ErasedRpcRouter {
  /** The exposed operations by name. */
  readonly exposed: ReadonlyMap<string, ExposedOperation>
}

/** Creates the router to which the emitted code adds a model's operations. */
export function createRpcRouter(model: Model, context: RouterContext): ModelRouter {
  const hono = new Hono<ApiEnv>()
  const exposed = new Map<string, ExposedOperation>()
  const route = (methods: readonly string[], path: string, call: ClientCall) => {
    const name = path.slice(1)
    const operation = RPC_OPERATIONS.get(name)
    if (!operation) throw new Error(`Unknown RPC operation: ${path}`)
    // An upsert is retried if a concurrent request changed the row between its read and its write.
    const clientCall: ClientCall =
      name === 'upsert' ? (orm, args) => retryOnRace(orm, model, args, async () => call(orm, args)) : call
    const isRead = methods.includes('GET')
    const exposedOperation: ExposedOperation = { model, name, operation, call: clientCall, isRead }
    exposed.set(name, exposedOperation)
    hono.on([...methods], path, (c) =>
      executePreparedRoute(prepare(c, exposedOperation, context), clientCall, c.env, retryCallOnConflict),
    )
  }
  return {
    hono,
    exposed,
    on: route,
    post: (path, call) => route(['POST'], path, call),
    delete: (path, call) => route(['DELETE'], path, call),
    exists: (methods, path, call) => route(methods, path, async (orm, args) => (await call(orm, args)) !== null),
    check(methods, path) {
      const { limits } = context
      hono.on([...methods], path, async (c) => {
        const allowed = await handleCheck(
          model,
          await parseArguments(await readableRequest(c.req), model, limits),
          limits,
          () => getClient(c),
        )
        return successResponse(allowed, 200, context)
      })
    },
  }
}

async function prepare(c: Context<ApiEnv>, exposed: ExposedOperation, context: RouterContext): Promise<PreparedRoute> {
  const { model, isRead } = exposed
  if (!isRead) rejectConditionalHeaders(c)
  const parsed = validateCall(
    exposed,
    await parseArguments(await readableRequest(c.req), model, context.limits),
    context,
  )
  const client = await getClient(c)
  c.env.explain = parsed.explain
  const { toResponseData, ...prepared } = await parsed.prepare(isRead ? client : getPrimary(client))
  const { status } = exposed.operation
  return {
    ...prepared,
    reply: (result) => {
      const createResponse = () => successResponse(toResponseData(result), status, context)
      return isRead ? createResponse() : respondToWrite(createResponse)
    },
  }
}

/** Rejects `If-Match`, which RPC does not support. If it were ignored, the row would be updated regardless of its version. */
function rejectConditionalHeaders(c: Context<ApiEnv>): void {
  if (c.req.header('If-Match') === undefined) return
  const detail = 'If-Match is not supported. Send the version of the row in "where".'
  throw new RequestError({ code: 'bad-request', detail })
}

function getClient(c: Context<ApiEnv>): unknown {
  return c.env.getOrm()
}
