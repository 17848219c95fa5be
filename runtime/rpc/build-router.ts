import { type Context, Hono } from 'hono'

import { notShown } from '../errors/not-shown.js'
import { RequestError } from '../errors/request-error.js'
import { readable } from '../http/body.js'
import type { ApiEnv } from '../http/handler.js'
import { type ClientCall, perform, type Prepared } from '../http/perform.js'
import { type Adjust, withoutExtra } from '../orm/computed-args.js'
import type { Dialect } from '../orm/dialect.js'
import type { LockableOf } from '../orm/owners.js'
import { repeatConflict, retryRaces } from '../orm/race.js'
import { primaryOf } from '../orm/primary.js'
import type { Limits } from '../limits.js'
import type { Model, Schema } from '../schema/schema.js'
import { isLongerThan } from '../serialization/byte-length.js'
import { serialize } from '../serialization/serialize.js'
import { check } from './check.js'
import { HEADERS } from './failure.js'
import { requireLowCost } from './guard/cost.js'
import { type Args, refuseBeyond } from './guard/refuse.js'
import { countIncluded } from './guard/read/selection.js'
import { lookBefore, rangeLook, requireFew } from './look/look.js'
import { type Checked, refuseRows, RPC_OPERATIONS, type RpcOperation } from './operations.js'
import { loadable } from './loading.js'
import { locateFault } from './locate.js'
import { replacing } from './replacing.js'
import { readArguments } from './request.js'
import { versioned } from './versioned.js'
import type { ErasedRpcRouter } from './router.js'

const NO_RUN: Pick<Prepared, 'run'> = {}

const OK = { status: 200, headers: HEADERS }
const CREATED = { status: 201, headers: HEADERS }

/** What the routers of all models share. */
export interface RouterContext {
  /** The members that results have. */
  readonly names: ReadonlySet<string>
  readonly schema: Schema
  readonly limits: Limits
  readonly dialect: Dialect
  readonly adjust: Adjust
  readonly lockableOf: LockableOf
}

/** The router of a model, and what its operations are made with outside of it. */
export interface ModelRouter extends ErasedRpcRouter {
  /** The operations that it has routes for, by name. */
  readonly offered: ReadonlyMap<string, Offered>
}

/** Makes the router that a model's emitted operations are put on. */
export function rpcRouter(model: Model, context: RouterContext): ModelRouter {
  const hono = new Hono<ApiEnv>()
  const known = new Map<string, Offered>()
  const route = (methods: readonly string[], path: string, call: ClientCall) => {
    const name = path.slice(1)
    const operation = RPC_OPERATIONS.get(name)
    if (!operation) throw new Error(`The RPC style has no such operation: ${path}`)
    // An upsert is made again where another request came between its look and its write.
    const made: ClientCall = name === 'upsert' ? (orm, args) => retryRaces(orm, async () => call(orm, args)) : call
    const isRead = methods.includes('GET')
    const offered: Offered = { model, name, operation, call: made, isRead }
    known.set(name, offered)
    hono.on([...methods], path, (c) => perform(prepare(c, offered, context), made, c.env, repeatConflict))
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
        const allowed = await check(model, await readArguments(await readable(c.req), model, limits), limits, () =>
          clientOf(c),
        )
        return success(allowed, 200, context)
      })
    },
  }
}

async function prepare(c: Context<ApiEnv>, offered: Offered, context: RouterContext): Promise<Prepared> {
  const { model, isRead } = offered
  if (!isRead) refuseConditions(c)
  const understood = understand(offered, await readArguments(await readable(c.req), model, context.limits), context)
  const given = await clientOf(c)
  c.env.explain = understood.explain
  const { shown, ...prepared } = await understood.prepare(isRead ? given : primaryOf(given))
  const { status } = offered.operation
  return {
    ...prepared,
    reply: (result) => {
      const answer = () => success(shown(result), status, context)
      return isRead ? answer() : written(answer)
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
export interface Offered {
  readonly model: Model
  readonly name: string
  readonly operation: RpcOperation
  /** The emitted call. */
  readonly call: ClientCall
  /** Whether it changes nothing. */
  readonly isRead: boolean
}

/** A call that was understood. */
export interface Understood {
  /** Its arguments, checked. */
  readonly args: Args
  /** What is known of its failure. */
  explain(error: unknown): Promise<unknown>
  /** Looks at what has to be looked at before the call is made, with the client that makes it. */
  prepare(orm: unknown): Promise<PreparedCall>
}

/** A call that can be made now. */
export interface PreparedCall extends Omit<Prepared, 'reply'> {
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
export function understand(
  { model, name, operation }: Omit<Offered, 'call'>,
  given: Args,
  { limits, dialect, schema, adjust, lockableOf }: RouterContext,
): Understood {
  const checked = operation.check(model, given, limits)
  requireLowCost(model, checked.args, limits)
  return {
    args: checked.args,
    explain: async (error) => locateFault(error, schema, model, checked.args['data']),
    async prepare(orm) {
      for (const look of rangeLook(model, name, checked.args, dialect)) await lookBefore(orm, model, look, limits)
      if (checked.looks) for (const look of checked.looks) await lookBefore(orm, model, look, limits)
      const { args, extra } = operation.rows
        ? adjust(orm, model, name.endsWith('AndReturn') ? checked.args : loadable(model, checked.args, dialect))
        : { args: checked.args, extra: undefined }
      const prepared: PreparedCall = {
        orm,
        args,
        shown(result) {
          requireBounds(result, checked, limits)
          return withoutExtra(result, extra)
        },
      }
      const { owners } = checked
      const { run } = owners
        ? replacing({ orm, args, owners, isUpsert: name === 'upsert' }, dialect, lockableOf)
        : NO_RUN
      if (name !== 'update' && name !== 'delete') return run ? { ...prepared, run } : prepared
      return { ...prepared, ...versioned({ orm, model, args }, run, dialect, lockableOf) }
    },
  }
}

function clientOf(c: Context<ApiEnv>): unknown {
  return c.env.getOrm()
}

function requireBounds(result: unknown, { maxRows, relations }: Checked, limits: Limits): void {
  if (maxRows !== undefined && Array.isArray(result)) refuseRows(result.length, maxRows)
  if (relations) requireFew(countIncluded(result, relations, limits.includedRows), limits)
}

/** The answer that shows what was written. Says that a change was made, where it would be too long. */
export function written(answer: () => Response): Response {
  try {
    return answer()
  } catch (error) {
    return notShown(error)
  }
}

/**
 * The answer to a request that succeeded.
 * @throws RequestError 400 where it would be longer than it may
 */
export function success(
  result: unknown,
  status: 200 | 201,
  { names, limits }: Pick<RouterContext, 'names' | 'limits'>,
): Response {
  const most = limits.answerBytes
  const refuse = () =>
    refuseBeyond('answerBytes', `The answer would have more than ${most} bytes. Take fewer rows, or select less.`)
  const { json, meta } = serialize(result ?? null, names, { most, refuse })
  const body = meta === undefined ? `{"data":${json}}` : `{"data":${json},"meta":{"serialization":${meta}}}`
  if (isLongerThan(most, body)) refuse()
  return new Response(body, status === 200 ? OK : CREATED)
}
