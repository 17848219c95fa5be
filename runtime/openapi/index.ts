import type { OpenApi } from './describer.js'
import { validateOpenApiOptions, type OpenApiOptions } from './options.js'
import { restPages } from './rest/index.js'
import { rpcPages } from './rpc/index.js'

export type { OpenApi } from './describer.js'
export type { OpenApiOptions } from './options.js'
export type * from './document.js'

/**
 * Describes an API as OpenAPI 3.1, for the option `openapi` of a handler.
 * @param options what the schema and the handler do not tell; none of it has to be given
 * @throws Error that says what is wrong, and what would be right
 */
export function openApi(options: OpenApiOptions = {}): OpenApi {
  validateOpenApiOptions(options)
  return { rest: (facts) => restPages(facts, options), rpc: (facts) => rpcPages(facts, options) }
}
