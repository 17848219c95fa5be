import type { Field } from '../../schema/resource.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { mayRead } from '../../rest/permissions.js'
import type { JsonSchema, Reference } from '../document.js'
import { describeField, withDescription, nullable, withDefault } from '../schemas/field-schema.js'
import { responseValueSchema, requestValueSchema } from '../schemas/shared-types.js'
import {
  LINK,
  PAGE_LINK,
  modelSchemaNames,
  type RestDocumentContext,
  sharedSchema,
  createSharedSchemas,
} from './context.js'
import { closedObject, listOf } from '../schemas/shapes.js'
import { createRequirements, writableAttributes, writableRelationships } from './writable-members.js'

/** The schema of a model's resources in answers (JSON:API "Resource Objects"). */
export function resourceSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).resource, () => {
    const { descriptions } = model.model
    const share = createSharedSchemas(described)
    const attributes = [...model.attributes].map(([wire, { name, field }]): [string, JsonSchema] => [
      wire,
      describeField(responseValueSchema(share, field), field, descriptions[name]),
    ])
    const computed = [...model.computed.keys()].map((wire): [string, JsonSchema] => [
      wire,
      { description: 'Computed when it is read.', readOnly: true },
    ])
    const relationships = [...model.relationships.values()].flatMap((relationship): [string, JsonSchema][] => {
      const shown = relationshipSchema(relationship, model, described)
      return shown ? [[relationship.name, shown]] : []
    })
    const fields = [...attributes, ...computed]
    return withDescription(
      closedObject(
        {
          type: { const: model.type },
          id: { type: 'string' },
          ...(fields.length > 0 && { attributes: closedObject(Object.fromEntries(fields)) }),
          ...(relationships.length > 0 && { relationships: closedObject(Object.fromEntries(relationships)) }),
          ...(model.served.has('/:id') && { links: selfLinks(described) }),
          meta: model.model.version ? versionedMeta(described) : itemMeta(described),
        },
        ['type', 'id', ...(model.served.has('/:id') ? ['links'] : [])],
      ),
      model.model.description,
    )
  })
}

/** The schema of what names a resource in answers (JSON:API "Resource Identifier Objects"). */
export function identifierSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).identifier, () =>
    closedObject({ type: { const: model.type }, id: { type: 'string' }, meta: itemMeta(described) }, ['type', 'id']),
  )
}

/** What the cursor pagination profile says of an item of a page. */
function itemMeta(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'ItemMeta', () => closedObject({ page: pageMeta() }))
}

/** The same of a resource that has versions. */
function versionedMeta(described: RestDocumentContext): Reference {
  const version: JsonSchema = {
    type: 'string',
    description: 'The revision of the resource, as `If-Match` takes it in quotes.',
  }
  return sharedSchema(described, 'VersionedItemMeta', () => closedObject({ page: pageMeta(), version }))
}

function pageMeta(): JsonSchema {
  return closedObject({ cursor: { type: 'string' } }, ['cursor'])
}

/** The schema of what names a resource in requests: its id may be a number there. */
export function linkageSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).linkage, () =>
    closedObject({ type: { const: model.type }, id: { type: ['string', 'integer'] } }, ['type', 'id']),
  )
}

/** What a relationship is changed to: the body of a change, and a member of `relationships` in that of a resource. */
export function linkageBodySchema(relationship: Relationship, described: RestDocumentContext): Reference {
  const { linkageBody, neededLinkageBody } = modelSchemaNames(described, relationship.target)
  const { many } = relationship.relation
  const name = many ? linkageBody.many : mayBeEmptied(relationship) ? linkageBody.one : neededLinkageBody
  return described.components.schema(name, () =>
    closedObject({ data: linkageDataSchema(relationship, described) }, ['data']),
  )
}

/** The schema of a relationship's `data` in requests. */
function linkageDataSchema(relationship: Relationship, described: RestDocumentContext): JsonSchema {
  const { relation, target } = relationship
  const linkage = linkageSchema(target, described)
  const { listLength } = described.context.settings.limits
  if (relation.many) return listOf(linkage, listLength)
  return mayBeEmptied(relationship) ? nullable(linkage) : linkage
}

/** Whether a to-one relationship may be cleared: not where this side holds a foreign key that it needs. */
export function mayBeEmptied({ relation }: Relationship): boolean {
  return !relation.foreignKey || relation.nullableKeys.length > 0
}

/** A relationship of a resource in answers, undefined where it has nothing to show. */
function relationshipSchema(
  relationship: Relationship,
  model: RestModel,
  described: RestDocumentContext,
): JsonSchema | undefined {
  const { served } = model
  const { name, relation, target, linkage } = relationship
  const isReadable = mayRead(relationship)
  const links = {
    ...(isReadable && served.has(`/:id/${name}`) && { related: LINK }),
    ...((isReadable || linkage) && served.has(`/:id/relationships/${name}`) && { self: LINK }),
  }
  const hasLinks = Object.keys(links).length > 0
  const hasData = isReadable || linkage !== undefined
  if (!hasData && !hasLinks) return undefined
  const identifier = identifierSchema(target, described)
  const data: JsonSchema = relation.many
    ? { type: 'array', items: identifier }
    : relation.optional || relation.nullable || !linkage
      ? nullable(identifier)
      : identifier
  return withDescription(
    closedObject(
      {
        ...(hasData && { data }),
        ...(hasLinks && { links: relationshipLinks(links, described) }),
        ...(relation.many && { meta: listMeta(described) }),
      },
      hasLinks ? ['links'] : [],
    ),
    model.model.descriptions[name],
  )
}

/** Of a list that was counted, how many members it has; of an included one that is cut, whether it goes on. */
function listMeta(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'ListMeta', () =>
    closedObject({ total: { type: 'integer' }, hasMore: { type: 'boolean' } }),
  )
}

/** Most relationships have both links. */
function relationshipLinks(links: Readonly<Record<string, JsonSchema>>, described: RestDocumentContext): JsonSchema {
  const make = () => closedObject({ ...links, ...('related' in links && { next: PAGE_LINK }) }, Object.keys(links))
  return Object.keys(links).length === 2 ? sharedSchema(described, 'RelationshipLinks', make) : make()
}

/** The schema of the links of what has only its own. */
export function selfLinks(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'SelfLinks', () => closedObject({ self: LINK }, ['self']))
}

/**
 * The schema of the resource in the body of a create.
 * @param given the relationship that the URL gives, if it does
 */
export function createSchema(model: RestModel, described: RestDocumentContext, given?: Relationship): JsonSchema {
  const { takesId, idIsRequired, attributes, relationships } = createRequirements(model, given)
  const ofClient: JsonSchema = { type: ['string', 'integer'], description: 'The id that the client gives it.' }
  // Who names an owner in a URL has nothing to say of it in the body. A list of owners may name others beside.
  const told = given && !given.relation.many ? given : undefined
  return writtenSchema(model, described, {
    members: takesId ? { id: ofClient } : {},
    ...(!given && { named: 'CreateAttributes' }),
    told,
    requiredMembers: idIsRequired ? ['id'] : [],
    requiredAttributes: attributes,
    requiredRelations: relationships,
    explanation: withDefault,
  })
}

/** The schema of the resource in the body of an update. */
export function updateSchema(model: RestModel, described: RestDocumentContext): JsonSchema {
  return writtenSchema(model, described, {
    members: { id: { type: ['string', 'integer'], description: 'The id in the URL.' } },
    named: 'UpdateAttributes',
    explanation: (_field, description) => description,
  })
}

/** What tells the body of a create from that of an update. */
export interface WrittenParts {
  readonly members: Readonly<Record<string, JsonSchema>>
  /** What the attributes are called where an operation has them too. */
  readonly named?: string
  /** What relationships are changed to. */
  readonly linkage?: (relationship: Relationship, described: RestDocumentContext) => JsonSchema
  readonly requiredMembers?: readonly string[]
  readonly requiredAttributes?: readonly string[]
  readonly requiredRelations?: readonly string[]
  /** A to-one relationship that the URL gives: neither it nor its foreign key is in the body. */
  readonly told?: Relationship | undefined
  /** What is said of a field. */
  readonly explanation: (field: Field, description: string | undefined) => string | undefined
}

/** The schema of a resource in a body. */
export function writtenSchema(model: RestModel, described: RestDocumentContext, parts: WrittenParts): JsonSchema {
  const { members, requiredMembers = [], requiredAttributes = [], requiredRelations = [], told, explanation } = parts
  const { named, linkage = linkageBodySchema } = parts
  const share = createSharedSchemas(described)
  const isTold = (key: string) => model.foreignKeys.get(key)?.some(({ relation }) => relation === told?.name)
  const fields = writableAttributes(model)
    .filter(({ name }) => !isTold(name))
    .map(({ name, wire, field }): [string, JsonSchema] => {
      const text = explanation(field, model.model.descriptions[name])
      const value = withDescription(requestValueSchema(share, field, described.ruleSchema), text)
      return [wire, { ...value, ...(field.writeOnly && { writeOnly: true }) }]
    })
  const relationships = writableRelationships(model)
    .filter((relationship) => relationship !== told)
    .map((relationship): [string, JsonSchema] => [relationship.name, linkage(relationship, described)])
  const attributes = () => closedObject(Object.fromEntries(fields), requiredAttributes)
  const isShared = named !== undefined && described.hasOperations
  const name = () => `${modelSchemaNames(described, model).resource}${named}`
  return closedObject(
    {
      type: { const: model.type },
      ...members,
      ...(fields.length > 0 && { attributes: isShared ? sharedSchema(described, name(), attributes) : attributes() }),
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
