import type { Relationship, RestModel } from '../../rest/rest-model.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { withDefault } from '../schemas/field-schema.js'
import { nullable, mutuallyExclusive, closedObject, listOf } from '../schemas/schema-builders.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import { mayBeEmptied, bodyResourceSchema } from './resource-schemas.js'
import { createRequirements } from './writable-members.js'

/** The id of a resource in operations, or the local id that an earlier operation has assigned. */
const ATOMIC_ID: JsonSchema = { type: ['string', 'integer'] }
const LOCAL_ID: JsonSchema = { type: 'string', minLength: 1 }

/** Returns the schema of a resource in an add operation. Unlike in a separate create request, ids may be local. */
export function addedSchema(model: RestModel, doc: RestDocumentContext): Reference {
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
export function changedSchema(model: RestModel, doc: RestDocumentContext): Reference {
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
export function localIdentifierSchema(
  type: JsonSchema,
  members: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
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
