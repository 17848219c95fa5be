import type { KeyFacts } from '../../http/repeats.js'
import type { Route } from '../../http/route.js'
import type { RestContext } from '../../rest/context.js'
import type { RestModel } from '../../rest/model.js'
import { ComponentCollector } from '../components.js'
import type { OpenApiDocument } from '../document.js'
import type { AppRefusals } from '../failures.js'
import { Names, SharedNames } from '../names.js'
import type { OpenApiOptions } from '../options.js'
import type { RuleSchema } from '../schemas/rule-schema.js'
import { documentOf } from '../whole.js'
import { includableOf, type RestDescription, schemaNames } from './describe.js'
import { SharedFilters } from './filters.js'
import { atomicOperationsPath } from './atomic-operations.js'
import { versionCodes } from './conditions.js'
import { failureResponses } from './failures.js'
import { pathsOf } from './operations.js'

/** What the document of a REST handler is made of. */
export interface RestDocumentParts {
  readonly context: RestContext
  /** The routes of each model that is served. */
  readonly routes: ReadonlyMap<RestModel, readonly Route[]>
  readonly options: OpenApiOptions
  readonly refusals: AppRefusals
  /** Where atomic operations are served, if they are. */
  readonly operations?: string | undefined
  readonly keys?: KeyFacts | undefined
  /** Absent where there is no zod to ask. */
  readonly ruleSchema?: RuleSchema | undefined
}

/**
 * Describes a REST handler: every route that answers, with all it takes and all it answers. The same handler has the same document, to
 * the last byte.
 */
export function restDocument({
  context,
  routes,
  options,
  refusals,
  operations,
  keys,
  ruleSchema,
}: RestDocumentParts): OpenApiDocument {
  const models = [...routes.keys()].sort((one, other) => (one.model.name < other.model.name ? -1 : 1))
  const components = new ComponentCollector()
  const names = new Names()
  const described: RestDescription = {
    context,
    models,
    components,
    names: schemaNames(models, names),
    sharedNames: new SharedNames(names),
    filters: new SharedFilters(),
    includable: includableOf(models),
    ruleSchema,
    hasOperations: operations !== undefined,
    keys,
  }
  const describing = { described, refusals, operationIds: new Names() }
  const paths = described.filters.settle(
    models.flatMap((model) => pathsOf(model, routes.get(model) ?? [], describing)),
    components,
  )
  const server = { url: context.settings.endpoint }
  const atomic =
    operations === undefined
      ? []
      : [
          atomicOperationsPath(
            operations,
            described,
            routes,
            failureResponses('operations', described, refusals, { codes: versionCodes(models) }),
          ),
        ]
  const atomicTag = operations === undefined ? [] : [{ name: 'Operations', description: 'Several changes at once.' }]
  return documentOf(
    {
      style: 'REST',
      paths: [...paths, ...atomic],
      components,
      server,
      tags: [
        ...models.map(({ type, model: { name, description = `Resources of type "${type}".` } }) => ({
          name,
          description,
        })),
        ...atomicTag,
      ],
    },
    options,
  )
}
