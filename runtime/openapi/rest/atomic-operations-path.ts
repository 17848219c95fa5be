import { ATOMIC_MEDIA_TYPE, OPERATIONS, RESULTS } from '../../features/atomic/atomic-media-type.js'
import type { Route } from '../../http/routing/route.js'
import { isReadOnly } from '../../rest/relationship-capabilities.js'
import type { RestModel, Relationship } from '../../rest/rest-model.js'
import type { RouteCalls } from '../component-collector.js'
import type { PathItem, Reference, JsonSchema } from '../document-types.js'
import { keyParameters } from '../operation-errors.js'
import { withDefault } from '../schemas/field-schema.js'
import { anyOf, closedObject, nullable, mutuallyExclusive, listOf, oneOf } from '../schemas/schema-builders.js'
import { resourceSchema, mayBeEmptied, bodyResourceSchema } from './resource-schemas.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import { createRequirements } from './writable-members.js'

const DESCRIPTION =
  'Runs several changes in one transaction: either all of them succeed, or none do. Each operation has the same effect as a separate request. `data` can use a `lid` to refer to ' +
  'a resource that an earlier operation adds. The pointer of an error contains the index of its operation.'

/**
 * Returns the path of atomic operations.
 * @param path the path, relative to the prefix
 * @param routes the routes of each model, which determine the allowed operations
 * @param failures the error responses
 * @param calls the operations that call declared custom routes
 */
export function atomicOperationsPath(
  path: string,
  doc: RestDocumentContext,
  routes: ReadonlyMap<RestModel, readonly Route[]>,
  failures: Readonly<Record<string, Reference>>,
  calls: RouteCalls | undefined,
): readonly [path: string, item: PathItem] {
  const maxOperations = doc.context.settings.limits.operations
  const allowed = allowedOperations(doc.models, routes)
  const operation = sharedSchema(doc, 'AtomicOperation', () =>
    anyOf(...operationSchemas(allowed, doc), ...(calls?.operations ?? [])),
  )
  const request = sharedSchema(doc, 'AtomicOperations', () => ({
    type: 'object',
    properties: {
      [OPERATIONS]: {
        type: 'array',
        items: operation,
        minItems: 1,
        ...(maxOperations < Infinity && { maxItems: maxOperations }),
      },
    },
    required: [OPERATIONS],
  }))
  const result = sharedSchema(doc, 'AtomicResult', () =>
    closedObject({
      data: anyOf(atomicResultSchema(allowed, doc), ...(calls?.results ?? [])),
      meta: { type: 'object' },
    }),
  )
  const response = sharedSchema(doc, 'AtomicResults', () =>
    closedObject(
      {
        [RESULTS]: { type: 'array', items: result, description: 'One result per operation, in the same order.' },
        jsonapi: closedObject({ version: { const: '1.1' }, ext: { type: 'array', items: { type: 'string' } } }),
      },
      [RESULTS, 'jsonapi'],
    ),
  )
  const keys = keyParameters(doc, 'post')
  return [
    path,
    {
      post: {
        operationId: 'atomicOperations',
        summary: 'Atomic operations',
        description: DESCRIPTION,
        tags: ['Operations'],
        ...(keys.length > 0 && { parameters: keys }),
        requestBody: { required: true, content: { [ATOMIC_MEDIA_TYPE]: { schema: request } } },
        responses: {
          200: { description: 'All operations succeeded.', content: { [ATOMIC_MEDIA_TYPE]: { schema: response } } },
          204: { description: 'All operations succeeded and have no results.' },
          ...failures,
          ...calls?.errors,
        },
      },
    },
  ]
}

/** The allowed operations, according to the routes of the models. */
interface AllowedOperations {
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
function allowedOperations(
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
function operationSchemas(allowed: AllowedOperations, doc: RestDocumentContext): readonly Reference[] {
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
function atomicResultSchema(
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

/** The id of a resource in operations, or the local id that an earlier operation has assigned. */
const ATOMIC_ID: JsonSchema = { type: ['string', 'integer'] }
const LOCAL_ID: JsonSchema = { type: 'string', minLength: 1 }

/** Returns the schema of a resource in an add operation. Unlike in a separate create request, ids may be local. */
function addedSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return sharedSchema(doc, `${modelSchemaNames(doc, model).resource}Added`, () => {
    const { takesId, idIsRequired, attributes, relationships } = createRequirements(model)
    const schema = bodyResourceSchema(model, doc, {
      members: { ...(takesId && { id: ATOMIC_ID }), ...(!idIsRequired && { lid: LOCAL_ID }) },
      named: 'CreateAttributes',
      requiredMembers: idIsRequired ? ['id'] : [],
      requiredAttributes: attributes,
      requiredRelations: relationships,
      linkage: localLinkageBodySchema,
      explanation: withDefault,
    })
    return takesId && !idIsRequired ? { ...schema, ...mutuallyExclusive(['id'], ['lid']) } : schema
  })
}

/** Returns the schema of a resource in an update operation. Unlike in a separate update request, ids may be local. */
function changedSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return sharedSchema(doc, `${modelSchemaNames(doc, model).resource}Changed`, () => ({
    ...bodyResourceSchema(model, doc, {
      members: { id: ATOMIC_ID, lid: LOCAL_ID },
      named: 'UpdateAttributes',
      linkage: localLinkageBodySchema,
      explanation: (_field, description) => description,
    }),
    ...mutuallyExclusive(['id'], ['lid']),
  }))
}

/**
 * Returns the schema of a resource identifier in operations.
 * @param members additional members
 */
function localIdentifierSchema(type: JsonSchema, members: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const named = Object.keys(members)
  return {
    oneOf: [
      closedObject({ type, id: ATOMIC_ID, ...members }, ['type', 'id', ...named]),
      closedObject({ type, lid: LOCAL_ID, ...members }, ['type', 'lid', ...named]),
    ],
  }
}

/** Returns the schema of a relationship in a resource of an operation. */
function localLinkageBodySchema(relationship: Relationship, doc: RestDocumentContext): Reference {
  const { target, relation } = relationship
  const { resource } = modelSchemaNames(doc, target)
  const identifier = () =>
    sharedSchema(doc, `${resource}LocalIdentifier`, () => localIdentifierSchema({ const: target.type }))
  const { listLength } = doc.context.settings.limits
  const [arity, data] = relation.many
    ? ['LocalLinkages', () => listOf(identifier(), listLength)]
    : mayBeEmptied(relationship)
      ? ['LocalLinkage', () => nullable(identifier())]
      : ['NeededLocalLinkage', identifier]
  return sharedSchema(doc, resource + arity, () => closedObject({ data: data() }, ['data']))
}
