import type { DeclaringRoutes } from '../http/routing/declaration-types.js'
import type { StaticEndpoint, StaticEndpoints } from '../http/routing/endpoints.js'
import type { Model } from '../schema/model.js'
import type { Paths } from './component-collector.js'
import { type ConvertZod, describeRoutes } from './described-route.js'
import type { OpenApiDocument, PathItem } from './document-types.js'
import { type OpenApi, type OpenApiOptions, validateOpenApiOptions } from './openapi-options.js'
import { atomicRouteCalls, restPaths } from './rest/declared-paths.js'
import { restOpenApi } from './rest/rest-openapi.js'
import { rpcPaths, transactionRouteCalls } from './rpc/declared-paths.js'
import { rpcOpenApi } from './rpc/rpc-openapi.js'

/**
 * Describes an API with declared custom routes as OpenAPI 3.1, like `openApi`.
 * @param options the options of `openApi`
 * @throws Error if an option is invalid; the message describes valid values
 * @example
 * ```ts
 * import { openApiWithRoutes } from '@routewright/runtime/openapi'
 * import { implementRoutes } from './routes/custom-routes.js'
 * import { RestApiHandler } from './routes/index.js'
 *
 * const openapi = openApiWithRoutes({ info: { title: 'Blog', version: '1.0.0' } })
 * const routes = implementRoutes({}, {})
 * export const rest = RestApiHandler({ endpoint: 'https://example.com/api', openapi, routes })
 * ```
 * @see [Custom routes in OpenAPI documents](docs/openapi.md#custom-routes)
 */
export function openApiWithRoutes(options: OpenApiOptions = {}): OpenApi {
  validateOpenApiOptions(options)
  let convertZod: ConvertZod | undefined
  const load = memoizeAsync(async () => {
    const zod = await import('./schemas/to-json-schema.js').catch(() => undefined)
    convertZod = zod?.toJSONSchema
  })
  /** Loads zod before the first request is handled. */
  const afterLoading = (endpoints: StaticEndpoints): StaticEndpoints =>
    new Map(
      [...endpoints].map(([path, endpoint]): [string, StaticEndpoint] => [
        path,
        async (request) => {
          await load()
          return endpoint(request)
        },
      ]),
    )
  const extendWith =
    ({ declarations = {} }: DeclaringRoutes = {}, models: Iterable<Model>) =>
    (document: OpenApiDocument): OpenApiDocument => {
      const delegates = new Set(Array.from(models, ({ delegate }) => delegate))
      const described = addTags(
        document,
        Object.keys(declarations).filter((group) => !delegates.has(group)),
      )
      return options.extend ? options.extend(described) : described
    }
  return {
    rest: (info) =>
      afterLoading(
        restOpenApi(info, {
          ...options,
          extend: extendWith(info.options.routes, info.context.schema.values()),
          addRoutes: (paths, context) =>
            mergePaths([...paths, ...restPaths(describeRoutes(info.options.routes, convertZod), context)]),
          describeRouteCalls: (context) => atomicRouteCalls(describeRoutes(info.options.routes, convertZod), context),
        }),
      ),
    rpc: (info) =>
      afterLoading(
        rpcOpenApi(info, {
          ...options,
          extend: extendWith(info.options.routes, info.routes.keys()),
          addRoutes: (paths, context) =>
            mergePaths([
              ...paths,
              ...rpcPaths(describeRoutes(info.options.routes, convertZod), [...info.routes.keys()], context),
            ]),
          describeRouteCalls: (context) =>
            transactionRouteCalls(describeRoutes(info.options.routes, convertZod), [...info.routes.keys()], context),
        }),
      ),
  }
}

/** Adds the tags of groups without a model. */
function addTags(document: OpenApiDocument, groups: readonly string[]): OpenApiDocument {
  const names = new Set(document.tags.map(({ name }) => name))
  const tags = groups
    .filter((group) => !names.has(group))
    .map((name) => ({ name, description: `Custom routes of "${name}".` }))
  return { ...document, tags: [...document.tags, ...tags] }
}

/** Returns a function that runs once. */
function memoizeAsync(run: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => (result ??= run())
}

/** Merges the operations of the same path. */
function mergePaths(paths: Paths): Paths {
  const merged = new Map<string, PathItem>()
  for (const [path, item] of paths) merged.set(path, { ...merged.get(path), ...item })
  return [...merged]
}
