import { isObject } from '../../../values/is-object.js'
import { nextRevision } from '../../../schema/version-field.js'
import type { Model } from '../../../schema/model.js'
import type { Args } from '../argument-helpers.js'

/**
 * Adds the next version to the data of an update, if the model has one. Otherwise, clients that have read the row would not detect the
 * update. A timestamp is set explicitly, because Prisma does not change it if only relations are updated.
 * @param where the filter for the row; the new timestamp is later than any timestamp in it
 */
export function bumpVersion({ version }: Model, data: Args, where?: unknown): Args {
  if (!version) return data
  const named = isObject(where) ? listTimes(where[version.name]) : []
  return { ...data, [version.name]: nextRevision(version, named) }
}

function listTimes(filter: unknown): readonly unknown[] {
  return isObject(filter) ? Object.values(filter).flat() : [filter]
}
