import type { Model } from '../../../schema/model.js'
import { nextRevision } from '../../../schema/version-field.js'
import { isObject } from '../../../values/is-object.js'
import { type Args, childPath, type Path, invalidArguments } from '../argument-helpers.js'

/**
 * Checks that a write specifies the version of its rows if the model requires one (`@api.version(required)`). The version must be at the
 * top level of the filter, where the database compares it in the statement that writes the row.
 * @param where the validated filter; undefined if there is none
 * @throws RequestError 428 if the version is missing, 400 if it is nested
 */
export function assertVersion(model: Model, where: unknown, path: Path): void {
  const { name, version } = model
  if (!version) return
  const versionPath = childPath(path, version.name)
  if (isObject(where) && isDeeper(version.name, where)) {
    invalidArguments(
      'invalid-arguments',
      `${versionPath} must be directly in ${path}, not inside AND, OR or NOT.`,
      versionPath,
    )
  }
  if (!version.isRequired || comparesVersion(version.name, where)) return
  const detail = `${versionPath} is required. It must be the version received when the ${name} was read.`
  invalidArguments('precondition-required', detail, versionPath)
}

/**
 * Rejects a nested write that specifies a version, or whose model requires one. Prisma first finds the row with a separate query, so
 * the statement that writes the row cannot compare the version.
 * @param where undefined for all related rows
 */
export function rejectNestedVersion({ name, version }: Model, where: unknown, path: Path): void {
  if (!version) return
  const isNamed = isObject(where) && (version.name in where || isDeeper(version.name, where))
  if (!isNamed && !version.isRequired) return
  const detail = `${path}: nested writes cannot compare the version of a ${name}. Use a separate operation.`
  invalidArguments(version.isRequired ? 'precondition-required' : 'invalid-arguments', detail, path)
}

/** Rejects a write with both a version and a limit, because some databases select the rows first if there is a limit. */
export function rejectVersionWithLimit({ version }: Model, where: unknown, limit: unknown): void {
  if (!version || limit === undefined || !isObject(where) || where[version.name] === undefined) return
  invalidArguments('invalid-arguments', `limit cannot be combined with where.${version.name}.`, 'limit')
}

/** Whether a filter contains a field inside `AND`, `OR` or `NOT`. */
function isDeeper(name: string, where: Args): boolean {
  return ['AND', 'OR', 'NOT'].some((combinator) => {
    const parts = where[combinator]
    return (Array.isArray(parts) ? parts : [parts]).some((part) => {
      return isObject(part) && (part[name] !== undefined || isDeeper(name, part))
    })
  })
}

/** Whether a filter compares a field with a value, possibly among other conditions. */
function comparesVersion(name: string, where: unknown): boolean {
  if (!isObject(where)) return false
  const value = where[name]
  if (isObject(value)) return value['equals'] !== undefined || Array.isArray(value['in'])
  return value !== undefined
}

/**
 * Rejects an upsert that specifies a version, or whose model requires one. If the row had a different version, the upsert would create a
 * second row.
 * @param where the validated unique filter
 */
export function rejectVersionedUpsert({ name, version }: Model, where: unknown, path: Path): void {
  if (!version || !(version.isRequired || (isObject(where) && where[version.name] !== undefined))) return
  const detail = `${path === '' ? 'upsert' : path} cannot compare the version of a ${name}. Use create, or use update with the version in "where".`
  invalidArguments(version.isRequired ? 'precondition-required' : 'invalid-arguments', detail, path)
}

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
