import { type Context, Hono } from 'hono'

import { respondToWrite } from '../errors/result-not-readable.js'
import { RequestError } from '../errors/request-error.js'
import { readableRequest } from '../http/read-body.js'
import type { ApiEnv } from '../http/handler-types.js'
import { type ClientCall, executeRoute, type PreparedRoute } from '../http/execute-route.js'
import { type AdjustArgs, stripExtraFields } from '../orm/adjust-computed-args.js'
import type { Dialect } from '../orm/dialect.js'
import type { LockableOf } from '../orm/owner-locks.js'
import { retryCallOnConflict, retryOnRace } from '../orm/retry-on-conflict.js'
import { getPrimary } from '../orm/replicas.js'
import type { Limits } from '../limits.js'
import type { Model, Schema } from '../schema/compile-schema.js'
import { exceedsByteLength } from '../serialization/exceeds-byte-length.js'
import { serialize } from '../serialization/serialize.js'
import { checkOperation } from './check-operation.js'
import { HEADERS } from './render-rpc-error.js'
import { assertCost } from './guard/assert-cost.js'
import { type Args, limitExceeded } from './guard/argument-helpers.js'
import { countIncluded } from './guard/read/selection.js'
import { assertRelatedRows } from './preflight/assert-loaded-rows.js'
import { runPreflight, rangePreflight } from './preflight/run-preflight.js'
import { type CheckedArgs, assertRowLimit, RPC_OPERATIONS, type RpcOperation } from './rpc-operations.js'
import { withSafeLoadStrategy } from './with-safe-load-strategy.js'
import { locateConstraintError } from './locate-constraint-error.js'
import { withOwnerLock } from './with-owner-lock.js'
import { parseArguments } from './parse-arguments.js'
import { withVersionCheck } from './with-version-check.js'
import type { ErasedRpcRouter } from './rpc-router-types.js'

const NO_RUN: Pick<PreparedRoute, 'run'> = {}

const OK = { status: 200, headers: HEADERS }
const CREATED = { status: 201, headers: HEADERS }

/** The context that the routers of all models share. */
export interface RouterContext {
  /** The names of all members that results can have. */
  readonly names: ReadonlySet<string>
  readonly schema: Schema
  readonly limits: Limits
  readonly dialect: Dialect
  readonly adjust: AdjustArgs
  readonly lockableOf: LockableOf
}

/** The router of a model, with the operations that other endpoints can call. */
export interface ModelRouter extends ErasedRpcRouter {
  /** The exposed operations by name. */
  readonly exposed: ReadonlyMap<string, ExposedOperation>
}

/** Creates the router to which a model's emitted operations are added. */
export function createRpcRouter(model: Model, context: RouterContext): ModelRouter {
  const hono = new Hono<ApiEnv>()
  const exposed = new Map<string, ExposedOperation>()
  const route = (methods: readonly string[], path: string, call: ClientCall) => {
    const name = path.slice(1)
    const operation = RPC_OPERATIONS.get(name)
    if (!operation) throw new Error(`Unknown RPC operation: ${path}`)
    // An upsert is retried if a concurrent request came between its read and its write.
    const clientCall: ClientCall =
      name === 'upsert' ? (orm, args) => retryOnRace(orm, model, args, async () => call(orm, args)) : call
    const isRead = methods.includes('GET')
    const exposedOperation: ExposedOperation = { model, name, operation, call: clientCall, isRead }
    exposed.set(name, exposedOperation)
    hono.on([...methods], path, (c) =>
      executeRoute(prepare(c, exposedOperation, context), clientCall, c.env, retryCallOnConflict),
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
        const allowed = await checkOperation(
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
  const parsed = parseCall(exposed, await parseArguments(await readableRequest(c.req), model, context.limits), context)
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

/** Rejects `If-Match`, which the RPC style does not support. Ignoring it would update the row regardless of its version. */
function rejectConditionalHeaders(c: Context<ApiEnv>): void {
  if (c.req.header('If-Match') === undefined) return
  const detail = 'If-Match is not supported here. Put the version of the row in "where".'
  throw new RequestError({ code: 'bad-request', detail })
}

/** An exposed operation of a model. */
export interface ExposedOperation {
  readonly model: Model
  readonly name: string
  readonly operation: RpcOperation
  /** The emitted client call. */
  readonly call: ClientCall
  /** Whether the operation only reads. */
  readonly isRead: boolean
}

/** A call with validated arguments. */
export interface ParsedCall {
  /** The validated arguments. */
  readonly args: Args
  /** Resolves an error of the call, with its position in the arguments. */
  explain(error: unknown): Promise<unknown>
  /** Runs the preflights of the call, with the client that makes it. */
  prepare(orm: unknown): Promise<PreparedCall>
}

/** A call that is ready to be made. */
export interface PreparedCall extends Omit<PreparedRoute, 'reply'> {
  /**
   * Returns the data of the response.
   * @throws RequestError 400 if the result exceeds a limit
   */
  toResponseData(result: unknown): unknown
}

/**
 * Validates the arguments of an operation.
 * @throws RequestError 400
 */
export function parseCall(
  { model, name, operation }: Omit<ExposedOperation, 'call'>,
  input: Args,
  { limits, dialect, schema, adjust, lockableOf }: RouterContext,
): ParsedCall {
  const checked = operation.check(model, input, limits)
  assertCost(model, checked.args, limits)
  return {
    args: checked.args,
    explain: async (error) => locateConstraintError(error, schema, model, checked.args['data']),
    async prepare(orm) {
      for (const preflight of rangePreflight(model, name, checked.args, dialect))
        await runPreflight(orm, model, preflight, limits)
      if (checked.preflights)
        for (const preflight of checked.preflights) await runPreflight(orm, model, preflight, limits)
      const { args, extra } = operation.rows
        ? adjust(
            orm,
            model,
            name.endsWith('AndReturn') ? checked.args : withSafeLoadStrategy(model, checked.args, dialect),
          )
        : { args: checked.args, extra: undefined }
      const prepared: PreparedCall = {
        orm,
        args,
        toResponseData(result) {
          assertBounds(result, checked, limits)
          return stripExtraFields(result, extra)
        },
      }
      const { owners } = checked
      const { run } = owners
        ? withOwnerLock({ orm, model, args, owners, isUpsert: name === 'upsert' }, dialect, lockableOf)
        : NO_RUN
      if (name !== 'update' && name !== 'delete') return run ? { ...prepared, run } : prepared
      return { ...prepared, ...withVersionCheck({ orm, model, args }, run, dialect, lockableOf) }
    },
  }
}

function getClient(c: Context<ApiEnv>): unknown {
  return c.env.getOrm()
}

function assertBounds(result: unknown, { maxRows, relations }: CheckedArgs, limits: Limits): void {
  if (maxRows !== undefined && Array.isArray(result)) assertRowLimit(result.length, maxRows)
  if (relations) assertRelatedRows(countIncluded(result, relations, limits.includedRows), limits)
}

/**
 * Creates the response to a successful request.
 * @throws RequestError 400 if it would exceed the size limit
 */
export function successResponse(
  result: unknown,
  status: 200 | 201,
  { names, limits }: Pick<RouterContext, 'names' | 'limits'>,
): Response {
  const maxBytes = limits.responseBytes
  const throwTooLarge = () =>
    limitExceeded('responseBytes', `The response would exceed ${maxBytes} bytes. Take fewer rows, or select less.`)
  const { json, meta } = serialize(result ?? null, names, { maxBytes, throwTooLarge })
  const body = meta === undefined ? `{"data":${json}}` : `{"data":${json},"meta":{"serialization":${meta}}}`
  if (exceedsByteLength(maxBytes, body)) throwTooLarge()
  return new Response(body, status === 200 ? OK : CREATED)
}
