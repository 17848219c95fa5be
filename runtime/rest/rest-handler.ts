import { Hono } from 'hono'

import { createReservedCheck, type Routers } from '../http/routing/create-dispatcher.js'
import { createHandler } from '../http/create-handler.js'
import type { StaticEndpoints, StaticEndpoint } from '../http/routing/endpoints.js'
import { assertAutomaticFeature, collectFeatures, type FeatureFactory } from '../http/feature.js'
import type { ApiEnv, ApiHandler } from '../http/handler-types.js'
import { listRoutes } from '../http/routing/route.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import { createArgsAdjuster } from '../prisma/computed-fields.js'
import { type Dialect, supportsLoadStrategy } from '../prisma/dialect.js'
import { validateCustomRoutes } from '../option-checks.js'
import { compileSchema } from '../schema/compile-schema.js'
import { createRelationshipPathRules } from './relationship-capabilities.js'
import { renderRestError, healthDocument, JSONAPI, RESPONSE_HEADERS } from './document/respond.js'
import { createSelector } from './orm/selection.js'
import { parseSettings, getResources } from './parse-settings.js'
import { checkAccept } from './request/content-negotiation.js'
import { parseQuery } from './request/query/parse-query.js'
import type { RestScope } from './rest-actions.js'
import type { RestContext } from './rest-context.js'
import type { RestFeatures } from './rest-features.js'
import { type RestModel, restModels } from './rest-model.js'
import type { RestOptions, DescribeRest, RestOpenApiInput } from './rest-options.js'
import type { RestRouters } from './rest-router.js'
import type { Settings } from './settings.js'

/**
 * Creates the REST handler, with one set of routes for each path name (contract 2.1, 2.2). Everything that depends only on the schema and
 * the options is computed here, once. Called by the emitted `RestApiHandler`.
 * @param routes the emitted routes, by model name
 * @param dialect the database of the schema
 * @param enabled the features that the generator block names or the schema requires. Default: none
 * @throws Error if an option is invalid, with a message that describes the fix
 */
export function restHandler<O, M extends RestRouters, C = unknown, F extends readonly FeatureFactory[] = []>(
  routes: M,
  typedOptions: RestOptions<M, C, F>,
  dialect: Dialect,
  enabled?: F,
): ApiHandler<O, C> {
  // Features and options are checked against each other by `parseSettings`.
  const options: RestOptions<M, C> = unsafeCast(typedOptions)
  const features: RestFeatures = unsafeCast(collectFeatures(enabled))
  assertAutomaticFeature('loadStrategy', features, supportsLoadStrategy(dialect))
  const resources = getResources(routes)
  const settings = parseSettings(options, compileSchema(resources.values()), features)
  // Models that `modelNameMapping` omits are hidden: they have no path, and they do not appear as related resources.
  const exposed = [...resources.values()].filter(({ model }) => settings.isExposed(model))
  const computed = features.computed?.parse(options.computed, resources.values())
  const schema = compileSchema(exposed, options.hooks?.addsData, computed)
  const models = restModels(schema, resources, settings, features.computed?.createWriter)
  const context: RestContext = {
    settings,
    schema,
    models,
    byType: new Map([...models.values()].map((model) => [model.type, model])),
    selector: createSelector(),
    adjust: createArgsAdjuster(features.loadStrategy),
    joinLists: features.joinedLists?.(),
    dialect,
    conditional: features.conditionalRequests?.(models.values()),
  }
  const routers = new Map<RestModel, Hono<ApiEnv>>()
  for (const { resource, build } of Object.values(routes)) {
    const model = models.get(resource.model)
    if (!model) continue
    options.hooks?.assertUnmasked?.(resource.model, model.id.fields)
    assertAutomaticFeature('conditionalRequests', features, model.model.version !== undefined)
    const router = new Hono<ApiEnv>()
    const scope: RestScope = { model, context }
    build(router, unsafeCast(scope))
    for (const { method, path } of router.routes) if (method === 'GET') model.routes.add(path)
    routers.set(model, router)
  }
  const modelRouters = createRouters(routers, settings)
  const isReserved = createReservedCheck(modelRouters)
  const service = features.atomic?.(
    options.atomicOperations ?? true,
    isReserved,
    routers,
    context,
    options.routes?.operationRoutes?.(context),
  )
  const path = service?.path
  const statics = restStaticEndpoints(options.openapi, {
    context,
    routers,
    isReserved: createReservedCheck(modelRouters, path === undefined ? [] : [path]),
    operations: path,
    keys: options.idempotency,
    options,
  })
  return createHandler<O, C>('rest', {
    routers: modelRouters,
    rules: createRelationshipPathRules(new Map([...routers].map(([model, router]) => [router, model]))),
    options,
    limits: settings.limits,
    dialect,
    resources: exposed,
    models: schema,
    checkClient: features.computed?.createClientCheck(schema, options.computed),
    customRouter: options.routes && validateCustomRoutes(options.routes, 'rest').rest(context, routers, resources),
    statics,
    service,
    fail: renderRestError(schema, settings, context.byType),
    healthy: healthDocument,
    createLifecycle: features.lifecycle,
  })
}

function createRouters(routers: ReadonlyMap<RestModel, Hono<ApiEnv>>, settings: Settings): Routers {
  const aliases = [...routers.keys()].flatMap(({ model, type }) => {
    return settings.getAliases(model.name).map((alias): [string, string] => [alias, type])
  })
  return {
    byName: new Map([...routers].map(([{ type }, router]) => [type, router])),
    aliases: new Map(aliases),
    models: new Map([...routers.keys()].map(({ type, model }) => [type, model.name])),
  }
}

/** The data about a handler that its static endpoints need. */
interface StaticEndpointOptions {
  readonly context: RestContext
  readonly routers: ReadonlyMap<RestModel, Hono<ApiEnv>>
  readonly isReserved: (segment: string) => boolean
  readonly keys: RestOpenApiInput['keys']
  readonly options: RestOpenApiInput['options']
  /** The path of atomic operations, if they are enabled. */
  readonly operations: string | undefined
}

/**
 * Creates the static endpoints of a REST handler: the entry point and, if configured, the API description.
 * @throws Error if a path of the description is already in use
 */
function restStaticEndpoints(
  openapi: DescribeRest | undefined,
  { routers, ...info }: StaticEndpointOptions,
): StaticEndpoints {
  const routes = new Map([...routers].map(([model, router]) => [model, listRoutes(router)]))
  const described: StaticEndpoints = openapi?.rest({ ...info, routes }) ?? new Map()
  const [describedBy] = described.keys()
  return new Map([['', entryPoint(routers.keys(), info.context.settings, describedBy)], ...described])
}

/**
 * Creates the endpoint at the URL where the API is mounted: a JSON:API document that lists the collections by type and links to the API
 * description.
 * @param describedBy the path of the API description, relative to the prefix; undefined if there is none
 */
function entryPoint(models: Iterable<RestModel>, settings: Settings, describedBy: string | undefined): StaticEndpoint {
  const { endpoint } = settings
  const resources = [...models].map(({ type, url }): [string, string] => [type, url])
  const links = { self: endpoint, ...(describedBy !== undefined && { describedby: endpoint + describedBy }) }
  const body = JSON.stringify({ jsonapi: JSONAPI, links, meta: { resources: Object.fromEntries(resources) } })
  return (request) => {
    checkAccept(request.headers.get('Accept'))
    parseQuery(request.url, 'none', settings.families)
    return new Response(body, { headers: RESPONSE_HEADERS })
  }
}
