import { type Context, Hono } from 'hono'

import { writeResponse } from '../errors/result-not-readable.js'
import { RequestError } from '../errors/request-error.js'
import { readableRequest } from '../http/body.js'
import type { ApiEnv } from '../http/api-handler.js'
import { type ClientCall, executeRoute, type PreparedRoute } from '../http/execute-route.js'
import { type AdjustArgs, stripExtraFields } from '../orm/computed-args.js'
import type { Dialect } from '../orm/dialect.js'
import type { LockableOf } from '../orm/owner-locks.js'
import { retryCallOnConflict, retryOnRace } from '../orm/retry.js'
import { getPrimary } from '../orm/primary.js'
import type { Limits } from '../limits.js'
import type { Model, Schema } from '../schema/schema.js'
import { exceedsByteLength } from '../serialization/byte-length.js'
import { serialize } from '../serialization/serialize.js'
import { check } from './check.js'
import { HEADERS } from './render-error.js'
import { assertCost } from './guard/cost.js'
import { type Args, limitExceeded } from './guard/arguments.js'
import { countIncluded } from './guard/read/selection.js'
import { assertRelatedRows } from './preflight/loaded-rows.js'
import { runPreflight, rangePreflight } from './preflight/preflight.js'
import { type CheckedArgs, rowLimitError, RPC_OPERATIONS, type RpcOperation } from './operations.js'
import { withSafeLoadStrategy } from './load-strategy.js'
import { locateConstraintError } from './locate-error.js'
import { withOwnerLock } from './owner-lock.js'
import { parseArguments } from './request.js'
import { withVersionCheck } from './version-check.js'
import type { ErasedRpcRouter } from './router.js'

const NO_RUN: Pick<PreparedRoute, 'run'> = {}

const OK = { status: 200, headers: HEADERS }
const CREATED = { status: 201, headers: HEADERS }

/** What the routers of all models share. */
export interface RouterContext {
  /** The members that results have. */
  readonly names: ReadonlySet<string>
  readonly schema: Schema
  readonly limits: Limits
  readonly dialect: Dialect
  readonly adjust: AdjustArgs
  readonly lockableOf: LockableOf
}

/** The router of a model, and what its operations are made with outside of it. */
export interface ModelRouter extends ErasedRpcRouter {
  /** The operations that it has routes for, by name. */
  readonly offered: ReadonlyMap<string, ExposedOperation>
}

/** Makes the router that a model's emitted operations are put on. */
export function createRpcRouter(model: Model, context: RouterContext): ModelRouter {
  const hono = new Hono<ApiEnv>()
  const known = new Map<string, ExposedOperation>()
  const route = (methods: readonly string[], path: string, call: ClientCall) => {
    const name = path.slice(1)
    const operation = RPC_OPERATIONS.get(name)
    if (!operation) throw new Error(`The RPC style has no such operation: ${path}`)
    // An upsert is made again where another request came between its look and its write.
    const made: ClientCall =
      name === 'upsert' ? (orm, args) => retryOnRace(orm, model, args, async () => call(orm, args)) : call
    const isRead = methods.includes('GET')
    const offered: ExposedOperation = { model, name, operation, call: made, isRead }
    known.set(name, offered)
    hono.on([...methods], path, (c) => executeRoute(prepare(c, offered, context), made, c.env, retryCallOnConflict))
  }
  return {
    hono,
    offered: known,
    on: route,
    post: (path, call) => route(['POST'], path, call),
    delete: (path, call) => route(['DELETE'], path, call),
    exists: (methods, path, call) => route(methods, path, async (orm, args) => (await call(orm, args)) !== null),
    check(methods, path) {
      const { limits } = context
      hono.on([...methods], path, async (c) => {
        const allowed = await check(
          model,
          await parseArguments(await readableRequest(c.req), model, limits),
          limits,
          () => clientOf(c),
        )
        return successResponse(allowed, 200, context)
      })
    },
  }
}

async function prepare(c: Context<ApiEnv>, offered: ExposedOperation, context: RouterContext): Promise<PreparedRoute> {
  const { model, isRead } = offered
  if (!isRead) refuseConditions(c)
  const understood = parseCall(
    offered,
    await parseArguments(await readableRequest(c.req), model, context.limits),
    context,
  )
  const given = await clientOf(c)
  c.env.explain = understood.explain
  const { shown, ...prepared } = await understood.prepare(isRead ? given : getPrimary(given))
  const { status } = offered.operation
  return {
    ...prepared,
    reply: (result) => {
      const answer = () => successResponse(shown(result), status, context)
      return isRead ? answer() : writeResponse(answer)
    },
  }
}

/** Refuses a header that would have a change made of one version only: silently, it would be made of any. */
function refuseConditions(c: Context<ApiEnv>): void {
  if (c.req.header('If-Match') === undefined) return
  const detail = 'If-Match means nothing here. Name the version of the row in "where".'
  throw new RequestError({ code: 'bad-request', detail })
}

/** An operation of a model that is offered. */
export interface ExposedOperation {
  readonly model: Model
  readonly name: string
  readonly operation: RpcOperation
  /** The emitted call. */
  readonly call: ClientCall
  /** Whether it changes nothing. */
  readonly isRead: boolean
}

/** A call that was understood. */
export interface ParsedCall {
  /** Its arguments, checked. */
  readonly args: Args
  /** What is known of its failure. */
  explain(error: unknown): Promise<unknown>
  /** Looks at what has to be looked at before the call is made, with the client that makes it. */
  prepare(orm: unknown): Promise<PreparedCall>
}

/** A call that can be made now. */
export interface PreparedCall extends Omit<PreparedRoute, 'reply'> {
  /**
   * What is answered of its result.
   * @throws RequestError 400 where that is more than may be answered
   */
  shown(result: unknown): unknown
}

/**
 * Checks the arguments of an operation.
 * @throws RequestError 400
 */
export function parseCall(
  { model, name, operation }: Omit<ExposedOperation, 'call'>,
  given: Args,
  { limits, dialect, schema, adjust, lockableOf }: RouterContext,
): ParsedCall {
  const checked = operation.check(model, given, limits)
  assertCost(model, checked.args, limits)
  return {
    args: checked.args,
    explain: async (error) => locateConstraintError(error, schema, model, checked.args['data']),
    async prepare(orm) {
      for (const look of rangePreflight(model, name, checked.args, dialect))
        await runPreflight(orm, model, look, limits)
      if (checked.looks) for (const look of checked.looks) await runPreflight(orm, model, look, limits)
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
        shown(result) {
          requireBounds(result, checked, limits)
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

function clientOf(c: Context<ApiEnv>): unknown {
  return c.env.getOrm()
}

function requireBounds(result: unknown, { maxRows, relations }: CheckedArgs, limits: Limits): void {
  if (maxRows !== undefined && Array.isArray(result)) rowLimitError(result.length, maxRows)
  if (relations) assertRelatedRows(countIncluded(result, relations, limits.includedRows), limits)
}

/**
 * The answer to a request that succeeded.
 * @throws RequestError 400 where it would be longer than it may
 */
export function successResponse(
  result: unknown,
  status: 200 | 201,
  { names, limits }: Pick<RouterContext, 'names' | 'limits'>,
): Response {
  const most = limits.responseBytes
  const refuse = () =>
    limitExceeded('responseBytes', `The response would exceed ${most} bytes. Take fewer rows, or select less.`)
  const { json, meta } = serialize(result ?? null, names, { most, refuse })
  const body = meta === undefined ? `{"data":${json}}` : `{"data":${json},"meta":{"serialization":${meta}}}`
  if (exceedsByteLength(most, body)) refuse()
  return new Response(body, status === 200 ? OK : CREATED)
}
