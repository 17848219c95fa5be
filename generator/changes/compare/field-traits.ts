import type { FieldSpec, ModelSpec } from '../../model/api-model.js'

/** Whether callers get a field's values. They can filter and sort by what they get. */
export function isReadable({ exposure }: FieldSpec): boolean {
  return exposure === 'full' || exposure === 'readOnly'
}

/** Whether callers may give a field's values, if they may write rows at all. What the database makes of an id, nobody gives. */
export function isWritable(field: FieldSpec, model: ModelSpec): boolean {
  if (field.exposure !== 'full' && field.exposure !== 'writeOnly') return false
  return !(field.generated && idFieldsOf(model).includes(field.name))
}

/** Whether a field is on the wire in any way. */
export function isOnWire(field: FieldSpec, model: ModelSpec): boolean {
  return isReadable(field) || (field.exposure === 'writeOnly' && isWritableModel(model))
}

/** Whether callers may create or update rows of a model. */
export function isWritableModel({ operations }: ModelSpec): boolean {
  return operations.includes('create') || operations.includes('update')
}

/** Whether a row cannot be created without a value of a field. */
export function isRequiredOnCreate({ optional, hasDefault, list }: FieldSpec): boolean {
  return !optional && !hasDefault && !list
}

/** Whether rows need a value that no request can give and no comment declares as set by the server. */
export function needsServerValue(field: FieldSpec, { relations }: ModelSpec): boolean {
  if (field.serverSet || !isRequiredOnCreate(field) || (field.exposure !== 'hidden' && field.exposure !== 'readOnly'))
    return false
  return !relations.some(
    ({ exposure, foreignKey }) => exposure === 'full' && foreignKey.some(([name]) => name === field.name),
  )
}

/** The fields that identify a row. */
export function idFieldsOf({ id, uniques }: ModelSpec): readonly string[] {
  return uniques.find(({ name }) => name === id)?.fields ?? [id]
}

/** A field's type as the schema spells it. */
export function schemaType({ type, list, optional }: FieldSpec): string {
  return `${type}${list ? '[]' : optional ? '?' : ''}`
}
