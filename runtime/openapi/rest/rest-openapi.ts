import type { IdempotencyInfo } from '../../http/idempotency-types.js'
import type { Route } from '../../http/routing/route.js'
import type { StaticEndpoints } from '../../http/routing/endpoints.js'
import type { RestContext } from '../../rest/rest-context.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { RestOpenApiInput } from '../../rest/rest-options.js'
import { ComponentCollector, type DocumentOptions, assembleDocument } from '../component-collector.js'
import type { OpenApiDocument } from '../document-types.js'
import { NameAllocator, SharedNameAllocator } from '../name-allocator.js'
import { openApiEndpoints } from '../openapi-endpoints.js'
import { describeModel } from '../openapi-options.js'
import { resolveAppErrors, type AppErrors } from '../operation-errors.js'
import { type RuleSchema, zodRuleSchema } from '../schemas/field-schema.js'
import { atomicOperationsPath } from './atomic-operations-path.js'
import { errorResponses } from './error-responses.js'
import { modelPaths, type OperationContext } from './model-paths.js'
import { versionCodes } from './precondition-components.js'
import { includableModels, type RestDocumentContext } from './rest-document-context.js'
import { schemaNames } from './schema-names.js'

/** Creates the endpoints that describe a REST handler. */
export function restOpenApi(
  { context, routes, isReserved, operations, keys, options: { hooks } }: RestOpenApiInput,
  options: DocumentOptions<OperationContext>,
): StaticEndpoints {
  return openApiEndpoints(options, {
    title: 'REST API',
    isReserved,
    describe: async () => {
      const ruleSchema = await zodRuleSchema()
      const appErrors = resolveAppErrors(options, hooks)
      return restDocument({ context, routes, operations, keys, options, appErrors, ruleSchema })
    },
  })
}

/** The input of {@link restDocument}. */
interface RestDocumentParts {
  readonly context: RestContext
  /** The routes of each exposed model. */
  readonly routes: ReadonlyMap<RestModel, readonly Route[]>
  readonly options: DocumentOptions<OperationContext>
  readonly appErrors: AppErrors
  /** The path of atomic operations, if they are enabled. */
  readonly operations?: string | undefined
  readonly keys?: IdempotencyInfo | undefined
  /** Undefined if zod is not installed. */
  readonly ruleSchema?: RuleSchema | undefined
}

/** Describes a REST handler: all routes with their parameters and responses. The same handler always produces the same bytes. */
function restDocument({
  context,
  routes,
  options,
  appErrors,
  operations,
  keys,
  ruleSchema,
}: RestDocumentParts): OpenApiDocument {
  const models = [...routes.keys()].sort((left, right) => (left.model.name < right.model.name ? -1 : 1))
  const components = new ComponentCollector()
  const names = new NameAllocator()
  const doc: RestDocumentContext = {
    context,
    models,
    descriptions: options.descriptions,
    components,
    names: schemaNames(models, names),
    sharedNames: new SharedNameAllocator(names),
    includable: includableModels(models),
    ruleSchema,
    keys,
  }
  const operationContext = { doc, appErrors, operationIds: new NameAllocator() }
  const paths = models.flatMap((model) => modelPaths(model, routes.get(model) ?? [], operationContext))
  const server = { url: context.settings.endpoint }
  const atomic =
    operations === undefined
      ? []
      : [
          atomicOperationsPath(
            operations,
            doc,
            routes,
            errorResponses('operations', doc, appErrors, { codes: versionCodes(models) }),
            options.describeRouteCalls?.(operationContext),
          ),
        ]
  const atomicTag =
    operations === undefined ? [] : [{ name: 'Operations', description: 'Several changes in one request.' }]
  return assembleDocument(
    {
      style: 'REST',
      about: introduction(context.settings.features),
      paths: [...paths, ...atomic],
      context: operationContext,
      components,
      server,
      tags: [
        ...models.map(({ type, model: { name } }) => ({
          name,
          description: describeModel(doc, name) ?? `Resources of type "${type}".`,
        })),
        ...atomicTag,
      ],
    },
    options,
  )
}

function introduction({ includedLists, relatedCounts }: RestContext['settings']['features']): string {
  return [
    'A [JSON:API 1.1](https://jsonapi.org/format/1.1/) server with relationships, filters, sorting, pagination and sparse fieldsets. `PUT` is equivalent to `PATCH`.',
    ...(includedLists
      ? [
          'Included lists can be paginated, sorted and filtered: `includePage[comments][limit]=5`, `includeSort[comments]=-id`, `includeFilter[comments][body]=…`.',
        ]
      : []),
    ...(relatedCounts ? ['`relatedCount=comments` counts related resources.'] : []),
  ].join(' ')
}
