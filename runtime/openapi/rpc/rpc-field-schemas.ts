import type { Field } from '../../schema/resource.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import type { JsonSchema } from '../document-types.js'
import { capitalize } from '../word-forms.js'
import { elementSchema } from '../schemas/field-schema.js'
import { nullable } from '../schemas/schema-builders.js'
import {
  type Share,
  responseValueSchema,
  requestElementSchema,
  fieldValueSchema,
} from '../schemas/shared-field-schemas.js'
import { type RpcDocumentContext, modelSchema, sharedSchema } from './rpc-document-context.js'

/** Returns the schema of a relation in results: a list of rows, a row, or a row or null. */
export function arity(relation: ModelRelation, row: JsonSchema): JsonSchema {
  if (relation.many) return { type: 'array', items: row }
  return relation.optional || relation.nullable ? nullable(row) : row
}

/** Returns the schema of a field's value in requests. For a list, the schema of one element. The values of an enum are listed only once. */
export function sharedElementSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type !== 'Enum') return requestElementSchema(createSharedSchemas(doc), field)
  return modelSchema(doc, model, capitalize(name), () => elementSchema(field))
}

/** Returns the schema of a field's values in responses. */
export function responseFieldSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type !== 'Enum') return responseValueSchema(createSharedSchemas(doc), field)
  return fieldValueSchema(createSharedSchemas(doc), field, sharedElementSchema(doc, model, name, field))
}

/** Returns {@link sharedSchema} bound to a document. */
export function createSharedSchemas(doc: RpcDocumentContext): Share {
  return (name, make) => sharedSchema(doc, name, make)
}
