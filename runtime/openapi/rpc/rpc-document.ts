import type { IdempotencyInfo } from '../../http/idempotency-middleware.js'
import type { Route } from '../../http/route.js'
import type { Limits } from '../../limits.js'
import type { Dialect } from '../../orm/dialect.js'
import type { Model } from '../../schema/schema.js'
import { ComponentCollector } from '../components.js'
import type { OpenApiDocument } from '../document.js'
import type { AppErrors } from '../error-responses.js'
import { NameAllocator } from '../names.js'
import type { OpenApiOptions } from '../options.js'
import type { RuleSchema } from '../schemas/rule-schema.js'
import { assembleDocument } from '../assemble.js'
import { type RpcDocumentContext, SchemaNames } from './context.js'
import { errorResponses } from './error-responses.js'
import { modelPaths } from './operations.js'
import { transactionPath } from './transaction.js'

/** What the document of an RPC handler is made of. */
export interface RpcDocumentParts {
  readonly limits: Limits
  readonly dialect: Dialect
  /** The routes of each model that is served. */
  readonly routes: ReadonlyMap<Model, readonly Route[]>
  /** Where it is served. */
  readonly url: string
  readonly options: OpenApiOptions
  readonly appErrors: AppErrors
  readonly hasTransactions: boolean
  readonly keys?: IdempotencyInfo | undefined
  /** Absent where there is no zod to ask. */
  readonly ruleSchema?: RuleSchema | undefined
}

/**
 * Describes an RPC handler: every operation that answers, with all it takes and all it answers. The same handler has the same document,
 * to the last byte.
 */
export function rpcDocument({
  routes,
  url,
  options,
  appErrors,
  hasTransactions,
  keys,
  ...parts
}: RpcDocumentParts): OpenApiDocument {
  const models = [...routes.keys()].sort((one, other) => (one.name < other.name ? -1 : 1))
  const components = new ComponentCollector()
  const { limits, dialect, ruleSchema } = parts
  const described: RpcDocumentContext = {
    limits,
    dialect,
    components,
    names: new SchemaNames(models),
    ruleSchema,
    hasTransactions,
    keys,
  }
  const describing = { described, failures: errorResponses(described, appErrors), operationIds: new NameAllocator() }
  const paths = models.flatMap((model) => modelPaths(model, routes.get(model) ?? [], describing))
  const tags = models.map(({ name, description = `Rows of the model ${name}.` }) => ({ name, description }))
  const beside = hasTransactions ? [transactionPath(described, routes, describing.failures)] : []
  const more = hasTransactions ? [{ name: 'Transactions', description: 'Several operations at once.' }] : []
  return assembleDocument(
    { style: 'RPC', paths: [...paths, ...beside], components, server: { url }, tags: [...tags, ...more] },
    options,
  )
}
