import type { Route } from '../../http/route.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { isReadOnly } from '../../rest/permissions.js'
import type { JsonSchema, Reference } from '../document.js'
import { nullable } from '../schemas/field-schema.js'
import { anyOf, mutuallyExclusive, closedObject, listOf, oneOf } from '../schemas/shapes.js'
import { addedSchema, changedSchema, localIdentifierSchema } from './atomic-resources.js'
import { type RestDocumentContext, sharedSchema } from './context.js'
import { resourceSchema } from './resources.js'

/** What operations may do: what the routes of the models offer. */
export interface AllowedOperations {
  readonly added: readonly RestModel[]
  readonly changed: readonly RestModel[]
  readonly removed: readonly RestModel[]
  /** The models that have relationships to change, and those relationships. */
  readonly linking: readonly RestModel[]
  readonly relationships: readonly Relationship[]
}

/** See {@link Offered}. */
export function allowedOperations(
  models: readonly RestModel[],
  routes: ReadonlyMap<RestModel, readonly Route[]>,
): AllowedOperations {
  const has = (model: RestModel, at: string, ...methods: readonly string[]) =>
    routes.get(model)?.some(({ path, method }) => path === at && methods.includes(method)) ?? false
  const linksOf = (model: RestModel) =>
    [...model.relationships.values()].filter(
      (one) => !isReadOnly(one, model) && has(model, `/:id/relationships/${one.name}`, 'POST', 'PATCH', 'DELETE'),
    )
  return {
    added: models.filter((model) => has(model, '/', 'POST')),
    changed: models.filter((model) => has(model, '/:id', 'PATCH')),
    removed: models.filter((model) => has(model, '/:id', 'DELETE')),
    linking: models.filter((model) => linksOf(model).length > 0),
    relationships: models.flatMap(linksOf),
  }
}

const HREF: JsonSchema = { type: 'string', format: 'uri-reference' }
const META: JsonSchema = { type: 'object' }

/** The schemas of operations: one for each kind that some model offers. Models are told apart by the `type` of what they are about. */
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

/** The schema of what an operation gave, where it gave something. */
export function atomicResultSchema(
  { added, changed, relationships }: AllowedOperations,
  described: RestDocumentContext,
): JsonSchema {
  const { models } = described
  const shown = models.filter((model) => added.includes(model) || changed.includes(model))
  const targets = relationships.map(({ target }) => target)
  const named = models.filter((model) => shown.includes(model) || targets.includes(model))
  const identifier = () =>
    sharedSchema(described, 'ResultIdentifier', () =>
      closedObject({ type: typeOf(named), id: { type: 'string' } }, ['type', 'id']),
    )
  return anyOf(
    ...(shown.length > 0
      ? [sharedSchema(described, 'ResultResource', () => oneOf(shown.map((model) => resourceSchema(model, described))))]
      : []),
    ...(named.length > 0 ? [identifier(), listOf(identifier())] : []),
    { type: 'null' },
  )
}

const IDS = { id: { type: ['string', 'integer'] }, lid: { type: 'string' } } satisfies Record<string, JsonSchema>

/** An operation with a resource, which says itself what it is where neither `ref` nor `href` does. */
function written(op: string, ref: JsonSchema, data: JsonSchema): JsonSchema {
  return {
    ...closedObject({ op: { const: op }, ref, href: HREF, data, meta: META }, ['op', 'data']),
    ...mutuallyExclusive(['ref'], ['href']),
  }
}

/** An operation that needs `ref` or `href`. */
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

/** One member of a list may stand for the list, where members are added or removed. */
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
