import type { StaticEndpoints } from '../../http/static-endpoint.js'
import type { RpcOpenApiInput } from '../../rpc/rpc-openapi-input.js'
import { resolveAppErrors } from '../operation-errors.js'
import type { OpenApiOptions } from '../openapi-options.js'
import { openApiEndpoints } from '../openapi-endpoints.js'
import { zodRuleSchema } from '../schemas/zod-rule-schema.js'
import { rpcDocument } from './rpc-document.js'

/** Creates the endpoints that describe an RPC handler. */
export function rpcOpenApi(
  { hasHooks, isReserved, ...info }: RpcOpenApiInput,
  options: OpenApiOptions,
): StaticEndpoints {
  return openApiEndpoints(options, {
    title: 'RPC API',
    isReserved,
    describe: async (url) => {
      const ruleSchema = await zodRuleSchema()
      return rpcDocument({ ...info, url, options, appErrors: resolveAppErrors(options, hasHooks), ruleSchema })
    },
  })
}
