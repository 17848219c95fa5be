import { isObject } from '../../../values/is-object.js'
import { nextRevision } from '../../../schema/version.js'
import type { Model } from '../../../schema/schema.js'
import { type Args, childPath, type Path, invalidArguments } from '../arguments.js'

/**
 * The changes of a row, which count its version where it has one: a change that did not count would be lost to those who have read the row
 * before. A time is written too, because the client leaves it as it is where nothing but relations changes.
 * @param where what finds the row: a time is later than those that it names
 */
export function bumpVersion({ version }: Model, data: Args, where?: unknown): Args {
  if (!version) return data
  const named = isObject(where) ? timesIn(where[version.name]) : []
  return { ...data, [version.name]: nextRevision(version, named) }
}

function timesIn(filter: unknown): readonly unknown[] {
  return isObject(filter) ? Object.values(filter).flat() : [filter]
}

/**
 * Ends a request that changes rows and does not say of which version, where the model requires it (`@api.version(required)`), or that says it
 * where the database would not look at it in the statement that changes the row.
 * @param where the filter that finds them, checked; undefined where it has none
 */
export function assertVersion(model: Model, where: unknown, at: Path): void {
  const { name, version } = model
  if (!version) return
  const path = childPath(at, version.name)
  if (isObject(where) && isDeeper(version.name, where)) {
    invalidArguments(
      'invalid-arguments',
      `${path} is compared only where it stands in ${at} itself, and not in AND, OR or NOT.`,
      path,
    )
  }
  if (!version.isRequired || comparesVersion(version.name, where)) return
  const detail = `${path} must be given: a ${name} changes only if unchanged since it was read.`
  invalidArguments('precondition-required', detail, path)
}

/**
 * As {@link requireVersion}, of a row that is changed through another one: there the client finds the row first, and no version can be compared.
 * @param where undefined where every related row is meant
 */
export function rejectNestedVersion({ name, version }: Model, where: unknown, at: Path): void {
  if (!version) return
  const isNamed = isObject(where) && (version.name in where || isDeeper(version.name, where))
  if (!isNamed && !version.isRequired) return
  const detail = `${at}: the version of a ${name} is compared in a change of its own only. Send that beside this one, in a transaction.`
  invalidArguments(version.isRequired ? 'precondition-required' : 'invalid-arguments', detail, at)
}

/**
 * Ends a request that names a version and how many rows it changes at most: some databases choose the rows first then.
 */
export function rejectVersionWithLimit({ version }: Model, where: unknown, limit: unknown): void {
  if (!version || limit === undefined || !isObject(where) || where[version.name] === undefined) return
  invalidArguments('invalid-arguments', `limit cannot stand beside where.${version.name}.`, 'limit')
}

/** Whether a filter names a field below what joins filters. */
function isDeeper(name: string, where: Args): boolean {
  return ['AND', 'OR', 'NOT'].some((joint) => {
    const parts = where[joint]
    return (Array.isArray(parts) ? parts : [parts]).some((part) => {
      return isObject(part) && (part[name] !== undefined || isDeeper(name, part))
    })
  })
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
export function rejectVersionedUpsert({ name, version }: Model, where: unknown, at: Path): void {
  if (!version || !(version.isRequired || (isObject(where) && where[version.name] !== undefined))) return
  const detail = `${at === '' ? 'upsert' : at} cannot compare the version of a ${name}. Use create, or update with its version in "where".`
  invalidArguments(version.isRequired ? 'precondition-required' : 'invalid-arguments', detail, at)
}
