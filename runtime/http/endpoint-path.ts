/** What the path of a page may be. */
export interface EndpointPath {
  /** What the option is called, in messages. */
  readonly option: string
  /** The path where the option is `true`. */
  readonly byDefault: string
  /** A path that is free where that one is not. */
  readonly instead: string
  /** Whether it may have several segments: a page with files of its own has one. */
  readonly deep?: true
  /** Whether something else is served at paths that begin with this segment. */
  readonly isTaken: (segment: string) => boolean
}

/** The segments `.` and `..` are resolved before a request is sent. */
const SEGMENT = '(?!\\.{1,2}(?:/|$))[\\w.~-]+'
const SHALLOW = new RegExp(`^/${SEGMENT}$`)
const DEEP = new RegExp(`^(/${SEGMENT})+$`)

/**
 * Reads where a page is served beside the models, below the prefix: an option that is on, off, or a path.
 * @returns undefined where it is off
 * @throws Error where it is no such path, or the path is taken
 */
export function parseEndpointPath(
  value: unknown,
  { option, byDefault, instead, deep, isTaken }: EndpointPath,
): string | undefined {
  if (value === undefined || value === false) return undefined
  const path = value === true ? byDefault : value
  if (typeof path !== 'string' || !(deep ? DEEP : SHALLOW).test(path)) {
    const kind = deep ? 'a path below the prefix' : 'a path of one segment'
    throw new Error(`${option} must be true, false, or ${kind}, as "${byDefault}", not ${JSON.stringify(value)}.`)
  }
  const [, segment = ''] = path.split('/', 2)
  if (isTaken(segment))
    throw new Error(`${option}: "/${segment}" is taken. Give another path: ${option}: "${instead}".`)
  return path
}
