import { type OpenApi, validateOpenApiOptions, type OpenApiOptions } from './openapi-options.js'
import { restOpenApi } from './rest/rest-openapi.js'
import { rpcOpenApi } from './rpc/rpc-openapi.js'

export { openApiWithRoutes } from './declared-routes.js'
export type { OpenApi, OpenApiOptions } from './openapi-options.js'
export type { ModelDescriptions, SchemaDescriptions } from './openapi-options.js'
export type * from './document-types.js'

/**
 * Describes an API as OpenAPI 3.1, for the option `openapi` of a handler.
 * @param options the information that neither the schema nor the handler provides; all options are optional
 * @throws Error if an option is invalid; the message describes valid values
 * @example
 * ```ts
 * import { openApi } from '@routewright/runtime/openapi'
 * import { RestApiHandler } from './routes/index.js'
 *
 * const openapi = openApi({ info: { title: 'Blog', version: '1.0.0' }, docs: true })
 * export const rest = RestApiHandler({ endpoint: 'https://example.com/api', openapi })
 * ```
 * @see [OpenAPI options](docs/openapi.md#options)
 */
export function openApi(options: OpenApiOptions = {}): OpenApi {
  validateOpenApiOptions(options)
  return { rest: (info) => restOpenApi(info, options), rpc: (info) => rpcOpenApi(info, options) }
}
