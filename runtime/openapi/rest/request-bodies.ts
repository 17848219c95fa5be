import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { MEDIA_TYPE } from '../../rest/request/content-negotiation.js'
import type { Reference, RequestBody } from '../document-types.js'
import type { RestDocumentContext } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import { createDocumentSchema, createMemberSchema, updateDocumentSchema } from './document-schemas.js'
import { createExample, linkageExample, updateExample } from './document-examples.js'
import { linkageBodySchema, mayBeEmptied } from './resource-schemas.js'

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
