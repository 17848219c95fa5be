import type { Field } from '../../schema/resource.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { isReadOnly, mayRead } from '../../rest/permissions.js'
import { hasGeneratedId } from '../../rest/request/attributes.js'
import type { JsonSchema, Reference } from '../document.js'
import { explained, nullable, readSchema, withDefault } from '../schemas/field-schema.js'
import { ruledSchema } from '../schemas/rule-schema.js'
import { isMadeByDatabase } from '../../rest/request/attributes.js'
import { LINK, namesOf, type RestDescription } from './describe.js'
import { closed } from '../schemas/shapes.js'

/** The schema of a model's resources in answers (JSON:API "Resource Objects"). */
export function resourceSchema(model: RestModel, described: RestDescription): Reference {
  return described.components.schema(namesOf(described, model).resource, () => {
    const { descriptions } = model.model
    const attributes = [...model.attributes].map(([wire, { name, field }]): [string, JsonSchema] => [
      wire,
      explained(readSchema(field), descriptions[name]),
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
    return explained(
      closed(
        {
          type: { const: model.type },
          id: { type: 'string' },
          ...(fields.length > 0 && { attributes: closed(Object.fromEntries(fields)) }),
          ...(relationships.length > 0 && { relationships: closed(Object.fromEntries(relationships)) }),
          ...(model.served.has('/:id') && { links: selfLinks(described) }),
        },
        ['type', 'id', ...(model.served.has('/:id') ? ['links'] : [])],
      ),
      model.model.description,
    )
  })
}

/** The schema of what names a resource in answers (JSON:API "Resource Identifier Objects"). */
export function identifierSchema(model: RestModel, described: RestDescription): Reference {
  return described.components.schema(namesOf(described, model).identifier, () =>
    closed({ type: { const: model.type }, id: { type: 'string' } }, ['type', 'id']),
  )
}

/** The schema of what names a resource in requests: its id may be a number there. */
export function linkageSchema(model: RestModel, described: RestDescription): Reference {
  return described.components.schema(namesOf(described, model).linkage, () =>
    closed({ type: { const: model.type }, id: { type: ['string', 'integer'] } }, ['type', 'id']),
  )
}

/** The schema of a relationship's `data` in requests. */
export function linkageDataSchema(
  { relation, target }: Relationship,
  described: RestDescription,
  mayBeEmptied: boolean,
): JsonSchema {
  const linkage = linkageSchema(target, described)
  const { listLength } = described.context.settings.limits
  if (relation.many) return { type: 'array', items: linkage, ...(listLength < Infinity && { maxItems: listLength }) }
  return mayBeEmptied ? nullable(linkage) : linkage
}

/** Whether a to-one relationship may be cleared: not where this side holds a foreign key that it needs. */
export function mayBeEmptied({ relation }: Relationship): boolean {
  return !relation.foreignKey || relation.nullable.length > 0
}

/** A relationship of a resource in answers, undefined where it has nothing to show. */
function relationshipSchema(
  relationship: Relationship,
  model: RestModel,
  described: RestDescription,
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
    : relation.optional || !linkage
      ? nullable(identifier)
      : identifier
  return explained(
    closed(
      { ...(hasData && { data }), ...(hasLinks && { links: relationshipLinks(links, described) }) },
      hasLinks ? ['links'] : [],
    ),
    model.model.descriptions[name],
  )
}

/** Most relationships have both links. */
function relationshipLinks(links: Readonly<Record<string, JsonSchema>>, { components }: RestDescription): JsonSchema {
  const make = () => closed(links, Object.keys(links))
  return Object.keys(links).length === 2 ? components.schema('RelationshipLinks', make) : make()
}

/** The schema of the links of what has only its own. */
export function selfLinks({ components }: RestDescription): Reference {
  return components.schema('SelfLinks', () => closed({ self: LINK }, ['self']))
}

/** The schema of the resource in the body of a create. */
export function createSchema(model: RestModel, described: RestDescription): JsonSchema {
  const { model: of, id } = model
  const takesId = !hasGeneratedId(model) && id.fields.every(({ name }) => !of.readOnly.has(name))
  const required = model.required.filter(
    ({ name }) => !model.foreignKeys.get(name)?.some(({ relation }) => model.relationships.has(relation)),
  )
  const idIsRequired = takesId && required.some(({ name }) => name === 'id')
  const attributes = required
    .filter(({ wire, name }) => wire !== 'id' && !id.fields.some((part) => part.name === name))
    .map(({ wire }) => wire)
  const ofClient: JsonSchema = { type: ['string', 'integer'], description: 'The id that the client gives it.' }
  return written(model, described, {
    members: takesId ? { id: ofClient } : {},
    requiredMembers: idIsRequired ? ['id'] : [],
    requiredAttributes: attributes,
    requiredRelations: of.requiredRelations,
    explanation: withDefault,
  })
}

/** The schema of the resource in the body of an update. */
export function updateSchema(model: RestModel, described: RestDescription): JsonSchema {
  return written(model, described, {
    members: { id: { type: ['string', 'integer'], description: 'The id in the URL.' } },
    explanation: (_field, description) => description,
  })
}

/** What tells the body of a create from that of an update. */
interface WrittenParts {
  readonly members: Readonly<Record<string, JsonSchema>>
  readonly requiredMembers?: readonly string[]
  readonly requiredAttributes?: readonly string[]
  readonly requiredRelations?: ReadonlySet<string>
  /** What is said of a field. */
  readonly explanation: (field: Field, description: string | undefined) => string | undefined
}

function written(model: RestModel, described: RestDescription, parts: WrittenParts): JsonSchema {
  const { members, requiredMembers = [], requiredAttributes = [], requiredRelations = new Set(), explanation } = parts
  const fields = [...model.written.values()]
    .filter((named) => !model.model.readOnly.has(named.name) && !isMadeByDatabase(model, named))
    .map(({ name, wire, field }): [string, JsonSchema] => [
      wire,
      {
        ...explained(ruledSchema(field, described.ruleSchema), explanation(field, model.model.descriptions[name])),
        ...(field.writeOnly && { writeOnly: true }),
      },
    ])
  const relationships = [...model.relationships.values()]
    .filter((relationship) => !isReadOnly(relationship, model))
    .map((relationship): [string, JsonSchema] => [
      relationship.name,
      closed({ data: linkageDataSchema(relationship, described, mayBeEmptied(relationship)) }, ['data']),
    ])
  const names = new Set(relationships.map(([name]) => name))
  const needed = [...requiredRelations].filter((name) => names.has(name))
  return closed(
    {
      type: { const: model.type },
      ...members,
      ...(fields.length > 0 && { attributes: closed(Object.fromEntries(fields), requiredAttributes) }),
      ...(relationships.length > 0 && { relationships: closed(Object.fromEntries(relationships), needed) }),
    },
    [
      'type',
      ...requiredMembers,
      ...(requiredAttributes.length > 0 ? ['attributes'] : []),
      ...(needed.length > 0 ? ['relationships'] : []),
    ],
  )
}
