import { idFields } from '../schema/model.js'
import type { NamedField, RestModel } from './rest-model.js'

/** Whether the database generates the ids of a model, at least in part. */
export function hasGeneratedId(model: RestModel): boolean {
  return model.id.fields.some(({ field }) => field.generated)
}

/**
 * Whether the database generates an id field. This includes the model's own id, even if a different unique criterion identifies its
 * resources.
 */
export function isDatabaseGenerated({ model, id }: RestModel, { name, field }: NamedField): boolean {
  if (!field.generated) return false
  return idFields(model).includes(name) || id.fields.some((part) => part.name === name)
}
