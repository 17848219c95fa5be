import type { Relationship, RestModel } from '../../rest/model.js'
import { MEDIA_TYPE } from '../../rest/request/negotiation.js'
import type { Reference, ResponseObject } from '../document.js'
import { LINK, modelSchemaNames, type RestDocumentContext } from './context.js'
import { versionHeaders } from './preconditions.js'
import { collectionSchema, documentSchema, linkageDocumentSchema, relatedSchema } from './documents.js'
import { collectionExample, documentExample } from './examples.js'

/** Returns the response with one resource. */
export function resourceResponseObject(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.response(modelSchemaNames(described, model).response, () => ({
    ...toResponseObject('The resource, as it is now.', documentSchema(model, described), documentExample(model)),
    ...versionHeaders(model, described),
  }))
}

/** Returns the response with a created resource. */
export function createdResponseObject(model: RestModel, described: RestDocumentContext): ResponseObject {
  const headers = {
    ...versionHeaders(model, described).headers,
    ...(model.served.has('/:id') && {
      Location: described.components.header('Location', () => ({ description: 'URL of the resource.', schema: LINK })),
    }),
  }
  const created = toResponseObject('The resource was created.', documentSchema(model, described))
  return Object.keys(headers).length > 0 ? { ...created, headers } : created
}

/** Returns the response with a page of a collection or of related resources. */
export function collectionResponseObject(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.response(modelSchemaNames(described, model).collectionResponse, () =>
    toResponseObject('A page of resources.', collectionSchema(model, described), collectionExample(model)),
  )
}

/** Returns the response with the resource of a to-one relation. */
export function relatedResponseObject(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.response(modelSchemaNames(described, model).relatedResponse, () => ({
    ...toResponseObject('The related resource, or null.', relatedSchema(model, described)),
    ...versionHeaders(model, described),
  }))
}

/**
 * Returns the response with linkage.
 * @param owner the model of the changed resource, if one was changed
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
    ...toResponseObject('The linkage, as it is now.', linkageDocumentSchema(relationship, described, isCompound)),
    ...versioned,
  }))
}

function toResponseObject(description: string, schema: Reference, example?: object): ResponseObject {
  return { description, content: { [MEDIA_TYPE]: { schema, ...(example && { example }) } } }
}
