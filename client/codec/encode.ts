import { toBase64 } from './base64.js'
import { escapeKey } from './path.js'

/** The annotation of a value's type, in superjson's format. */
export type Annotation = readonly [string] | readonly [readonly ['custom', string]]

/** A value as JSON, with annotations for types that JSON lacks. */
export interface Encoded {
  readonly json: unknown
  /** Path → annotation, for `meta.serialization.values`. Undefined if there are no annotations. */
  readonly values: Readonly<Record<string, Annotation>> | undefined
}

/** How to encode undefined properties: omit them, or send null with an annotation so that the server can detect them. */
export type UndefinedMode = 'omit' | 'annotate'

/** Prisma's `DbNull`, `JsonNull` and `AnyNull` have a property with this symbol as its key, in every copy of Prisma's module. */
const OBJECT_ENUM_VALUE = Symbol.for('prisma.objectEnumValue')

/**
 * Encodes arguments as JSON. Dates, BigInts, Decimals and Bytes become annotated strings. Prisma's null values for Json columns become the
 * API's `{ $type: 'Enum' }` objects.
 * @throws TypeError if a value has no JSON form: an invalid date, NaN, undefined in an array, a function
 */
export function encode(value: unknown, undefinedMode: UndefinedMode = 'omit'): Encoded {
  const values: Record<string, Annotation> = {}
  let hasAnnotations = false

  const annotate = (path: string, annotation: Annotation, json: unknown): unknown => {
    values[path] = annotation
    hasAnnotations = true
    return json
  }

  const childPath = (path: string, key: string | number): string =>
    `${path === '' ? '' : `${path}.`}${typeof key === 'number' ? key : escapeKey(key)}`

  const walk = (value: unknown, path: string): unknown => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) ? value : rejectValue(path, `is ${value}`)
      case 'bigint':
        return annotate(path, ['bigint'], String(value))
      case 'object':
        return value === null ? null : walkObject(value, path)
      default:
        return rejectValue(path, `is ${value === undefined ? 'undefined in an array' : `a ${typeof value}`}`)
    }
  }

  const walkObject = (value: object, path: string): unknown => {
    if (Array.isArray(value)) return Array.from(value, (element, index) => walk(element, childPath(path, index)))
    if (value instanceof Date) {
      return Number.isNaN(value.getTime())
        ? rejectValue(path, 'is an invalid Date')
        : annotate(path, ['Date'], value.toISOString())
    }
    if (value instanceof Uint8Array) return annotate(path, [['custom', 'Bytes']], toBase64(value))
    if (isDecimal(value)) return annotate(path, [['custom', 'Decimal']], value.toFixed())
    if (isNamedNull(value)) return { $type: 'Enum', value: value._getName() }
    if ('toJSON' in value && typeof value.toJSON === 'function') return walk(value.toJSON(), path)
    const entries: [string, unknown][] = []
    for (const [key, property] of Object.entries(value)) {
      if (property !== undefined) entries.push([key, walk(property, childPath(path, key))])
      else if (undefinedMode === 'annotate') entries.push([key, annotate(childPath(path, key), ['undefined'], null)])
    }
    // Assignment would set the prototype for a key named `__proto__`.
    return Object.fromEntries(entries)
  }

  const json = walk(value, '')
  return { json, values: hasAnnotations ? values : undefined }
}

function rejectValue(path: string, problem: string): never {
  throw new TypeError(`${path === '' ? 'The value' : path} ${problem}, which cannot be sent.`)
}

/** Whether a value is a Decimal, by the same duck typing as in Prisma: decimal.js, Prisma's copy of it, or a compatible class. */
function isDecimal(value: object): value is { toFixed(): string } {
  return 'toFixed' in value && typeof value.toFixed === 'function' && 'd' in value && 'e' in value && 's' in value
}

function isNamedNull(value: object): value is { _getName(): string } {
  return OBJECT_ENUM_VALUE in value && '_getName' in value && typeof value._getName === 'function'
}
