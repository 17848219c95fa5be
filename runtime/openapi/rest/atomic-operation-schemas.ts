import type { Route } from '../../http/route.js'
import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { isReadOnly } from '../../rest/relationship-capabilities.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { nullable, anyOf, mutuallyExclusive, closedObject, listOf, oneOf } from '../schemas/schema-builders.js'
import { addedSchema, changedSchema, localIdentifierSchema } from './atomic-resource-schemas.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { resourceSchema } from './resource-schemas.js'

/** The allowed operations, according to the routes of the models. */
export interface AllowedOperations {
  readonly added: readonly RestModel[]
  readonly changed: readonly RestModel[]
  readonly removed: readonly RestModel[]
  /** The models with writable relationships, with the names of these relationships. */
  readonly linking: readonly RestModel[]
  readonly relationships: readonly Relationship[]
}

/** The operations that change the linkage of a relationship. */
const LINK_CHANGES: readonly string[] = ['add', 'replace', 'remove']

/** Determines the allowed operations. See {@link AllowedOperations}. */
export function allowedOperations(
  models: readonly RestModel[],
  routes: ReadonlyMap<RestModel, readonly Route[]>,
): AllowedOperations {
  const has = (model: RestModel, operation: string) =>
    routes.get(model)?.some((route) => route.operation === operation) ?? false
  const changesLinkage = (model: RestModel, name: string) =>
    routes.get(model)?.some(({ operation, relation }) => relation === name && LINK_CHANGES.includes(operation)) ?? false
  const getWritableLinks = (model: RestModel) =>
    [...model.relationships.values()].filter(
      (relationship) => !isReadOnly(relationship, model) && changesLinkage(model, relationship.name),
    )
  return {
    added: models.filter((model) => has(model, 'create')),
    changed: models.filter((model) => has(model, 'update')),
    removed: models.filter((model) => has(model, 'delete')),
    linking: models.filter((model) => getWritableLinks(model).length > 0),
    relationships: models.flatMap(getWritableLinks),
  }
}

const HREF: JsonSchema = { type: 'string', format: 'uri-reference' }
const META: JsonSchema = { type: 'object' }

/** Returns the schemas of operations, one for each kind that any model allows. The `type` of the target distinguishes the models. */
export function operationSchemas(allowed: AllowedOperations, doc: RestDocumentContext): readonly Reference[] {
  const { added, changed, removed, linking } = allowed
  const schemaFor = (name: string, models: readonly RestModel[], create: () => JsonSchema) =>
    models.length > 0 ? [sharedSchema(doc, name, create)] : []
  return [
    ...schemaFor('AddOperation', added, () =>
      resourceOperation(
        'add',
        closedObject({ type: typeOf(added), ...IDS }, ['type']),
        resources('AddedResource', added, addedSchema),
      ),
    ),
    ...schemaFor('UpdateOperation', changed, () =>
      resourceOperation(
        'update',
        localIdentifierSchema(typeOf(changed)),
        resources('ChangedResource', changed, changedSchema),
      ),
    ),
    ...schemaFor('RemoveOperation', removed, () =>
      targetOperation({ op: { const: 'remove' } }, localIdentifierSchema(typeOf(removed)), ['op']),
    ),
    ...schemaFor('RelationshipOperation', linking, () => relationshipOperation(allowed, doc)),
  ]

  function resources(
    name: string,
    models: readonly RestModel[],
    schema: (model: RestModel, doc: RestDocumentContext) => Reference,
  ): Reference {
    return sharedSchema(doc, name, () => oneOf(models.map((model) => schema(model, doc))))
  }
}

/** Returns the schema of an operation's result. */
export function atomicResultSchema(
  { added, changed, relationships }: AllowedOperations,
  doc: RestDocumentContext,
): JsonSchema {
  const { models } = doc
  const returned = models.filter((model) => added.includes(model) || changed.includes(model))
  const targets = relationships.map(({ target }) => target)
  const identified = models.filter((model) => returned.includes(model) || targets.includes(model))
  const identifier = () =>
    sharedSchema(doc, 'ResultIdentifier', () =>
      closedObject({ type: typeOf(identified), id: { type: 'string' } }, ['type', 'id']),
    )
  return anyOf(
    ...(returned.length > 0
      ? [sharedSchema(doc, 'ResultResource', () => oneOf(returned.map((model) => resourceSchema(model, doc))))]
      : []),
    ...(identified.length > 0 ? [identifier(), listOf(identifier())] : []),
    { type: 'null' },
  )
}

const IDS = { id: { type: ['string', 'integer'] }, lid: { type: 'string' } } satisfies Record<string, JsonSchema>

/** Returns the schema of an operation with a resource. Without `ref` and `href`, `data` identifies the resource. */
function resourceOperation(op: string, ref: JsonSchema, data: JsonSchema): JsonSchema {
  return {
    ...closedObject({ op: { const: op }, ref, href: HREF, data, meta: META }, ['op', 'data']),
    ...mutuallyExclusive(['ref'], ['href']),
  }
}

/** Returns the schema of an operation that requires `ref` or `href`. */
function targetOperation(
  members: Readonly<Record<string, JsonSchema>>,
  ref: JsonSchema,
  required: readonly string[],
): JsonSchema {
  return oneOf([
    closedObject({ ...members, ref, meta: META }, [...required, 'ref']),
    closedObject({ ...members, href: HREF, meta: META }, [...required, 'href']),
  ])
}

/** Returns the schema of a relationship operation. If a single member is added or removed, it can be sent without a list. */
function relationshipOperation({ linking, relationships }: AllowedOperations, doc: RestDocumentContext): JsonSchema {
  const { models, context } = doc
  const targets = relationships.map(({ target }) => target)
  const names = [...new Set(relationships.map(({ name }) => name))].sort()
  const identifier = sharedSchema(doc, 'RelatedIdentifier', () =>
    localIdentifierSchema(typeOf(models.filter((model) => targets.includes(model)))),
  )
  const data = anyOf(nullable(identifier), listOf(identifier, context.settings.limits.listLength))
  const ref = localIdentifierSchema(typeOf(linking), { relationship: { enum: names } })
  return targetOperation({ op: { enum: ['add', 'update', 'remove'] }, data }, ref, ['op', 'data'])
}

function typeOf(models: readonly RestModel[]): JsonSchema {
  return { enum: models.map(({ type }) => type) }
}
