import { nextRevision } from '../../schema/version-field.js'
import type { RestModel } from '../rest-model.js'
import type { Precondition } from '../conditional-requests.js'

type Data = Readonly<Record<string, unknown>>

/**
 * Adds the next version to the data of a change, if the model has a version field. Every write by the runtime does this. Otherwise, callers
 * that read the row earlier would overwrite the change without noticing.
 */
export function bumpVersion({ model }: RestModel, data: Data, condition?: Pick<Precondition, 'match'>): Data {
  const { version } = model
  if (!version) return data
  return { ...data, [version.name]: nextRevision(version, condition?.match) }
}
