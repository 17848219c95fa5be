import { Hono } from 'hono'

import { createArgsAdjuster } from '../prisma/computed-fields.js'
import { type Lockable, toLockable } from '../prisma/transactions/row-lock.js'
import type { LockableOf } from '../prisma/transactions/owner-locks.js'
import { type Dialect, supportsLoadStrategy } from '../prisma/dialect.js'
import {
  assertAutomaticFeature,
  assertFeatures,
  collectFeatures,
  type FeatureFactory,
  type RequiredFeature,
} from '../http/feature.js'
import { createReservedCheck } from '../http/routing/create-dispatcher.js'
import { listRoutes } from '../http/routing/route.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { lifecycleFeatures } from '../http/lifecycle.js'
import { createHandler } from '../http/create-handler.js'
import type { ApiEnv, ApiHandler } from '../http/handler-types.js'
import { parseLimits } from '../limits.js'
import { assertAllowedKeys, validateCustomRoutes } from '../option-checks.js'
import { type Resource, getUniques } from '../schema/resource.js'
import { compileSchema } from '../schema/compile-schema.js'
import type { Model, Schema } from '../schema/model.js'
import type { RpcScope } from './rpc-actions.js'
import { successResponse, renderRpcError } from './rpc-responses.js'
import type { RpcFeatureName, RpcFeatures } from './rpc-features.js'
import type { RpcOptions } from './rpc-options.js'
import type { RpcRouters } from './rpc-router.js'

/** The feature that each option requires. Other options require none. */
const OPTION_FEATURES = {
  computed: ['files', 'computed'],
  transactions: ['rpc', 'transactions'],
  ...lifecycleFeatures('rpc'),
} as const satisfies Partial<Record<keyof RpcOptions, RequiredFeature<RpcFeatureName>>>

/**
 * Mounts RPC routes under `/<model>/<operation>` (contract 4.3). A model is served under its lower-case name. Requests to its
 * delegate name or its exact name are redirected.
 * Called by the emitted `RPCApiHandler`.
 * @param routes the routes of all models, as exported by the emitted `rpc.ts`
 * @param options see {@link RpcOptions}
 * @param dialect the database of the schema
 * @param enabled the features that the generator block names. Default: none
 * @throws Error if an option is unknown or has an invalid value
 */
export function rpcHandler<O, C = unknown, M extends RpcRouters = RpcRouters, F extends readonly FeatureFactory[] = []>(
  routes: M,
  typedOptions: RpcOptions<C, M, F>,
  dialect: Dialect,
  enabled?: F,
): ApiHandler<O, C> {
  // Features and options are checked against each other below.
  const options: RpcOptions<C, M> = unsafeCast(typedOptions)
  const features: RpcFeatures = unsafeCast(collectFeatures(enabled))
  assertAllowedKeys('option', options, [
    'databaseMessages',
    'limits',
    'hooks',
    'routes',
    'openapi',
    'idempotency',
    ...Object.keys(OPTION_FEATURES),
  ])
  assertFeatures({ ...options }, OPTION_FEATURES, features)
  assertAutomaticFeature('loadStrategy', features, supportsLoadStrategy(dialect))
  const { transactions = features.transactions !== undefined } = options
  if (typeof transactions !== 'boolean') throw new Error('transactions must be true or false.')
  const limits = parseLimits(options.limits)
  const resources = Object.values(routes).map((route) => route.resource)
  const computed = features.computed?.parse(options.computed, resources)
  const versionedWrites = features.conditionalRequests
  const withSafeStrategy = features.loadStrategy
  const schema = compileSchema(resources, options.hooks?.addsData, computed, versionedWrites?.createVersionChecks)
  const names = propertyNames(schema)
  const adjust = createArgsAdjuster()
  const lockableOf = createLockableLookup(resources)
  const appsByName = new Map<string, Hono<ApiEnv>>()
  const aliases = new Map<string, string>()
  const byName = new Map<string, Model>()
  const bySpelling = new Map<string, Hono<ApiEnv>>()
  const context = { names, schema, limits, dialect, adjust, lockableOf, withSafeStrategy, versionedWrites }
  for (const { resource, build } of Object.values(routes)) {
    const model = schema.get(resource.model)
    if (!model) continue
    assertAutomaticFeature('conditionalRequests', features, model.version !== undefined)
    const app = new Hono<ApiEnv>()
    const scope: RpcScope = { model, context }
    build(app, unsafeCast(scope))
    const name = model.name.toLowerCase()
    appsByName.set(name, app)
    byName.set(name, model)
    for (const alias of [model.delegate, model.name]) aliases.set(alias, name)
    for (const alias of [name, model.delegate, model.name]) bySpelling.set(alias, app)
  }
  const models = new Map([...byName].map(([name, model]) => [name, model.name]))
  const routers = { byName: appsByName, aliases, models }
  const customContext = { ...context, hasHooks: options.hooks !== undefined }
  return createHandler<O, C>('rpc', {
    routers,
    rules: { alternatives: listOperations },
    options,
    limits,
    dialect,
    resources,
    models: schema,
    checkClient: features.computed?.createClientCheck(schema, options.computed),
    customRouter: options.routes && validateCustomRoutes(options.routes, 'rpc').rpc(customContext, appsByName),
    statics: options.openapi?.rpc({
      limits,
      dialect,
      routes: new Map([...byName].map(([name, model]) => [model, listRoutes(appsByName.get(name))])),
      isReserved: createReservedCheck(routers),
      hasTransactions: transactions,
      keys: options.idempotency,
      options,
    }),
    service: transactions
      ? features.transactions?.(bySpelling, context, options.routes?.transactionRoutes?.(customContext))
      : undefined,
    fail: renderRpcError(schema, byName, options.databaseMessages),
    healthy: () => successResponse({ status: 'ok' }, 200, { names: HEALTH_NAMES, limits }),
    createLifecycle: features.lifecycle,
  })
}

/**
 * Creates a function that returns the data for locking rows of a model. The data is computed on first use, because most writes lock no
 * rows.
 */
function createLockableLookup(resources: readonly Resource[]): LockableOf {
  const cache = new Map<string, Lockable>()
  const byModel = new Map(resources.map((resource) => [resource.model, resource]))
  return (name) => {
    const resource = byModel.get(name)
    const lockable = cache.get(name) ?? (resource && toLockable(resource, getUniques(resource)[resource.id] ?? []))
    if (lockable) cache.set(name, lockable)
    return lockable
  }
}

const HEALTH_NAMES: ReadonlySet<string> = new Set(['status'])

function listOperations(router: Hono<ApiEnv>): readonly string[] {
  return [...new Set(listRoutes(router).map(({ operation }) => operation))]
}

/** Returns all property names that results can contain. They are identifiers and need no escaping in JSON. */
function propertyNames(schema: Schema): ReadonlySet<string> {
  return new Set(
    [...schema.values()].flatMap(({ fields, relations, computed }) => [
      ...fields.keys(),
      ...relations.keys(),
      ...computed,
    ]),
  )
}
