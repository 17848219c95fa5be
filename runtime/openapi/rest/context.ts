import type { IdempotencyInfo } from '../../http/idempotency-middleware.js'
import type { RestContext } from '../../rest/context.js'
import type { RestModel } from '../../rest/model.js'
import { mayRead } from '../../rest/permissions.js'
import type { ComponentCollector } from '../components.js'
import type { JsonSchema, Reference } from '../document.js'
import type { NameAllocator, SharedNameAllocator } from '../names.js'
import type { SharedFilters } from './filters.js'
import type { RuleSchema } from '../schemas/rule-schema.js'
import type { Share } from '../schemas/shared-types.js'

/** What all parts of the REST style's document are written with. */
export interface RestDocumentContext {
  readonly context: RestContext
  /** The models that are served, sorted by name. */
  readonly models: readonly RestModel[]
  readonly components: ComponentCollector
  readonly names: ReadonlyMap<RestModel, SchemaNames>
  /** The names of schemas that belong to no model. */
  readonly sharedNames: SharedNameAllocator
  /** The models that some relation leads to that may be read: all that anything can include. */
  readonly includable: ReadonlySet<RestModel>
  readonly filters: SharedFilters
  readonly ruleSchema: RuleSchema | undefined
  /** Whether atomic operations are served, which share attributes with creates and updates. */
  readonly hasOperations: boolean
  /** Undefined where the handler takes no idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** What the schemas of a model are called. */
export interface SchemaNames {
  readonly resource: string
  readonly identifier: string
  readonly linkage: string
  readonly create: string
  readonly update: string
  readonly document: string
  readonly collection: string
  /** What a to-one relation leads to: a resource or none. */
  readonly related: string
  /** Documents and bodies with linkage; `one` of a to-one relation, `many` of a to-many. */
  readonly linkageDocument: Arities
  readonly compoundLinkageDocument: Arities
  readonly linkageBody: Arities
  /** The same of a to-one relation that cannot be emptied. */
  readonly neededLinkageBody: string
  /** Answers and bodies of requests that several operations have. */
  readonly response: string
  readonly collectionResponse: string
  readonly relatedResponse: string
  readonly linkageResponse: Arities
  readonly compoundLinkageResponse: Arities
  readonly updateRequest: string
  readonly linkageRequest: Arities
  readonly neededLinkageRequest: string
  /** What documents of it include: `many` where it can be included itself, because it stands there as linkage. */
  readonly included: Arities
}

/** Names for to-one and for to-many. */
export interface Arities {
  readonly one: string
  readonly many: string
}

/** What can be included at all. */
export function includableModels(models: readonly RestModel[]): ReadonlySet<RestModel> {
  return new Set(
    models.flatMap(({ relationships }) => [...relationships.values()].filter(mayRead).map(({ target }) => target)),
  )
}

/** Names the schemas of all models: the models' own names first, so that none of them loses its own to a part of another. */
export function schemaNames(models: readonly RestModel[], names: NameAllocator): ReadonlyMap<RestModel, SchemaNames> {
  const resources = models.map(({ model }) => names.unique(model.name))
  return new Map(
    models.map((model, index): [RestModel, SchemaNames] => {
      const resource = resources[index] ?? model.model.name
      const part = (suffix: string) => names.unique(resource + suffix)
      return [
        model,
        {
          resource,
          identifier: part('Identifier'),
          linkage: part('Linkage'),
          create: part('CreateDocument'),
          update: part('UpdateDocument'),
          document: part('Document'),
          collection: part('CollectionDocument'),
          related: part('RelatedDocument'),
          linkageDocument: { one: part('LinkageDocument'), many: part('LinkagesDocument') },
          compoundLinkageDocument: { one: part('CompoundLinkageDocument'), many: part('CompoundLinkagesDocument') },
          linkageBody: { one: part('LinkageBody'), many: part('LinkagesBody') },
          neededLinkageBody: part('NeededLinkageBody'),
          response: part('Response'),
          collectionResponse: part('CollectionResponse'),
          relatedResponse: part('RelatedResponse'),
          linkageResponse: { one: part('LinkageResponse'), many: part('LinkagesResponse') },
          compoundLinkageResponse: { one: part('CompoundLinkageResponse'), many: part('CompoundLinkagesResponse') },
          updateRequest: part('UpdateRequest'),
          linkageRequest: { one: part('LinkageRequest'), many: part('LinkagesRequest') },
          neededLinkageRequest: part('NeededLinkageRequest'),
          included: { one: part('Included'), many: part('IncludedWithItself') },
        },
      ]
    }),
  )
}

/** The names of a model's schemas. */
export function modelSchemaNames({ names }: RestDocumentContext, model: RestModel): SchemaNames {
  const found = names.get(model)
  if (!found) throw new Error(`The model ${model.model.name} is not served.`)
  return found
}

/** Refers to a schema that belongs to no model, which is made where it is not there yet. */
export function sharedSchema(
  { components, sharedNames }: RestDocumentContext,
  name: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(sharedNames.of(name), make)
}

/** How they are shared. */
export function createSharedSchemas(described: RestDocumentContext): Share {
  return (name, make) => sharedSchema(described, name, make)
}

/** A link: a URL. */
export const LINK: JsonSchema = { type: 'string', format: 'uri' }

/** A link to a page that may not be there. */
export const PAGE_LINK: JsonSchema = { type: ['string', 'null'], format: 'uri' }
