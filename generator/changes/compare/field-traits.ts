import type { FieldSpec, ModelSpec } from '../../model/api-model.js'
import { isWritable } from '../../model/writable-fields.js'

/** Whether callers can read a field. They can also filter and sort by readable fields. */
export function isReadable({ exposure }: FieldSpec): boolean {
  return exposure === 'full' || exposure === 'readOnly'
}

/** Whether callers can set a field if they may write rows: directly or, if it is part of a foreign key, with the relation. */
export function isWritableColumn(field: FieldSpec, model: ModelSpec): boolean {
  return isWritable(field, model) || hasWritableRelation(field, model)
}

function hasWritableRelation({ name }: FieldSpec, { relations }: ModelSpec): boolean {
  return relations.some(({ exposure, foreignKey }) => exposure === 'full' && foreignKey.some(([key]) => key === name))
}

/** Whether callers can read or write a field. */
export function isExposedField(field: FieldSpec, model: ModelSpec): boolean {
  return isReadable(field) || (field.exposure === 'writeOnly' && isWritableModel(model))
}

/** Whether callers may create or update rows of a model. */
export function isWritableModel({ operations }: ModelSpec): boolean {
  return operations.includes('create') || operations.includes('update')
}

/** Whether a field must be set on create. */
export function isRequiredOnCreate({ optional, hasDefault, list }: FieldSpec): boolean {
  return !optional && !hasDefault && !list
}

/** Whether a required field can be set neither by a request nor, according to its comment, by the server. */
export function lacksServerValue(field: FieldSpec, model: ModelSpec): boolean {
  if (field.serverSet || !isRequiredOnCreate(field) || (field.exposure !== 'hidden' && field.exposure !== 'readOnly'))
    return false
  return !hasWritableRelation(field, model)
}

/** Formats a field's type as in the schema. */
export function schemaType({ type, list, optional }: FieldSpec): string {
  return `${type}${list ? '[]' : optional ? '?' : ''}`
}
