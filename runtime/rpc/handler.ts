import type { Context, Hono } from 'hono'

import type { Dialect } from '../orm/dialect.js'
import { dispatch } from '../http/dispatch.js'
import { RequestError } from '../errors/request-error.js'
import type { ApiEnv, ApiHandler } from '../http/handler.js'
import { type Limits, readLimits, requireKnown } from '../limits.js'
import { compileSchema, type Model, type Schema } from '../schema/schema.js'
import { retryRaces } from '../orm/race.js'
import { serialize } from '../serialization/serialize.js'
import { check } from './check.js'
import { HEADERS, renderFailure } from './failure.js'
import { countIncluded } from './guard/read/selection.js'
import { lookBefore, rangeLook, requireFew } from './look/look.js'
import { type Checked, refuseRows, RPC_OPERATIONS } from './operations.js'
import type { RpcOptions } from './options.js'
import { readArguments } from './request.js'
import type { ErasedRpcApi, RpcRoutesByModel } from './routes.js'

/**
 * Mounts RPC routes under `/<model>/<operation>` (contract 4.3). A model answers under its name in lower case, its delegate's
 * name and its exact name.
 * @param routes the routes of every model, as the emitted `rpc.ts` export them
 * @param options see {@link RpcOptions}
 * @param dialect the database that the schema is for
 * @throws Error where an option does not exist or is no number that it may be
 */
export function rpcHandler<O>(routes: RpcRoutesByModel, options: RpcOptions, dialect: Dialect): ApiHandler<O> {
  requireKnown('option', options, ['limits'])
  const limits = readLimits(options.limits)
  const schema = compileSchema(Object.values(routes).map((route) => route.resource))
  const names = memberNames(schema)
  const routers = new Map<string, Hono<ApiEnv>>()
  for (const { resource, build } of Object.values(routes)) {
    const model = schema.get(resource.model)
    if (!model) continue
    const router = build(apiOf(model, { names, limits, dialect }))
    for (const name of [model.name, model.delegate, model.name.toLowerCase()]) routers.set(name, router)
  }
  return dispatch(routers, (error, log) => renderFailure(error, schema, log), { alternatives: operationsOf })
}

function operationsOf(router: Hono<ApiEnv>): readonly string[] {
  return [...new Set(router.routes.map(({ path }) => path.slice(1)))]
}

const OK = { status: 200, headers: HEADERS }
const CREATED = { status: 201, headers: HEADERS }

/** The members that results have: they are identifiers, which need no escaping in JSON. */
function memberNames(schema: Schema): ReadonlySet<string> {
  return new Set([...schema.values()].flatMap(({ fields, relations }) => [...fields.keys(), ...relations.keys()]))
}

/** What the routes of all models share. */
interface ApiContext {
  readonly names: ReadonlySet<string>
  readonly limits: Limits
  readonly dialect: Dialect
}

/** The runtime's side of one model's routes. */
function apiOf(model: Model, { names, limits, dialect }: ApiContext): ErasedRpcApi {
  return {
    async call(c, name) {
      const operation = RPC_OPERATIONS.get(name)
      if (!operation) throw new RequestError({ code: 'unsupported-path', detail: 'There is no such operation.' })
      const checked = operation.check(model, await readArguments(c.req.raw, limits), limits)
      const orm = await clientOf(c)
      for (const look of rangeLook(model, name, checked.args, dialect)) await lookBefore(orm, model, look, limits)
      if (checked.looks) for (const look of checked.looks) await lookBefore(orm, model, look, limits)
      return {
        // The emitted route gives both the types that its operation has; here they are any model's.
        orm: orm as never,
        args: checked.args as never,
        reply: async (result) => {
          requireBounds(result, checked, limits)
          return success(result, operation.status, names)
        },
      }
    },
    retry: retryRaces,
    async check(c) {
      const allowed = await check(model, await readArguments(c.req.raw, limits), limits, () => clientOf(c))
      return success(allowed, 200, names)
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

function success(result: unknown, status: 200 | 201, names: ReadonlySet<string>): Response {
  const { json, meta } = serialize(result ?? null, names)
  const body = meta === undefined ? `{"data":${json}}` : `{"data":${json},"meta":{"serialization":${meta}}}`
  return new Response(body, status === 200 ? OK : CREATED)
}
