import type { Hono } from 'hono'

import { clientCheck } from '../orm/computed.js'
import { createArgsAdjuster } from '../orm/computed-args.js'
import { type Lockable, toLockable } from '../orm/row-lock.js'
import type { LockableOf } from '../orm/owner-locks.js'
import type { Dialect } from '../orm/dialect.js'
import { createDispatcher, isReservedPath, type PathPolicy } from '../http/dispatch.js'
import { wrapClientWithHooks } from '../http/hooks-mount.js'
import { isRoute } from '../http/allowed-methods.js'
import { unsafeCast } from '../http/execute-route.js'
import { LIFECYCLE_OPTIONS } from '../http/lifecycle/options.js'
import { createHandler } from '../http/create-handler.js'
import { requestClients } from '../orm/request-clients.js'
import type { ApiEnv, ApiHandler } from '../http/api-handler.js'
import { parseLimits, assertKnownKeys } from '../limits.js'
import { parseComputed } from '../schema/computed.js'
import { type Resource, getUniques } from '../schema/resource.js'
import { compileSchema, type Model, type Schema } from '../schema/schema.js'
import { type ModelRouter, createRpcRouter, successResponse } from './build-router.js'
import { renderRpcError } from './render-error.js'
import type { RpcOptions } from './options.js'
import type { CustomRpcRoutes } from './custom/define.js'
import type { RpcRoutesByModel } from './routes.js'
import { transactionService } from './transaction.js'

/**
 * Mounts RPC routes under `/<model>/<operation>` (contract 4.3). A model answers under its name in lower case; its delegate's
 * name and its exact name are redirected there.
 * @param routes the routes of every model, as the emitted `rpc.ts` export them
 * @param options see {@link RpcOptions}
 * @param dialect the database that the schema is for
 * @throws Error where an option does not exist or is no number that it may be
 */
export function rpcHandler<O, C = unknown, M extends RpcRoutesByModel = RpcRoutesByModel>(
  routes: M,
  options: RpcOptions<C, M>,
  dialect: Dialect,
): ApiHandler<O, C> {
  assertKnownKeys('option', options, [
    'computed',
    'databaseMessages',
    'limits',
    'hooks',
    'routes',
    'openapi',
    'transactions',
    'idempotency',
    ...LIFECYCLE_OPTIONS,
  ])
  const { transactions = false } = options
  if (typeof transactions !== 'boolean') throw new Error('transactions must be true or false.')
  const limits = parseLimits(options.limits)
  const resources = Object.values(routes).map((route) => route.resource)
  const computed = parseComputed(options.computed, resources)
  const schema = compileSchema(resources, options.hooks?.completes, computed)
  const names = memberNames(schema)
  const adjust = createArgsAdjuster()
  const lockableOf = lockables(resources)
  const served = new Map<string, Hono<ApiEnv>>()
  const spellings = new Map<string, string>()
  const byName = new Map<string, Model>()
  const bySpelling = new Map<string, ModelRouter>()
  const context = { names, schema, limits, dialect, adjust, lockableOf }
  for (const { resource, build } of Object.values(routes)) {
    const model = schema.get(resource.model)
    if (!model) continue
    const app = createRpcRouter(model, context)
    build(unsafeCast(app))
    const name = model.name.toLowerCase()
    served.set(name, app.hono)
    byName.set(name, model)
    for (const spelling of [model.delegate, model.name]) spellings.set(spelling, name)
    for (const spelling of [name, model.delegate, model.name]) bySpelling.set(spelling, app)
  }
  const models = new Map([...byName].map(([name, model]) => [name, model.name]))
  const failure = renderRpcError(schema, byName, options.databaseMessages)
  const own =
    options.routes && ownRoutes(options.routes).rpc({ names, schema, limits, hasHooks: options.hooks !== undefined })
  const mount = wrapClientWithHooks<O, C>(options.hooks, 'rpc', clientCheck(schema, options.computed))
  const rules: PathPolicy = { alternatives: operationsOf, operationAt: (_method, route) => route.slice(1) }
  const routers = { served, spellings, models }
  const pages = options.openapi?.rpc({
    limits,
    dialect,
    routes: routesOf(served, byName),
    isTaken: isReservedPath(routers),
    hasHooks: options.hooks !== undefined,
    hasTransactions: transactions,
    keys: options.idempotency,
  })
  const service = transactions ? transactionService(bySpelling, context) : undefined
  const repeats = options.idempotency?.around<O>({ style: 'rpc', limits, dialect, resources })
  const dispatcher = createDispatcher(routers, failure, rules, { mount, own, pages, service, repeats })
  const healthy = () => successResponse({ status: 'ok' }, 200, { names: HEALTH_MEMBERS, limits })
  const style = { ...requestClients(schema), fail: failure, healthy }
  return createHandler('rpc', dispatcher, options, isReservedPath(routers, pages?.keys()), style)
}

/** Gives what rows are locked by: made where it is first asked for, since most writes lock none. */
function lockables(resources: readonly Resource[]): LockableOf {
  const known = new Map<string, Lockable>()
  const byModel = new Map(resources.map((resource) => [resource.model, resource]))
  return (name) => {
    const resource = byModel.get(name)
    const made = known.get(name) ?? (resource && toLockable(resource, getUniques(resource)[resource.id] ?? []))
    if (made) known.set(name, made)
    return made
  }
}

function ownRoutes<C>(routes: CustomRpcRoutes<C>): CustomRpcRoutes<C> {
  if (typeof routes.rpc === 'function') return routes
  throw new Error('routes must be what the emitted defineRpcRoutes gives: defineRpcRoutes((app, api) => { … }).')
}

const HEALTH_MEMBERS: ReadonlySet<string> = new Set(['status'])

/** The routes of each model. */
function routesOf(
  served: ReadonlyMap<string, Hono<ApiEnv>>,
  byName: ReadonlyMap<string, Model>,
): ReadonlyMap<Model, readonly { readonly method: string; readonly path: string }[]> {
  return new Map(
    [...byName].map(([name, model]) => [
      model,
      (served.get(name)?.routes ?? []).filter(({ method }) => isRoute(method)),
    ]),
  )
}

function operationsOf(router: Hono<ApiEnv>): readonly string[] {
  return [...new Set(router.routes.filter(({ method }) => isRoute(method)).map(({ path }) => path.slice(1)))]
}

/** The members that results have: they are identifiers, which need no escaping in JSON. */
function memberNames(schema: Schema): ReadonlySet<string> {
  return new Set(
    [...schema.values()].flatMap(({ fields, relations, computed }) => [
      ...fields.keys(),
      ...relations.keys(),
      ...computed,
    ]),
  )
}
