import type { Relationship, RestModel } from '../../rest/model.js'
import { MEDIA_TYPE } from '../../rest/request/negotiation.js'
import type { Reference, RequestBody } from '../document.js'
import { modelSchemaNames, type RestDocumentContext } from './context.js'
import { createDocumentSchema, createMemberSchema, updateDocumentSchema } from './documents.js'
import { createExample, linkageExample, updateExample } from './examples.js'
import { linkageBodySchema, mayBeEmptied } from './resources.js'

/** Returns the body of a create. */
export function createBody(model: RestModel, described: RestDocumentContext): RequestBody {
  return bodyOf(createDocumentSchema(model, described), createExample(model))
}

/** Returns the body of a create whose URL implies a relationship. */
export function createMemberBody(model: RestModel, inverse: Relationship, described: RestDocumentContext): RequestBody {
  return bodyOf(createMemberSchema(model, inverse, described), createExample(model, inverse))
}

/** Returns the body of an update. */
export function updateBody(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.requestBody(modelSchemaNames(described, model).updateRequest, () =>
    bodyOf(updateDocumentSchema(model, described), updateExample(model)),
  )
}

/** Returns the body of a relationship change. */
export function linkageBody(relationship: Relationship, described: RestDocumentContext): Reference {
  const { linkageRequest, neededLinkageRequest } = modelSchemaNames(described, relationship.target)
  const { many } = relationship.relation
  const name = many ? linkageRequest.many : mayBeEmptied(relationship) ? linkageRequest.one : neededLinkageRequest
  return described.components.requestBody(name, () =>
    bodyOf(linkageBodySchema(relationship, described), linkageExample(relationship)),
  )
}

function bodyOf(schema: Reference, example: object | undefined): RequestBody {
  return { required: true, content: { [MEDIA_TYPE]: { schema, ...(example && { example }) } } }
}
