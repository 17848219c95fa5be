import type { ErrorCode } from '../../errors/codes.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'
import { isObject } from '../../values/is-object.js'

/** Arguments that were checked and rebuilt: only what is allowed, with values as Prisma takes them. */
export type Args = Record<string, unknown>

/**
 * Where in the arguments: keys and indices joined with dots, as Prisma's own messages have it. The arguments themselves are
 * the empty path.
 */
export type Path = string

/** Ends a request; `at` is where the fault is, if it is at a place. */
export function invalidArguments(code: ErrorCode, detail: string, at?: Path): never {
  throw new RequestError({ code, detail, ...(at !== undefined && { path: pathKeys(at) }) })
}

/** Ends a request that goes beyond a limit; says which option raises it. */
export function limitExceeded(limit: keyof Limits, detail: string, at?: Path): never {
  return invalidArguments('limit-exceeded', limitMessage(limit, detail), at)
}

/** The keys and indices of a path. */
export function pathKeys(at: Path): (string | number)[] {
  return at === '' ? [] : at.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
}

/** How many faults an answer tells of. */
export const MAX_ERRORS = 100

/** Does a part of a check, and notes what is wrong there, so that the rest is checked too. */
export function collectErrors(faults: ErrorDetail[], part: () => void): void {
  try {
    part()
  } catch (error) {
    recordErrors(faults, error)
  }
}

/** Notes what was thrown, if it is a fault of the request and there is room for it; throws it where not. */
export function recordErrors(faults: ErrorDetail[], error: unknown): void {
  if (!(error instanceof RequestError) || faults.length >= MAX_ERRORS) throw error
  faults.push(...error.faults)
}

/**
 * Ends a request that names something that is not on the wire. Hidden, write-only and unknown names all end here, so that
 * the answer tells nothing.
 */
export function unknownName(key: string, at: Path): never {
  return invalidArguments(
    'invalid-arguments',
    `There is no ${quoteText(key)} ${at === '' ? 'among the arguments' : `in ${at}`}.`,
    childPath(at, key),
  )
}

/** Ends a request with a value of the wrong kind: `where.id must be an integer`. */
export function invalidValue(at: Path, message: string): never {
  return invalidArguments('invalid-arguments', `${at === '' ? 'The arguments' : at} ${message}.`, at)
}

/** The path of a member. */
export function childPath(at: Path, key: string | number): Path {
  return at === '' ? String(key) : `${at}.${key}`
}

/** A caller's text, as it may stand in a message. */
export function quoteText(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}

/** Takes a value as an object, with its own members. */
export function expectObject(value: unknown, at: Path): Args {
  return isObject(value) ? value : invalidValue(at, 'must be an object')
}

/** Parses a value as an object and rebuilds it from its parsed members. */
export function mapMembers(
  value: unknown,
  at: Path,
  parse: (key: string, member: unknown, path: Path) => unknown,
): Args {
  const members: Args = {}
  for (const [key, member] of Object.entries(expectObject(value, at))) {
    members[key] = parse(key, member, childPath(at, key))
  }
  return members
}

/** Takes a value as a list, no longer than the limit. */
export function expectList(value: unknown, at: Path, limits: Limits): readonly unknown[] {
  if (!Array.isArray(value)) return invalidValue(at, 'must be a list')
  if (value.length > limits.listLength) {
    return limitExceeded('listLength', `${at} holds more than ${limits.listLength} values.`, at)
  }
  return value
}

/** Applies `parse` to a value, or to each element where it is a list. */
export function mapOneOrMany<T>(
  value: unknown,
  at: Path,
  limits: Limits,
  parse: (value: unknown, at: Path) => T,
): T | T[] {
  if (!Array.isArray(value)) return parse(value, at)
  return expectList(value, at, limits).map((element, index) => parse(element, childPath(at, index)))
}

/** Takes a value as true or false. */
export function expectBoolean(value: unknown, at: Path): boolean {
  return typeof value === 'boolean' ? value : invalidValue(at, 'must be true or false')
}

/** Takes a value as one of some strings. */
export function expectEnum<const C extends string>(value: unknown, choices: readonly C[], at: Path): C {
  const choice = choices.find((candidate) => candidate === value)
  return choice ?? invalidValue(at, `must be one of ${choices.join(', ')}`)
}

/** Takes a value as an integer between two bounds, which are a limit's where one is named. */
export function expectInteger(value: unknown, at: Path, least: number, most: number, limit?: keyof Limits): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) return invalidValue(at, 'must be an integer')
  if (value < least || value > most) {
    const detail = `${at} must lie between ${least} and ${most}.`
    return limit ? limitExceeded(limit, detail, at) : invalidArguments('limit-exceeded', detail, at)
  }
  return value + 0
}
