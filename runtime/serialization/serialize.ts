import SuperJSON from 'superjson'

import { isObject } from '../values/is-object.js'
import { type Annotation, decimalToJson, toBase64 } from '../values/to-json.js'
import { escapeKey } from './path.js'

/** What superjson notes beside the JSON, as it stands in `meta.serialization` (contract 2.5). */
export interface SerializationMeta {
  /** Path of a value → what it was before it became JSON. */
  readonly values?: object
  /** Paths that hold the very same object. Only where a value is of a kind that Prisma itself does not give. */
  readonly referentialEqualities?: object
  /** superjson's version of the format. */
  readonly v?: number
}

/** A value as JSON, and what is needed to make it again. */
export interface Serialized {
  readonly json: unknown
  /** Absent where the JSON says everything. */
  readonly meta?: SerializationMeta
}

/** A `Decimal` of Prisma's client or of decimal.js, whichever copy of the module made it. */
export interface DecimalLike {
  toFixed(): string
}

/** superjson with the two custom types of the contract: for values of kinds that only client extensions give. */
const superjson = new SuperJSON()
superjson.registerCustom<DecimalLike, string>(
  { isApplicable: isDecimal, serialize: decimalToJson, deserialize: (text) => ({ toFixed: () => text }) },
  'Decimal',
)
superjson.registerCustom<Uint8Array, string>(
  { isApplicable: isBytes, serialize: toBase64, deserialize: (text) => Uint8Array.from(atob(text), codeOf) },
  'Bytes',
)

const DATE: Annotation = ['Date']
const BIGINT: Annotation = ['bigint']
const DECIMAL: Annotation = [['custom', 'Decimal']]
const BYTES: Annotation = [['custom', 'Bytes']]

/**
 * Turns a value into JSON and the types that JSON does not have (contract 2.5): the same as superjson does with the custom
 * types `Decimal` and `Bytes`, in a fraction of the time for what Prisma answers with: plain data, dates, bigints, decimals
 * and bytes. Anything else is left to superjson itself.
 */
export function serialize(value: unknown): Serialized {
  const values: Record<string, Annotation> = {}
  const root = encode(value, undefined, values)
  if (root === UNKNOWN) return bySuperjson(value)
  if (value === null || typeof value !== 'object') {
    return typeof value === 'bigint' ? { json: root, meta: { values: BIGINT, v: 1 } } : { json: root }
  }
  const own = annotationOf(value)
  if (own) return { json: root, meta: { values: own, v: 1 } }
  for (const _ in values) return { json: root, meta: { values, v: 1 } }
  return { json: root }
}

function bySuperjson(value: unknown): Serialized {
  try {
    const { json, meta } = superjson.serialize(value)
    return meta ? { json, meta: meta as SerializationMeta } : { json }
  } catch (error) {
    // It refuses keys like `constructor`, which a Json value, or a field, may have beside a NaN.
    const values: Record<string, Annotation> = {}
    const json = encode(value, undefined, values, encodeSpecial)
    if (json === UNKNOWN) throw error
    return { json, meta: { values, v: 1 } }
  }
}

/** The numbers that JSON does not have, and undefined, as superjson spells them. */
function encodeSpecial(value: unknown, path: string | undefined, values: Record<string, Annotation>): unknown {
  if (path === undefined || (typeof value !== 'number' && value !== undefined)) return UNKNOWN
  values[path] = value === undefined ? ['undefined'] : ['number']
  if (value === undefined) return null
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Not a value that Prisma gives. */
const UNKNOWN = Symbol('unknown')

type Encode = (value: unknown, path: string | undefined, values: Record<string, Annotation>) => unknown

function encode(
  value: unknown,
  path: string | undefined,
  values: Record<string, Annotation>,
  special: Encode = () => UNKNOWN,
): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)) return value
  if (typeof value === 'bigint') {
    if (path !== undefined) values[path] = BIGINT
    return value.toString()
  }
  if (typeof value !== 'object') return special(value, path, values)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    for (let index = 0; index < value.length; index++) {
      const element = encode(value[index], path === undefined ? `${index}` : `${path}.${index}`, values, special)
      if (element === UNKNOWN) return UNKNOWN
      list.push(element)
    }
    return list
  }
  if (isObject(value)) {
    const object: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      const json = encode(member, path === undefined ? escapeKey(key) : `${path}.${escapeKey(key)}`, values, special)
      if (json === UNKNOWN) return UNKNOWN
      define(object, key, json)
    }
    return object
  }
  const annotation = annotationOf(value)
  if (!annotation) return UNKNOWN
  if (path !== undefined) values[path] = annotation
  if (value instanceof Date) return value.toISOString()
  return isBytes(value) ? toBase64(value) : decimalToJson(value)
}

function annotationOf(value: object): Annotation | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : DATE
  if (isBytes(value)) return BYTES
  return isDecimal(value) ? DECIMAL : undefined
}

// A Json value may have any key; `__proto__` must become a member like any other.
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array
}

function isDecimal(value: unknown): value is DecimalLike {
  return Object.prototype.toString.call(value) === '[object Decimal]'
}

function codeOf(char: string): number {
  return char.charCodeAt(0)
}
