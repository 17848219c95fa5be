import type { FieldSpec, ModelSpec } from './api-model.js'

/** Whether callers can set a field if they may write rows. They cannot set id fields that the database generates. */
export function isWritable(field: FieldSpec, model: ModelSpec): boolean {
  if (field.exposure !== 'full' && field.exposure !== 'writeOnly') return false
  return !(field.generated && getIdFields(model).includes(field.name))
}

/** Whether a REST upsert can find rows by the given unique fields. Callers need to set all of them. */
export function isUpsertKey(key: readonly string[], model: ModelSpec): boolean {
  const { operations, fields } = model
  return (
    operations.includes('create') &&
    operations.includes('update') &&
    fields.every((field) => !key.includes(field.name) || isWritable(field, model))
  )
}

/** Returns the fields that identify a row. */
export function getIdFields({ id, uniques }: ModelSpec): readonly string[] {
  return uniques.find(({ name }) => name === id)?.fields ?? [id]
}
