import type { Hono } from 'hono'

import { clientCheck } from '../orm/computed.js'
import { createArgsAdjuster } from '../orm/computed-args.js'
import { withQueryStrategyAdjust } from '../orm/load-strategy.js'
import type { Dialect } from '../orm/dialect.js'
import { createDispatcher, isReservedPath, type Routers } from '../http/dispatch.js'
import type { ApiEnv, ApiHandler } from '../http/api-handler.js'
import { parseComputed } from '../schema/computed.js'
import { compileSchema } from '../schema/schema.js'
import { restStaticEndpoints } from './static-endpoints.js'
import type { RestContext } from './context.js'
import { type ResolveCall, createRestRouter } from './build-router.js'
import { wrapClientWithHooks } from '../http/hooks-mount.js'
import { parseEndpointPath } from '../http/endpoint-path.js'
import { createHandler } from '../http/create-handler.js'
import { requestClients } from '../orm/request-clients.js'
import { unsafeCast } from '../http/execute-route.js'
import type { RestEndpoints } from './endpoints/endpoints.js'
import { entityTags } from './document/entity-tag.js'
import { renderRestError } from './document/errors.js'
import { type Relationship, type RestModel, restModels } from './model.js'
import type { RestOptions, RestRoutesByModel } from './options.js'
import type { CustomRestRoutes } from './custom/define.js'
import { createPathPolicy } from './path-policy.js'
import { nestedEndpoints } from './endpoints/nested.js'
import { readEndpoints } from './endpoints/reads.js'
import { relationshipWriteEndpoints } from './endpoints/relationship-writes.js'
import type { LoadLimitedLists } from './orm/loading.js'
import { createSelector } from './orm/selection.js'
import { parseSettings, getResources, type Settings } from './settings.js'
import { writeEndpoints } from './endpoints/writes.js'
import { operationsService } from './operations/service.js'
import { healthDocument } from './document/health.js'

/** The database that a schema is for, as emitted code tells it. */
export interface RestDialect extends Dialect {
  /** Makes what loads lists that are cut together, where the client can. */
  readonly lists?: () => LoadLimitedLists
}

/**
 * Mounts REST routes under their path names (contract 2.1, 2.2). All that depends on the schema and the options alone is
 * computed here, once.
 * @param routes the emitted routes, by model name
 * @param dialect the database that the schema is for
 * @throws Error where an option does not fit: what was wrong, and what would be right
 */
export function restHandler<O, M extends RestRoutesByModel, C = unknown>(
  routes: M,
  options: RestOptions<M, C>,
  dialect: RestDialect,
): ApiHandler<O, C> {
  const resources = getResources(routes)
  const settings = parseSettings(options, compileSchema(resources.values()))
  // What `modelNameMapping` leaves out is not on the wire: neither at a path of its own nor as related to something that is.
  const onWire = [...resources.values()].filter(({ model }) => settings.isServed(model))
  const computed = parseComputed(options.computed, resources.values())
  const schema = compileSchema(onWire, options.hooks?.completes, computed)
  const models = restModels(schema, resources, settings)
  const context: RestContext = {
    settings,
    schema,
    models,
    byType: new Map([...models.values()].map((model) => [model.type, model])),
    selector: createSelector(),
    adjust: dialect.lists ? withQueryStrategyAdjust(createArgsAdjuster()) : createArgsAdjuster(),
    cutLists: dialect.lists?.(),
    dialect,
    tags: entityTags(models.values()),
  }
  const routers = new Map<RestModel, Hono<ApiEnv>>()
  for (const { resource, build } of Object.values(routes)) {
    const model = models.get(resource.model)
    if (!model) continue
    const app = createRestRouter(restEndpoints(model, context), fitCall(model, context))
    build(unsafeCast(app))
    const router = app.hono
    for (const { method, path } of router.routes) if (method === 'GET') model.served.add(path)
    routers.set(model, router)
  }
  const rules = createPathPolicy(new Map([...routers].map(([model, router]) => [router, model])))
  const failure = renderRestError(schema, settings, context.byType)
  const own = options.routes && ownRoutes(options.routes).rest(context)
  const mount = wrapClientWithHooks<O, C>(options.hooks, 'rest', clientCheck(schema, options.computed))
  const served = byPathName(routers, settings)
  const hasHooks = options.hooks !== undefined
  const path = parseEndpointPath(options.atomicOperations, { ...OPERATIONS_PATH, isTaken: isReservedPath(served) })
  const service = path === undefined ? undefined : operationsService(path, routers, context)
  const beside = path === undefined ? [] : [path]
  const pages = restStaticEndpoints(options.openapi, {
    context,
    routers,
    isTaken: isReservedPath(served, beside),
    hasHooks,
    operations: path,
    keys: options.idempotency,
  })
  const { limits } = settings
  const repeats = options.idempotency?.around<O>({ style: 'rest', limits, dialect, resources: onWire })
  const dispatcher = createDispatcher(served, failure, rules, { mount, own, pages, service, repeats })
  const style = { ...requestClients(schema), fail: failure, healthy: healthDocument }
  return createHandler('rest', dispatcher, options, isReservedPath(served, [...beside, ...pages.keys()]), style)
}

const OPERATIONS_PATH = { option: 'operations', byDefault: '/operations', instead: '/atomic-operations' } as const

function ownRoutes<C>(routes: CustomRestRoutes<C>): CustomRestRoutes<C> {
  if (typeof routes.rest === 'function') return routes
  throw new Error('routes must be what the emitted defineRestRoutes gives: defineRestRoutes((app, api) => { … }).')
}

/** Fits what a route asks to the computed fields that the client has. */
function fitCall({ model, relationships }: RestModel, { adjust }: RestContext): ResolveCall {
  return (call, operation, relation = '') => {
    const related = relationships.get(relation)
    const asked = related && asksTarget(operation, related) ? related.target.model : model
    return (orm, args) => call(orm, unsafeCast(adjust(orm, asked, args).args))
  }
}

/** Whether a route of a relation asks the delegate of the model that it leads to: of a to-one, reads are part of the row that has it. */
function asksTarget(operation: keyof RestEndpoints, { relation }: Relationship): boolean {
  if (operation === 'related' || operation === 'linkage') return relation.many === true
  return operation.endsWith('Member')
}

function restEndpoints(model: RestModel, context: RestContext): RestEndpoints {
  return {
    ...readEndpoints(model, context),
    ...writeEndpoints(model, context),
    ...nestedEndpoints(model, context),
    ...relationshipWriteEndpoints(model, context),
  }
}

function byPathName(routers: ReadonlyMap<RestModel, Hono<ApiEnv>>, settings: Settings): Routers {
  const spellings = [...routers.keys()].flatMap(({ model, type }) => {
    return settings.spellingsOf(model.name).map((spelling): [string, string] => [spelling, type])
  })
  return {
    served: new Map([...routers].map(([{ type }, router]) => [type, router])),
    spellings: new Map(spellings),
    models: new Map([...routers.keys()].map(({ type, model }) => [type, model.name])),
  }
}
