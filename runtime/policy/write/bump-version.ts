import { nextRevision } from '../../schema/version.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'

/**
 * The data of a change, which counts the row's version where it has one: whatever hooks have made of the data, and of rows that are changed
 * because of others too. No rule is asked about it, for nobody chooses what it becomes.
 */
export function bumpVersion({ version }: PolicyModel, data: Args): Args {
  return !version || version.name in data ? data : { ...data, [version.name]: nextRevision(version) }
}
