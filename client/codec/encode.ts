import { toBase64 } from './base64.js'
import { escapeKey } from './path.js'

/** What a value was before it became JSON, as superjson notes it. */
export type Annotation = readonly [string] | readonly [readonly ['custom', string]]

/** A value as JSON, and what JSON does not say of it. */
export interface Encoded {
  readonly json: unknown
  /** Path → what the value there was: what `meta.serialization.values` holds. Undefined where JSON says everything. */
  readonly values: Readonly<Record<string, Annotation>> | undefined
}

/** What becomes of members that are undefined: left out, or null with a note, so that the server knows of them. */
export type OfUndefined = 'leave out' | 'note'

/** Prisma's `DbNull`, `JsonNull` and `AnyNull` have a member of this name, in every copy of its module. */
const OBJECT_ENUM_VALUE = Symbol.for('prisma.objectEnumValue')

/**
 * Turns arguments into JSON. Dates, BigInts, Decimals and Bytes become text with a note, Prisma's nulls of Json columns what the API
 * understands.
 * @throws TypeError for what has no JSON: an invalid date, NaN, undefined in a list, a function
 */
export function encode(value: unknown, ofUndefined: OfUndefined = 'leave out'): Encoded {
  const values: Record<string, Annotation> = {}
  let noted = false

  const note = (path: string, annotation: Annotation, json: unknown): unknown => {
    values[path] = annotation
    noted = true
    return json
  }

  const below = (path: string, key: string | number): string =>
    `${path === '' ? '' : `${path}.`}${typeof key === 'number' ? key : escapeKey(key)}`

  const walk = (value: unknown, path: string): unknown => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : refuse(path, `is ${value}`)
      case 'bigint':
        return note(path, ['bigint'], String(value))
      case 'object':
        return value === null ? null : walkObject(value, path)
      default:
        return refuse(path, `is ${value === undefined ? 'undefined, in a list' : `a ${typeof value}`}`)
    }
  }

  const walkObject = (value: object, path: string): unknown => {
    if (Array.isArray(value)) return Array.from(value, (element, index) => walk(element, below(path, index)))
    if (value instanceof Date) {
      return Number.isNaN(value.getTime())
        ? refuse(path, 'is an invalid Date')
        : note(path, ['Date'], value.toISOString())
    }
    if (value instanceof Uint8Array) return note(path, [['custom', 'Bytes']], toBase64(value))
    if (isDecimal(value)) return note(path, [['custom', 'Decimal']], value.toFixed())
    if (isNamedNull(value)) return { $type: 'Enum', value: value._getName() }
    if ('toJSON' in value && typeof value.toJSON === 'function') return walk(value.toJSON(), path)
    const members: [string, unknown][] = []
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) members.push([key, walk(member, below(path, key))])
      else if (ofUndefined === 'note') members.push([key, note(below(path, key), ['undefined'], null)])
    }
    // Not by assignment, which would take `__proto__` for the prototype.
    return Object.fromEntries(members)
  }

  const json = walk(value, '')
  return { json, values: noted ? values : undefined }
}

function refuse(path: string, what: string): never {
  throw new TypeError(`${path === '' ? 'The value' : path} ${what}, which cannot be sent.`)
}

/** A Decimal of decimal.js, of Prisma's copy of it, or one that Prisma takes for one. */
function isDecimal(value: object): value is { toFixed(): string } {
  return 'toFixed' in value && typeof value.toFixed === 'function' && 'd' in value && 'e' in value && 's' in value
}

function isNamedNull(value: object): value is { _getName(): string } {
  return OBJECT_ENUM_VALUE in value && '_getName' in value && typeof value._getName === 'function'
}
