import type { RestModel } from '../../rest/rest-model.js'
import type { NameAllocator } from '../name-allocator.js'

/** The names of a model's schemas. */
export interface SchemaNames {
  readonly resource: string
  readonly identifier: string
  readonly linkage: string
  readonly create: string
  readonly update: string
  readonly document: string
  readonly collection: string
  /** The target of a to-one relation: a resource or null. */
  readonly related: string
  /** Documents and bodies with linkage: `one` for a to-one relation, `many` for a to-many relation. */
  readonly linkageDocument: Arities
  readonly linkageBody: Arities
  /** The body for a to-one relation that cannot be null. */
  readonly requiredLinkageBody: string
  /** Responses and request bodies that multiple operations share. */
  readonly response: string
  readonly collectionResponse: string
  readonly relatedResponse: string
  readonly linkageResponse: Arities
  readonly updateRequest: string
  readonly linkageRequest: Arities
  readonly requiredLinkageRequest: string
  /** The `included` member of its documents. `many` is for documents that can include the model itself. */
  readonly included: Arities
}

/** Names for to-one and to-many. */
export interface Arities {
  readonly one: string
  readonly many: string
}

/** Allocates the names of all models' schemas. Models are named first, so that no part of a different model can use their names. */
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
          linkageBody: { one: part('LinkageBody'), many: part('LinkagesBody') },
          requiredLinkageBody: part('NeededLinkageBody'),
          response: part('Response'),
          collectionResponse: part('CollectionResponse'),
          relatedResponse: part('RelatedResponse'),
          linkageResponse: { one: part('LinkageResponse'), many: part('LinkagesResponse') },
          updateRequest: part('UpdateRequest'),
          linkageRequest: { one: part('LinkageRequest'), many: part('LinkagesRequest') },
          requiredLinkageRequest: part('NeededLinkageRequest'),
          included: { one: part('Included'), many: part('IncludedWithItself') },
        },
      ]
    }),
  )
}

/** Returns the names of a model's schemas. */
export function modelSchemaNames(
  { names }: { readonly names: ReadonlyMap<RestModel, SchemaNames> },
  model: RestModel,
): SchemaNames {
  const found = names.get(model)
  if (!found) throw new Error(`The model ${model.model.name} is not exposed.`)
  return found
}
