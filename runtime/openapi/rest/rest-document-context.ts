import type { IdempotencyInfo } from '../../http/idempotency-types.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import type { RestContext } from '../../rest/rest-context.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { ComponentCollector } from '../component-collector.js'
import type { JsonSchema, Reference, Parameter, PathItem } from '../document-types.js'
import { type SharedNameAllocator, NameAllocator } from '../name-allocator.js'
import type { SchemaDescriptions } from '../openapi-options.js'
import type { RuleSchema, Share } from '../schemas/field-schema.js'
import type { SchemaNames } from './schema-names.js'

/** The context that all parts of a REST document share. */
export interface RestDocumentContext {
  readonly context: RestContext
  /** The exposed models, sorted by name. */
  readonly models: readonly RestModel[]
  /** The option `descriptions`. */
  readonly descriptions: SchemaDescriptions | undefined
  readonly components: ComponentCollector
  readonly names: ReadonlyMap<RestModel, SchemaNames>
  /** The names of schemas that do not belong to a model. */
  readonly sharedNames: SharedNameAllocator
  /** The models that can be included: the targets of all readable relations. */
  readonly includable: ReadonlySet<RestModel>
  readonly filters: SharedFilters
  readonly ruleSchema: RuleSchema | undefined
  /** Whether atomic operations are enabled. Operations share attribute schemas with creates and updates. */
  readonly hasOperations: boolean
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Returns the models that can be included. */
export function includableModels(models: readonly RestModel[]): ReadonlySet<RestModel> {
  return new Set(
    models.flatMap(({ relationships }) => [...relationships.values()].filter(mayRead).map(({ target }) => target)),
  )
}

/** Returns a reference to a schema that does not belong to a model, and creates the schema if it does not exist. */
export function sharedSchema(
  { components, sharedNames }: RestDocumentContext,
  name: string,
  create: () => JsonSchema,
): Reference {
  return components.schema(sharedNames.get(name), create)
}

/** Returns {@link sharedSchema} bound to a document. */
export function createSharedSchemas(doc: RestDocumentContext): Share {
  return (name, create) => sharedSchema(doc, name, create)
}

/** A link: a URL. */
export const LINK: JsonSchema = { type: 'string', format: 'uri' }

/** A link to a page that may be missing. */
export const PAGE_LINK: JsonSchema = { type: ['string', 'null'], format: 'uri' }

type Parameters = readonly (Parameter | Reference)[]

/**
 * Shares filter parameters by name and type: `filter[createdAt$gt]` is the same for all models with a date field of that name. All filters
 * stay inline until the end, when it is known which ones are used several times.
 */
export class SharedFilters {
  readonly #known = new Map<string, Parameter>()

  /** @param type distinguishes filters with the same name */
  get(selector: string, type: string, schema: () => JsonSchema): Parameter {
    const key = `${selector} ${type}`
    const parameter = this.#known.get(key) ?? { name: `filter[${selector}]`, in: 'query', schema: schema() }
    this.#known.set(key, parameter)
    return parameter
  }

  /** Replaces each filter that is used several times with a reference. */
  settle(paths: readonly (readonly [path: string, item: PathItem])[], components: ComponentCollector) {
    const usageCounts = new Map<Parameter | Reference, number>()
    for (const parameter of paths.flatMap(([, { get }]) => get?.parameters ?? []))
      usageCounts.set(parameter, (usageCounts.get(parameter) ?? 0) + 1)
    const names = new NameAllocator()
    const references = new Map<Parameter | Reference, Reference>()
    for (const parameter of this.#known.values()) {
      if ((usageCounts.get(parameter) ?? 0) < 2) continue
      const name = names.unique(parameter.name.slice('filter['.length, -1).replace('$', '.'))
      references.set(
        parameter,
        components.parameter(`filter.${name}`, () => parameter),
      )
    }
    const toReferences = (all: Parameters) => all.map((parameter) => references.get(parameter) ?? parameter)
    return paths.map(([path, item]): readonly [string, PathItem] => {
      const { get } = item
      return get?.parameters
        ? [path, { ...item, get: { ...get, parameters: toReferences(get.parameters) } }]
        : [path, item]
    })
  }
}
