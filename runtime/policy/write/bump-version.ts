import { nextRevision } from '../../schema/version-field.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'

/**
 * Adds the increment of the version to the data of an update, if the model has a version and the data does not set it. Also applies to data
 * from hooks and to rows that change as a consequence of other writes. No rule applies to the version, because the caller does not choose
 * its value.
 */
export function bumpVersion({ version }: PolicyModel, data: Args): Args {
  return !version || version.name in data ? data : { ...data, [version.name]: nextRevision(version) }
}
