import type { Routers } from './create-dispatcher.js'

/** Constraints on the path of an endpoint. */
export interface EndpointPath {
  /** The name of the option, for messages. */
  readonly option: string
  /** The path if the option is `true`. */
  readonly fallback: string
  /** A suggestion if the path is taken. */
  readonly example: string
  /** Whether the path may have multiple segments. The path of an endpoint that serves files below it must have only one segment. */
  readonly deep?: true
  /** Whether another endpoint is served at paths that begin with this segment. */
  readonly isReserved: (segment: string) => boolean
}

/** Excludes the segments `.` and `..`, because clients resolve them before they send a request. */
const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.~-]+'
const SHALLOW = new RegExp(`^/${SEGMENT}$`)
const DEEP = new RegExp(`^(/${SEGMENT})+$`)

/**
 * Parses the path of an endpoint below the prefix from an option: `true`, `false` or a path.
 * @returns undefined if the option is off
 * @throws Error if the value is not a valid path, or if the path is taken
 */
export function parseEndpointPath(
  value: unknown,
  { option, fallback, example, deep, isReserved }: EndpointPath,
): string | undefined {
  if (value === undefined || value === false) return undefined
  const path = value === true ? fallback : value
  if (typeof path !== 'string' || !(deep ? DEEP : SHALLOW).test(path)) {
    const kind = deep ? 'a path below the prefix' : 'a path of one segment'
    throw new Error(
      `${option} must be true, false, or ${kind}, such as "${fallback}", but is ${JSON.stringify(value)}.`,
    )
  }
  const [, segment = ''] = path.split('/', 2)
  if (isReserved(segment))
    throw new Error(`${option}: "/${segment}" is taken. Use another path: ${option}: "${example}".`)
  return path
}

/** Returns a predicate that checks whether a path segment belongs to a model or to another endpoint. */
export function createReservedCheck(
  { byName, aliases }: Pick<Routers, 'byName' | 'aliases'>,
  reservedPaths: Iterable<string> = [],
): (segment: string) => boolean {
  const others = new Set(Array.from(reservedPaths, (path) => path.split('/', 2)[1]))
  return (segment) => byName.has(segment) || aliases.has(segment) || others.has(segment)
}
