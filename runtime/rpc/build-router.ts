import { type Context, Hono } from 'hono'

import { notShown } from '../errors/not-shown.js'
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
import { refuseBeyond } from './guard/refuse.js'
import { countIncluded } from './guard/read/selection.js'
import { lookBefore, rangeLook, requireFew } from './look/look.js'
import { type Checked, refuseRows, RPC_OPERATIONS, type RpcOperation } from './operations.js'
import { locateFault } from './locate.js'
import { replacing } from './replacing.js'
import { readArguments } from './request.js'
import type { ErasedRpcRouter } from './router.js'

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

/** Makes the router that a model's emitted operations are put on. */
export function rpcRouter(model: Model, context: RouterContext): ErasedRpcRouter {
  const hono = new Hono<ApiEnv>()
  const route = (methods: readonly string[], path: string, call: ClientCall) => {
    const name = path.slice(1)
    const operation = RPC_OPERATIONS.get(name)
    if (!operation) throw new Error(`The RPC style has no such operation: ${path}`)
    // An upsert is made again where another request came between its look and its write.
    const made: ClientCall = name === 'upsert' ? (orm, args) => retryRaces(orm, async () => call(orm, args)) : call
    const isRead = methods.includes('GET')
    hono.on([...methods], path, (c) =>
      perform(prepare(c, model, name, operation, context, isRead), made, c.env, repeatConflict),
    )
  }
  return {
    hono,
    on: route,
    post: (path, call) => route(['POST'], path, call),
    delete: (path, call) => route(['DELETE'], path, call),
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

async function prepare(
  c: Context<ApiEnv>,
  model: Model,
  name: string,
  operation: RpcOperation,
  context: RouterContext,
  isRead: boolean,
): Promise<Prepared> {
  const { limits, dialect, schema, adjust, lockableOf } = context
  const checked = operation.check(model, await readArguments(await readable(c.req), model, limits), limits)
  requireLowCost(model, checked.args, limits)
  const given = await clientOf(c)
  const orm = isRead ? given : primaryOf(given)
  c.env.explain = async (error) => locateFault(error, schema, model, checked.args['data'])
  for (const look of rangeLook(model, name, checked.args, dialect)) await lookBefore(orm, model, look, limits)
  if (checked.looks) for (const look of checked.looks) await lookBefore(orm, model, look, limits)
  const { args, extra } = operation.rows ? adjust(orm, model, checked.args) : { args: checked.args, extra: undefined }
  const { owners } = checked
  const prepared: Prepared = {
    orm,
    args,
    reply: (result) => {
      requireBounds(result, checked, limits)
      const answer = () => success(withoutExtra(result, extra), operation.status, context)
      return isRead ? answer() : written(answer)
    },
  }
  if (!owners) return prepared
  return { ...prepared, ...replacing({ orm, args, owners, isUpsert: name === 'upsert' }, dialect, lockableOf) }
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
