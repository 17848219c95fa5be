import type { StaticEndpoints } from '../../http/static-endpoint.js'
import type { RestOpenApiInput } from '../../rest/rest-openapi-input.js'
import { resolveAppErrors } from '../operation-errors.js'
import type { OpenApiOptions } from '../openapi-options.js'
import { openApiEndpoints } from '../openapi-endpoints.js'
import { zodRuleSchema } from '../schemas/zod-rule-schema.js'
import { restDocument } from './rest-document.js'

/** Creates the endpoints that describe a REST handler. */
export function restOpenApi(
  { context, routes, isReserved, operations, hasHooks, keys }: RestOpenApiInput,
  options: OpenApiOptions,
): StaticEndpoints {
  return openApiEndpoints(options, {
    title: 'REST API',
    isReserved,
    describe: async () => {
      const ruleSchema = await zodRuleSchema()
      const appErrors = resolveAppErrors(options, hasHooks)
      return restDocument({ context, routes, operations, keys, options, appErrors, ruleSchema })
    },
  })
}
