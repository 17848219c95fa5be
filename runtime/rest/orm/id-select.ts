import type { RestModel } from '../rest-model.js'
import { selectFields } from '../../prisma/select-fields.js'

/** Returns the `select` for a model's id fields. */
export function idSelect(model: RestModel): Record<string, true> {
  return selectFields(model.locking.id)
}

/** Returns the `select` for a model's id fields and its version field. */
export function rowSelect(model: RestModel): Record<string, true> {
  const { version } = model.model
  return version ? { ...idSelect(model), [version.name]: true } : idSelect(model)
}
