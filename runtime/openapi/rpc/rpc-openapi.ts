import type { IdempotencyInfo } from '../../http/idempotency-types.js'
import type { Route } from '../../http/routing/route.js'
import type { StaticEndpoints } from '../../http/routing/endpoints.js'
import type { Limits } from '../../limits.js'
import type { Dialect } from '../../prisma/dialect.js'
import type { RpcOpenApiInput } from '../../rpc/rpc-options.js'
import type { Model } from '../../schema/model.js'
import { ComponentCollector, type DocumentOptions, assembleDocument } from '../component-collector.js'
import type { OpenApiDocument } from '../document-types.js'
import { NameAllocator } from '../name-allocator.js'
import { openApiEndpoints } from '../openapi-endpoints.js'
import { describeModel } from '../openapi-options.js'
import { resolveAppErrors, type AppErrors } from '../operation-errors.js'
import { type RuleSchema, zodRuleSchema } from '../schemas/field-schema.js'
import { errorResponses } from './error-responses.js'
import { modelPaths, type OperationContext } from './model-paths.js'
import { type RpcDocumentContext, SchemaNames } from './rpc-document-context.js'
import { transactionPath } from './transaction-path.js'

/** Creates the endpoints that describe an RPC handler. */
export function rpcOpenApi(
  { options: { hooks }, isReserved, ...info }: RpcOpenApiInput,
  options: DocumentOptions<OperationContext>,
): StaticEndpoints {
  return openApiEndpoints(options, {
    title: 'RPC API',
    isReserved,
    describe: async (url) => {
      const ruleSchema = await zodRuleSchema()
      return rpcDocument({ ...info, url, options, appErrors: resolveAppErrors(options, hooks), ruleSchema })
    },
  })
}

const ABOUT =
  'The operations of the Prisma client. Arguments are JSON in the query parameter `q` or in the body. Results are in `data`. `PUT` is equivalent to `PATCH`.'

/** The input of {@link rpcDocument}. */
interface RpcDocumentParts {
  readonly limits: Limits
  readonly dialect: Dialect
  /** The routes of each exposed model. */
  readonly routes: ReadonlyMap<Model, readonly Route[]>
  /** The URL at which the handler is served. */
  readonly url: string
  readonly options: DocumentOptions<OperationContext>
  readonly appErrors: AppErrors
  readonly hasTransactions: boolean
  readonly keys?: IdempotencyInfo | undefined
  /** Undefined if zod is not installed. */
  readonly ruleSchema?: RuleSchema | undefined
}

/** Describes an RPC handler: all operations with their arguments and results. The same handler always produces the same bytes. */
function rpcDocument({
  routes,
  url,
  options,
  appErrors,
  hasTransactions,
  keys,
  ...parts
}: RpcDocumentParts): OpenApiDocument {
  const models = [...routes.keys()].sort((left, right) => (left.name < right.name ? -1 : 1))
  const components = new ComponentCollector()
  const { limits, dialect, ruleSchema } = parts
  const doc: RpcDocumentContext = {
    limits,
    dialect,
    descriptions: options.descriptions,
    components,
    names: new SchemaNames(models),
    ruleSchema,
    hasTransactions,
    keys,
  }
  const operationContext = { doc, errors: errorResponses(doc, appErrors), operationIds: new NameAllocator() }
  const paths = models.flatMap((model) => modelPaths(model, routes.get(model) ?? [], operationContext))
  const tags = models.map(({ name }) => ({
    name,
    description: describeModel(doc, name) ?? `Rows of the model ${name}.`,
  }))
  const transactionPaths = hasTransactions
    ? [transactionPath(doc, routes, operationContext.errors, options.describeRouteCalls?.(operationContext))]
    : []
  const transactionTags = hasTransactions
    ? [{ name: 'Transactions', description: 'Several operations in one transaction.' }]
    : []
  return assembleDocument(
    {
      style: 'RPC',
      about: ABOUT,
      paths: [...paths, ...transactionPaths],
      context: operationContext,
      components,
      server: { url },
      tags: [...tags, ...transactionTags],
    },
    options,
  )
}
