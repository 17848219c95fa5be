import type { ErrorCode } from '../../errors/error-codes.js'
import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'
import { isToOneQuantifier } from '../../schema/keyword-named-fields.js'
import type { ModelRelation } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'

/** Validated arguments. They contain only exposed names, and values in Prisma's format. */
export type Args = Record<string, unknown>

/**
 * A position in the arguments: keys and indices joined with dots, as in Prisma's messages. The empty path refers to the arguments object
 * itself.
 */
export type Path = string

/**
 * Rejects a request with invalid arguments.
 * @param path the position of the error, if it has one
 */
export function invalidArguments(code: ErrorCode, detail: string, path?: Path): never {
  throw new RequestError({ code, detail, path: path === undefined ? path : pathKeys(path) })
}

/** Rejects a request that exceeds a limit. The message names the option that raises the limit. */
export function limitExceeded(limit: keyof Limits, detail: string, path?: Path): never {
  return invalidArguments('limit-exceeded', limitMessage(limit, detail), path)
}

/** Splits a path into keys and indices. */
export function pathKeys(path: Path): (string | number)[] {
  return path === '' ? [] : path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}

/** Maximum number of errors in a response. */
export const MAX_ERRORS = 100

/** Runs part of a validation and collects its errors instead of throwing. */
export function collectErrors(errors: ErrorDetail[], part: () => void): void {
  try {
    part()
  } catch (error) {
    recordErrors(errors, error)
  }
}

/** Records a request error. Throws other errors, and the recorded errors once there are {@link MAX_ERRORS}. */
export function recordErrors(errors: ErrorDetail[], error: unknown): void {
  if (!(error instanceof RequestError)) throw error
  errors.push(...error.errors)
  if (errors.length >= MAX_ERRORS) throwErrors(errors.slice(0, MAX_ERRORS))
}

/**
 * Rejects a name that is not exposed. The error is the same for hidden, write-only and unknown names, so it does not reveal which names
 * exist.
 */
export function unknownName(key: string, path: Path): never {
  return invalidArguments(
    'invalid-arguments',
    path === '' ? `Unknown argument ${quoteText(key)}.` : `Unknown name ${quoteText(key)} in ${path}.`,
    childPath(path, key),
  )
}

/** Rejects an invalid value: `where.id must be an integer`. */
export function invalidValue(path: Path, message: string): never {
  return invalidArguments('invalid-arguments', `${path === '' ? 'The arguments' : path} ${message}.`, path)
}

/** Returns the path of a key or an index. */
export function childPath(path: Path, key: string | number): Path {
  return path === '' ? String(key) : `${path}.${key}`
}

/** Quotes and shortens text from the request, for error messages. */
export function quoteText(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** Checks that a value is an object. */
export function expectObject(value: unknown, path: Path): Args {
  return isObject(value) ? value : invalidValue(path, 'must be an object')
}

/** Checks that a value is an object with no other names than the given ones. */
export function expectNames(value: unknown, names: readonly string[], path: Path): Args {
  const input = expectObject(value, path)
  for (const key of Object.keys(input)) if (!names.includes(key)) unknownName(key, path)
  return input
}

/** Parses a value as an object and rebuilds it from its parsed entries. */
export function mapEntries(
  value: unknown,
  path: Path,
  parse: (key: string, entryValue: unknown, entryPath: Path) => unknown,
): Args {
  const entries: Args = {}
  for (const [key, entryValue] of Object.entries(expectObject(value, path))) {
    entries[key] = parse(key, entryValue, childPath(path, key))
  }
  return entries
}

/** Checks that a value is a list of at most `limits.listLength` elements. */
export function expectList(value: unknown, path: Path, limits: Limits): readonly unknown[] {
  if (!Array.isArray(value)) return invalidValue(path, 'must be a list')
  if (value.length > limits.listLength) {
    return limitExceeded('listLength', `${path} has more than ${limits.listLength} values.`, path)
  }
  return value
}

/** Applies `parse` to each element of a list, and collects the errors of all elements. */
export function mapElements<T>(list: readonly unknown[], path: Path, parse: (value: unknown, path: Path) => T): T[] {
  const errors: ErrorDetail[] = []
  const parsed: T[] = []
  for (const [index, element] of list.entries())
    collectErrors(errors, () => parsed.push(parse(element, childPath(path, index))))
  throwErrors(errors)
  return parsed
}

/** Applies `parse` to a value, or to each element of a list. */
export function mapOneOrMany<T>(
  value: unknown,
  path: Path,
  limits: Limits,
  parse: (value: unknown, path: Path) => T,
): T | T[] {
  return Array.isArray(value) ? mapElements(expectList(value, path, limits), path, parse) : parse(value, path)
}

/** Checks that a value is a boolean. */
export function expectBoolean(value: unknown, path: Path): boolean {
  return typeof value === 'boolean' ? value : invalidValue(path, 'must be true or false')
}

/** Checks that a value is one of the given strings. */
export function expectEnum<const C extends string>(value: unknown, choices: readonly C[], path: Path): C {
  const choice = choices.find((candidate) => candidate === value)
  return choice ?? invalidValue(path, `must be one of ${choices.join(', ')}`)
}

/**
 * Checks that a value is an integer between two bounds.
 * @param limit the limit that the bounds come from, if any
 */
export function expectInteger(value: unknown, path: Path, min: number, max: number, limit?: keyof Limits): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) return invalidValue(path, 'must be an integer')
  if (value < min || value > max) {
    const detail = `${path} must be between ${min} and ${max}.`
    return limit ? limitExceeded(limit, detail, path) : invalidArguments('limit-exceeded', detail, path)
  }
  return value + 0
}

/** The keys that combine filters. */
export type Combinator = 'AND' | 'OR' | 'NOT'

/** Whether a key of a filter combines filters. */
export function isCombinator(key: string): key is Combinator {
  return key === 'AND' || key === 'OR' || key === 'NOT'
}

/** The quantifiers in filters of to-many relations. */
export const MANY_QUANTIFIERS: readonly string[] = ['some', 'every', 'none']

/** The quantifiers in filters of to-one relations. */
export const ONE_QUANTIFIERS: readonly string[] = ['is', 'isNot']

/** Whether the filter of a relation consists of quantifiers. For a to-one relation, it may also be a filter on the related row itself. */
export function isQuantified(relation: ModelRelation, filter: Args): boolean {
  return relation.many === true || isToOneQuantifier(relation, filter)
}
