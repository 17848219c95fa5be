import type { Route } from '../../http/route.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { isReadOnly } from '../../rest/permissions.js'
import type { JsonSchema, Reference } from '../document.js'
import { nullable } from '../schemas/field-schema.js'
import { anyOf, mutuallyExclusive, closedObject, listOf, oneOf } from '../schemas/shapes.js'
import { addedSchema, changedSchema, localIdentifierSchema } from './atomic-resources.js'
import { type RestDocumentContext, sharedSchema } from './context.js'
import { resourceSchema } from './resources.js'

/** The operations that are allowed, according to the routes of the models. */
export interface AllowedOperations {
  readonly added: readonly RestModel[]
  readonly changed: readonly RestModel[]
  readonly removed: readonly RestModel[]
  /** The models with writable relationships, and these relationships. */
  readonly linking: readonly RestModel[]
  readonly relationships: readonly Relationship[]
}

/** Determines the allowed operations. See {@link AllowedOperations}. */
export function allowedOperations(
  models: readonly RestModel[],
  routes: ReadonlyMap<RestModel, readonly Route[]>,
): AllowedOperations {
  const has = (model: RestModel, at: string, ...methods: readonly string[]) =>
    routes.get(model)?.some(({ path, method }) => path === at && methods.includes(method)) ?? false
  const getWritableLinks = (model: RestModel) =>
    [...model.relationships.values()].filter(
      (relationship) =>
        !isReadOnly(relationship, model) &&
        has(model, `/:id/relationships/${relationship.name}`, 'POST', 'PATCH', 'DELETE'),
    )
  return {
    added: models.filter((model) => has(model, '/', 'POST')),
    changed: models.filter((model) => has(model, '/:id', 'PATCH')),
    removed: models.filter((model) => has(model, '/:id', 'DELETE')),
    linking: models.filter((model) => getWritableLinks(model).length > 0),
    relationships: models.flatMap(getWritableLinks),
  }
}

const HREF: JsonSchema = { type: 'string', format: 'uri-reference' }
const META: JsonSchema = { type: 'object' }

/** Returns the schemas of operations, one for each kind that any model allows. The `type` of the target distinguishes the models. */
export function operationSchemas(offered: AllowedOperations, described: RestDocumentContext): readonly Reference[] {
  const { added, changed, removed, linking } = offered
  const kind = (name: string, models: readonly RestModel[], make: () => JsonSchema) =>
    models.length > 0 ? [sharedSchema(described, name, make)] : []
  return [
    ...kind('AddOperation', added, () =>
      written(
        'add',
        closedObject({ type: typeOf(added), ...IDS }, ['type']),
        resources('AddedResource', added, addedSchema),
      ),
    ),
    ...kind('UpdateOperation', changed, () =>
      written('update', localIdentifierSchema(typeOf(changed)), resources('ChangedResource', changed, changedSchema)),
    ),
    ...kind('RemoveOperation', removed, () =>
      placed({ op: { const: 'remove' } }, localIdentifierSchema(typeOf(removed)), ['op']),
    ),
    ...kind('RelationshipOperation', linking, () => relationshipOperation(offered, described)),
  ]

  function resources(
    name: string,
    models: readonly RestModel[],
    schema: (model: RestModel, described: RestDocumentContext) => Reference,
  ): Reference {
    return sharedSchema(described, name, () => oneOf(models.map((model) => schema(model, described))))
  }
}

/** Returns the schema of an operation's result. */
export function atomicResultSchema(
  { added, changed, relationships }: AllowedOperations,
  described: RestDocumentContext,
): JsonSchema {
  const { models } = described
  const returned = models.filter((model) => added.includes(model) || changed.includes(model))
  const targets = relationships.map(({ target }) => target)
  const named = models.filter((model) => returned.includes(model) || targets.includes(model))
  const identifier = () =>
    sharedSchema(described, 'ResultIdentifier', () =>
      closedObject({ type: typeOf(named), id: { type: 'string' } }, ['type', 'id']),
    )
  return anyOf(
    ...(returned.length > 0
      ? [
          sharedSchema(described, 'ResultResource', () =>
            oneOf(returned.map((model) => resourceSchema(model, described))),
          ),
        ]
      : []),
    ...(named.length > 0 ? [identifier(), listOf(identifier())] : []),
    { type: 'null' },
  )
}

const IDS = { id: { type: ['string', 'integer'] }, lid: { type: 'string' } } satisfies Record<string, JsonSchema>

/** Returns the schema of an operation with a resource. The resource identifies itself if there is neither `ref` nor `href`. */
function written(op: string, ref: JsonSchema, data: JsonSchema): JsonSchema {
  return {
    ...closedObject({ op: { const: op }, ref, href: HREF, data, meta: META }, ['op', 'data']),
    ...mutuallyExclusive(['ref'], ['href']),
  }
}

/** Returns the schema of an operation that requires `ref` or `href`. */
function placed(
  members: Readonly<Record<string, JsonSchema>>,
  ref: JsonSchema,
  required: readonly string[],
): JsonSchema {
  return oneOf([
    closedObject({ ...members, ref, meta: META }, [...required, 'ref']),
    closedObject({ ...members, href: HREF, meta: META }, [...required, 'href']),
  ])
}

/** Returns the schema of a relationship operation. A single member may be sent without a list if it is added or removed. */
function relationshipOperation(
  { linking, relationships }: AllowedOperations,
  described: RestDocumentContext,
): JsonSchema {
  const { models, context } = described
  const targets = relationships.map(({ target }) => target)
  const names = [...new Set(relationships.map(({ name }) => name))].sort()
  const identifier = sharedSchema(described, 'RelatedIdentifier', () =>
    localIdentifierSchema(typeOf(models.filter((model) => targets.includes(model)))),
  )
  const data = anyOf(nullable(identifier), listOf(identifier, context.settings.limits.listLength))
  const ref = localIdentifierSchema(typeOf(linking), { relationship: { enum: names } })
  return placed({ op: { enum: ['add', 'update', 'remove'] }, data }, ref, ['op', 'data'])
}

function typeOf(models: readonly RestModel[]): JsonSchema {
  return { enum: models.map(({ type }) => type) }
}
