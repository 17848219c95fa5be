import type { OpenApi } from './describer.js'
import { validateOpenApiOptions, type OpenApiOptions } from './options.js'
import { restOpenApi } from './rest/index.js'
import { rpcOpenApi } from './rpc/index.js'

export type { OpenApi } from './describer.js'
export type { OpenApiOptions } from './options.js'
export type * from './document.js'

/**
 * Describes an API as OpenAPI 3.1, for the option `openapi` of a handler.
 * @param options information that neither the schema nor the handler provides; all of it is optional
 * @throws Error if an option is invalid, with a description of valid values
 */
export function openApi(options: OpenApiOptions = {}): OpenApi {
  validateOpenApiOptions(options)
  return { rest: (info) => restOpenApi(info, options), rpc: (info) => rpcOpenApi(info, options) }
}
