import { isObject } from '../../../values/is-object.js'
import { nextRevision } from '../../../schema/version.js'
import type { Model } from '../../../schema/schema.js'
import { type Args, below, type Path, refuse } from '../refuse.js'

/**
 * The changes of a row, which count its version where it has one that is counted: a change that did not count would be lost to those who
 * have read the row before. A time is set by the client.
 */
export function counted({ version }: Model, data: Args): Args {
  return version?.isCounted ? { ...data, [version.name]: nextRevision(version) } : data
}

/**
 * Ends a request that changes rows and does not say of which version, where the model requires it (`@api.version(required)`).
 * @param where the filter that finds them, checked; undefined where it has none
 */
export function requireVersion({ name, version }: Model, where: unknown, at: Path): void {
  if (!version?.isRequired || comparesVersion(version.name, where)) return
  const path = below(at, version.name)
  const detail = `${path} must be given: a ${name} is changed only where it still is what it was read as, so that no change of another is lost.`
  refuse('precondition-required', detail, path)
}

/** Whether a filter compares a field with a value, beside whatever else it asks for. */
function comparesVersion(name: string, where: unknown): boolean {
  if (!isObject(where)) return false
  const value = where[name]
  if (isObject(value)) return value['equals'] !== undefined || Array.isArray(value['in'])
  return value !== undefined
}

/**
 * Ends an upsert of rows whose version is required, or that asks for one: where the row is of another version it would create one more.
 * @param where what finds the row, checked
 */
export function refuseVersionedUpsert({ name, version }: Model, where: unknown, at: Path): void {
  if (!version || !(version.isRequired || (isObject(where) && where[version.name] !== undefined))) return
  const detail = `${at === '' ? 'upsert' : at} cannot compare the version of a ${name}. Use create, or update with its version in "where".`
  refuse(version.isRequired ? 'precondition-required' : 'invalid-arguments', detail, at)
}
