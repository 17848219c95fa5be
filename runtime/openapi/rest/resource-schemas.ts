import type { Field } from '../../schema/resource.js'
import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { describeMember, describeModel } from '../openapi-options.js'
import {
  describeField,
  withDescription,
  withDefault,
  responseValueSchema,
  requestValueSchema,
} from '../schemas/field-schema.js'
import { nullable, closedObject, listOf } from '../schemas/schema-builders.js'
import {
  LINK,
  PAGE_LINK,
  type RestDocumentContext,
  sharedSchema,
  createSharedSchemas,
} from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import { resourceExample } from './document-examples.js'
import { createRequirements, writableAttributes, writableRelationships } from './writable-members.js'

/** Returns the schema of a model's resources in responses (JSON:API "Resource Objects"). */
export function resourceSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.schema(modelSchemaNames(doc, model).resource, () => {
    const modelName = model.model.name
    const share = createSharedSchemas(doc)
    const attributes = [...model.attributes].map(([wire, { name, field }]): [string, JsonSchema] => [
      wire,
      describeField(responseValueSchema(share, field), field, describeMember(doc, modelName, name)),
    ])
    const computed = [...model.computed.keys()].map((wire): [string, JsonSchema] => [
      wire,
      { description: 'Computed on every read.', readOnly: true },
    ])
    const relationships = [...model.relationships.values()].flatMap((relationship): [string, JsonSchema][] => {
      const schema = relationshipSchema(relationship, model, doc)
      return schema ? [[relationship.name, schema]] : []
    })
    const fields = [...attributes, ...computed]
    const example = resourceExample(model)
    const schema = withDescription(
      closedObject(
        {
          type: { const: model.type },
          id: { type: 'string' },
          ...(fields.length > 0 && { attributes: closedObject(Object.fromEntries(fields)) }),
          ...(relationships.length > 0 && { relationships: closedObject(Object.fromEntries(relationships)) }),
          ...(model.routes.has('/:id') && { links: selfLinks(doc) }),
          ...(model.model.version ? { meta: versionedMeta(doc) } : itemMeta(doc)),
        },
        ['type', 'id', ...(model.routes.has('/:id') ? ['links'] : [])],
      ),
      describeModel(doc, modelName),
    )
    return example ? { ...schema, examples: [example] } : schema
  })
}

/** Returns the schema of a resource identifier in responses (JSON:API "Resource Identifier Objects"). */
export function identifierSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.schema(modelSchemaNames(doc, model).identifier, () =>
    closedObject({ type: { const: model.type }, id: { type: 'string' }, ...itemMeta(doc) }, ['type', 'id']),
  )
}

/** Returns the member `meta` of an item. Only the cursor pagination profile defines one. */
function itemMeta(doc: RestDocumentContext): Readonly<Record<string, JsonSchema>> {
  if (!hasCursors(doc)) return {}
  return { meta: sharedSchema(doc, 'ItemMeta', () => closedObject({ page: pageMeta() })) }
}

function hasCursors({ context }: RestDocumentContext): boolean {
  return context.settings.features.cursors !== undefined
}

/** Returns the schema of an item's `meta` for models with a version. */
function versionedMeta(doc: RestDocumentContext): Reference {
  const version: JsonSchema = {
    type: 'string',
    description: 'The version of the resource. `If-Match` expects it in quotes.',
  }
  return sharedSchema(doc, 'VersionedItemMeta', () =>
    closedObject({ ...(hasCursors(doc) && { page: pageMeta() }), version }),
  )
}

function pageMeta(): JsonSchema {
  return closedObject({ cursor: { type: 'string' } }, ['cursor'])
}

/** Returns the schema of a resource identifier in requests, whose id may be a number. */
export function linkageSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.schema(modelSchemaNames(doc, model).linkage, () =>
    closedObject({ type: { const: model.type }, id: { type: ['string', 'integer'] } }, ['type', 'id']),
  )
}

/** Returns the schema of a relationship in requests: the body of a relationship change, and a member of a resource's `relationships`. */
export function linkageBodySchema(relationship: Relationship, doc: RestDocumentContext): Reference {
  const { linkageBody, requiredLinkageBody } = modelSchemaNames(doc, relationship.target)
  const { many } = relationship.relation
  const name = many ? linkageBody.many : mayBeEmptied(relationship) ? linkageBody.one : requiredLinkageBody
  return doc.components.schema(name, () => closedObject({ data: linkageDataSchema(relationship, doc) }, ['data']))
}

/** Returns the schema of a relationship's `data` in requests. */
function linkageDataSchema(relationship: Relationship, doc: RestDocumentContext): JsonSchema {
  const { relation, target } = relationship
  const linkage = linkageSchema(target, doc)
  const { listLength } = doc.context.settings.limits
  if (relation.many) return listOf(linkage, listLength)
  return mayBeEmptied(relationship) ? nullable(linkage) : linkage
}

/** Whether a to-one relationship can be set to null. A required foreign key on this side prevents it. */
export function mayBeEmptied({ relation }: Relationship): boolean {
  return !relation.foreignKey || relation.nullableKeys.length > 0
}

/** Returns the schema of a relationship in responses, or undefined if it has neither linkage nor links. */
function relationshipSchema(
  relationship: Relationship,
  model: RestModel,
  doc: RestDocumentContext,
): JsonSchema | undefined {
  const { routes } = model
  const { name, relation, target, linkage } = relationship
  const isReadable = mayRead(relationship)
  const links = {
    ...(isReadable && routes.has(`/:id/${name}`) && { related: LINK }),
    ...((isReadable || linkage) && routes.has(`/:id/relationships/${name}`) && { self: LINK }),
  }
  const hasLinks = Object.keys(links).length > 0
  const hasData = isReadable || linkage !== undefined
  if (!hasData && !hasLinks) return undefined
  const identifier = identifierSchema(target, doc)
  const isNullable = relation.optional || relation.nullable || !linkage
  const create = (): JsonSchema =>
    closedObject(
      {
        ...(hasData && {
          data: relation.many ? { type: 'array', items: identifier } : isNullable ? nullable(identifier) : identifier,
        }),
        ...(hasLinks && { links: relationshipLinks(links, doc) }),
        ...(relation.many && listMeta(doc)),
      },
      hasLinks ? ['links'] : [],
    )
  // Most relationships have data and both links. Those with the same target and arity share a schema.
  const arity = relation.many ? 'ToMany' : isNullable ? 'ToOneOrNone' : 'ToOne'
  const schema =
    hasData && Object.keys(links).length === 2
      ? sharedSchema(doc, `${modelSchemaNames(doc, target).resource}${arity}`, create)
      : create()
  return withDescription(schema, describeMember(doc, model.model.name, name))
}

/**
 * Returns the member `meta` of a list: the number of related resources if they were counted, and whether an included list was truncated.
 */
function listMeta(doc: RestDocumentContext): Readonly<Record<string, JsonSchema>> {
  const { includedLists, relatedCounts } = doc.context.settings.features
  const members: Record<string, JsonSchema> = {
    ...(relatedCounts && { total: { type: 'integer' } }),
    ...(includedLists && { hasMore: { type: 'boolean' } }),
  }
  if (Object.keys(members).length === 0) return {}
  return { meta: sharedSchema(doc, 'ListMeta', () => closedObject(members)) }
}

/** Returns the schema of a relationship's links. Most relationships have both links, so the schema for both is shared. */
function relationshipLinks(links: Readonly<Record<string, JsonSchema>>, doc: RestDocumentContext): JsonSchema {
  const make = () => closedObject({ ...links, ...('related' in links && { next: PAGE_LINK }) }, Object.keys(links))
  return Object.keys(links).length === 2 ? sharedSchema(doc, 'RelationshipLinks', make) : make()
}

/** Returns the schema of links with only `self`. */
export function selfLinks(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'SelfLinks', () => closedObject({ self: LINK }, ['self']))
}

/**
 * Returns the schema of the resource in the body of a create.
 * @param ownerRelationship the relationship that the URL implies, if any
 */
export function createSchema(model: RestModel, doc: RestDocumentContext, ownerRelationship?: Relationship): JsonSchema {
  const { takesId, idIsRequired, attributes, relationships } = createRequirements(model, ownerRelationship)
  const clientId: JsonSchema = { type: ['string', 'integer'], description: 'A client-generated id.' }
  // If the new resource has a single owner, which the URL names, the body must not repeat it. If it can have several owners, the body may
  // name others.
  const impliedRelationship = ownerRelationship && !ownerRelationship.relation.many ? ownerRelationship : undefined
  return bodyResourceSchema(model, doc, {
    members: takesId ? { id: clientId } : {},
    ...(!ownerRelationship && { named: 'CreateAttributes' }),
    impliedRelationship,
    requiredMembers: idIsRequired ? ['id'] : [],
    requiredAttributes: attributes,
    requiredRelations: relationships,
    explanation: withDefault,
  })
}

/** Returns the schema of the resource in the body of an update. */
export function updateSchema(model: RestModel, doc: RestDocumentContext): JsonSchema {
  return bodyResourceSchema(model, doc, {
    members: { id: { type: ['string', 'integer'], description: 'Must equal the id in the URL.' } },
    named: 'UpdateAttributes',
    explanation: (_field, description) => description,
  })
}

/** The differences between the bodies of creates and updates. */
export interface BodyResourceParts {
  readonly members: Readonly<Record<string, JsonSchema>>
  /** The name of the attributes' schema, unless the URL implies a relationship. Atomic operations share it. */
  readonly named?: string
  /** Returns the schema of a relationship. */
  readonly linkage?: (relationship: Relationship, doc: RestDocumentContext) => JsonSchema
  readonly requiredMembers?: readonly string[]
  readonly requiredAttributes?: readonly string[]
  readonly requiredRelations?: readonly string[]
  /** A to-one relationship that the URL implies. Neither it nor its foreign key is in the body. */
  readonly impliedRelationship?: Relationship | undefined
  /** Returns the description of a field. */
  readonly explanation: (field: Field, description: string | undefined) => string | undefined
}

/** Returns the schema of a resource in a body. */
export function bodyResourceSchema(model: RestModel, doc: RestDocumentContext, parts: BodyResourceParts): JsonSchema {
  const {
    members,
    requiredMembers = [],
    requiredAttributes = [],
    requiredRelations = [],
    impliedRelationship,
    explanation,
  } = parts
  const { named, linkage = linkageBodySchema } = parts
  const share = createSharedSchemas(doc)
  const isImplied = (key: string) =>
    model.foreignKeys.get(key)?.some(({ relation }) => relation === impliedRelationship?.name)
  const fields = writableAttributes(model)
    .filter(({ name }) => !isImplied(name))
    .map(({ name, wire, field }): [string, JsonSchema] => {
      const text = explanation(field, describeMember(doc, model.model.name, name))
      const value = withDescription(requestValueSchema(share, field, doc.ruleSchema), text)
      return [wire, { ...value, ...(field.writeOnly && { writeOnly: true }) }]
    })
  const relationships = writableRelationships(model)
    .filter((relationship) => relationship !== impliedRelationship)
    .map((relationship): [string, JsonSchema] => [relationship.name, linkage(relationship, doc)])
  const attributes = () => closedObject(Object.fromEntries(fields), requiredAttributes)
  const name = `${modelSchemaNames(doc, model).resource}${named}`
  return closedObject(
    {
      type: { const: model.type },
      ...members,
      ...(fields.length > 0 && { attributes: named ? sharedSchema(doc, name, attributes) : attributes() }),
      ...(relationships.length > 0 && {
        relationships: closedObject(Object.fromEntries(relationships), requiredRelations),
      }),
    },
    [
      'type',
      ...requiredMembers,
      ...(requiredAttributes.length > 0 ? ['attributes'] : []),
      ...(requiredRelations.length > 0 ? ['relationships'] : []),
    ],
  )
}
