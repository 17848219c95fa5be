import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import type { Relationship, RestModel } from '../../rest/rest-model.js'
import type { Reference, ResponseObject, RequestBody } from '../document-types.js'
import { createExample, linkageExample, updateExample } from './document-examples.js'
import {
  collectionSchema,
  documentSchema,
  linkageDocumentSchema,
  relatedSchema,
  createDocumentSchema,
  createMemberSchema,
  updateDocumentSchema,
} from './document-schemas.js'
import { versionHeaders } from './precondition-components.js'
import { linkageBodySchema, mayBeEmptied } from './resource-schemas.js'
import { LINK, type RestDocumentContext } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'

/** Returns the response with one resource. */
export function resourceResponseObject(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.response(modelSchemaNames(doc, model).response, () => ({
    ...toResponseObject('The current resource.', documentSchema(model, doc)),
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
    toResponseObject('A page of resources.', collectionSchema(model, doc)),
  )
}

/** Returns the response with the related resource of a to-one relation, or with the row of a declared route, which may be null. */
export function relatedResponseObject(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.response(modelSchemaNames(doc, model).relatedResponse, () => ({
    ...toResponseObject('The resource, or null.', relatedSchema(model, doc)),
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
  owner?: RestModel,
): Reference {
  const { linkageResponse } = modelSchemaNames(doc, relationship.target)
  const name = relationship.relation.many ? linkageResponse.many : linkageResponse.one
  const versioned = owner ? versionHeaders(owner, doc) : {}
  return doc.components.response(versioned.headers ? `${name}WithVersion` : name, () => ({
    ...toResponseObject('The current linkage.', linkageDocumentSchema(relationship, doc)),
    ...versioned,
  }))
}

function toResponseObject(description: string, schema: Reference): ResponseObject {
  return { description, content: { [MEDIA_TYPE]: { schema } } }
}

/** Returns the body of a create. */
export function createBody(model: RestModel, doc: RestDocumentContext): RequestBody {
  return bodyOf(createDocumentSchema(model, doc), createExample(model))
}

/** Returns the body of a create whose URL implies a relationship. */
export function createMemberBody(model: RestModel, inverse: Relationship, doc: RestDocumentContext): RequestBody {
  return bodyOf(createMemberSchema(model, inverse, doc), createExample(model, inverse))
}

/** Returns the body of an update. */
export function updateBody(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.requestBody(modelSchemaNames(doc, model).updateRequest, () =>
    bodyOf(updateDocumentSchema(model, doc), updateExample(model)),
  )
}

/** Returns the body of a relationship change. */
export function linkageBody(relationship: Relationship, doc: RestDocumentContext): Reference {
  const { linkageRequest, requiredLinkageRequest } = modelSchemaNames(doc, relationship.target)
  const { many } = relationship.relation
  const name = many ? linkageRequest.many : mayBeEmptied(relationship) ? linkageRequest.one : requiredLinkageRequest
  return doc.components.requestBody(name, () =>
    bodyOf(linkageBodySchema(relationship, doc), linkageExample(relationship)),
  )
}

function bodyOf(schema: Reference, example: object | undefined): RequestBody {
  return { required: true, content: { [MEDIA_TYPE]: { schema, ...(example && { example }) } } }
}
