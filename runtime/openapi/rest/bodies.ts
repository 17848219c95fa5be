import type { Relationship, RestModel } from '../../rest/model.js'
import { MEDIA_TYPE } from '../../rest/request/negotiation.js'
import type { Reference, RequestBody } from '../document.js'
import { modelSchemaNames, type RestDocumentContext } from './context.js'
import { createDocumentSchema, createMemberSchema, updateDocumentSchema } from './documents.js'
import { createExample, linkageExample, updateExample } from './examples.js'
import { linkageBodySchema, mayBeEmptied } from './resources.js'

/** The body of a create. */
export function createBody(model: RestModel, described: RestDocumentContext): RequestBody {
  return bodyOf(createDocumentSchema(model, described), createExample(model))
}

/** The body of a create whose URL gives a relationship. */
export function createMemberBody(model: RestModel, back: Relationship, described: RestDocumentContext): RequestBody {
  return bodyOf(createMemberSchema(model, back, described), createExample(model, back))
}

/** The body of an update. */
export function updateBody(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.requestBody(modelSchemaNames(described, model).updateRequest, () =>
    bodyOf(updateDocumentSchema(model, described), updateExample(model)),
  )
}

/** The body of a change of a relationship. */
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
