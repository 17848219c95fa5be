import type { IdempotencyInfo } from '../../http/idempotency-types.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import type { RestContext } from '../../rest/rest-context.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { ComponentCollector } from '../component-collector.js'
import type { JsonSchema, Reference } from '../document-types.js'
import type { SharedNameAllocator } from '../name-allocator.js'
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
  readonly ruleSchema: RuleSchema | undefined
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
