import type { Relationship, RestModel } from '../../rest/model.js'
import { MEDIA_TYPE } from '../../rest/request/negotiation.js'
import type { Reference, ResponseObject } from '../document.js'
import { LINK, modelSchemaNames, type RestDocumentContext } from './context.js'
import { versionHeaders } from './preconditions.js'
import { collectionSchema, documentSchema, linkageDocumentSchema, relatedSchema } from './documents.js'
import { collectionExample, documentExample } from './examples.js'

/** The answer with one resource. */
export function resourceResponseObject(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.response(modelSchemaNames(described, model).response, () => ({
    ...answer('The resource, as it is now.', documentSchema(model, described), documentExample(model)),
    ...versionHeaders(model, described),
  }))
}

/** The answer with a resource that was created. */
export function createdResponseObject(model: RestModel, described: RestDocumentContext): ResponseObject {
  const headers = {
    ...versionHeaders(model, described).headers,
    ...(model.served.has('/:id') && {
      Location: described.components.header('Location', () => ({ description: 'URL of the resource.', schema: LINK })),
    }),
  }
  const created = answer('The resource was created.', documentSchema(model, described))
  return Object.keys(headers).length > 0 ? { ...created, headers } : created
}

/** The answer with a page of a collection, or of what a relation leads to. */
export function collectionResponseObject(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.response(modelSchemaNames(described, model).collectionResponse, () =>
    answer('A page of resources.', collectionSchema(model, described), collectionExample(model)),
  )
}

/** The answer with what a to-one relation leads to. */
export function relatedResponseObject(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.response(modelSchemaNames(described, model).relatedResponse, () => ({
    ...answer('The related resource, or null.', relatedSchema(model, described)),
    ...versionHeaders(model, described),
  }))
}

/**
 * The answer with linkage.
 * @param owner the model whose resource was changed, if one was
 */
export function linkageResponseObject(
  relationship: Relationship,
  described: RestDocumentContext,
  isCompound: boolean,
  owner?: RestModel,
): Reference {
  const { linkageResponse, compoundLinkageResponse } = modelSchemaNames(described, relationship.target)
  const names = isCompound ? compoundLinkageResponse : linkageResponse
  const name = relationship.relation.many ? names.many : names.one
  const versioned = owner ? versionHeaders(owner, described) : {}
  return described.components.response(versioned.headers ? `${name}WithVersion` : name, () => ({
    ...answer('The linkage, as it is now.', linkageDocumentSchema(relationship, described, isCompound)),
    ...versioned,
  }))
}

function answer(description: string, schema: Reference, example?: object): ResponseObject {
  return { description, content: { [MEDIA_TYPE]: { schema, ...(example && { example }) } } }
}
