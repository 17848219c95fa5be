import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import type { Reference, ResponseObject } from '../document-types.js'
import { LINK, type RestDocumentContext } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import { versionHeaders } from './precondition-components.js'
import { collectionSchema, documentSchema, linkageDocumentSchema, relatedSchema } from './document-schemas.js'
import { collectionExample, documentExample } from './document-examples.js'

/** Returns the response with one resource. */
export function resourceResponseObject(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.response(modelSchemaNames(doc, model).response, () => ({
    ...toResponseObject('The current resource.', documentSchema(model, doc), documentExample(model)),
    ...versionHeaders(model, doc),
  }))
}

/** Returns the response with a created resource. */
export function createdResponseObject(model: RestModel, doc: RestDocumentContext): ResponseObject {
  const headers = {
    ...versionHeaders(model, doc).headers,
    ...(model.routes.has('/:id') && {
      Location: doc.components.header('Location', () => ({ description: 'URL of the resource.', schema: LINK })),
    }),
  }
  const created = toResponseObject('The resource was created.', documentSchema(model, doc))
  return Object.keys(headers).length > 0 ? { ...created, headers } : created
}

/** Returns the response with a page of a collection or of related resources. */
export function collectionResponseObject(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.response(modelSchemaNames(doc, model).collectionResponse, () =>
    toResponseObject('A page of resources.', collectionSchema(model, doc), collectionExample(model)),
  )
}

/** Returns the response with the related resource of a to-one relation. */
export function relatedResponseObject(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.response(modelSchemaNames(doc, model).relatedResponse, () => ({
    ...toResponseObject('The related resource, or null.', relatedSchema(model, doc)),
    ...versionHeaders(model, doc),
  }))
}

/**
 * Returns the response with linkage.
 * @param owner the model of the changed resource, if one was changed
 */
export function linkageResponseObject(
  relationship: Relationship,
  doc: RestDocumentContext,
  isCompound: boolean,
  owner?: RestModel,
): Reference {
  const { linkageResponse, compoundLinkageResponse } = modelSchemaNames(doc, relationship.target)
  const names = isCompound ? compoundLinkageResponse : linkageResponse
  const name = relationship.relation.many ? names.many : names.one
  const versioned = owner ? versionHeaders(owner, doc) : {}
  return doc.components.response(versioned.headers ? `${name}WithVersion` : name, () => ({
    ...toResponseObject('The current linkage.', linkageDocumentSchema(relationship, doc, isCompound)),
    ...versioned,
  }))
}

function toResponseObject(description: string, schema: Reference, example?: object): ResponseObject {
  return { description, content: { [MEDIA_TYPE]: { schema, ...(example && { example }) } } }
}
