import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import { isObject } from '../values/is-object.js'
import { parseBytes, parseDateTime, parseDecimal, parseInt64, type ParsedScalar } from '../values/parse-scalars.js'
import { parsePath } from './annotations.js'

const IN_DOCUMENT = { pointer: '/meta/serialization' } as const

/**
 * Restores the dates, bigints, decimals and bytes that a request's `meta.serialization` annotates in its JSON (contract 2.5). Only the tags
 * Date, bigint, Decimal, Bytes and Uint8Array are accepted (design, section 5). superjson also supports regular expressions, maps and
 * cycles, which no field can store, and `undefined`, which Prisma treats as a missing condition. A decimal remains a string, which Prisma
 * accepts, because the Decimal class belongs to the client. `referentialEqualities` needs no processing, because the JSON contains all
 * copies.
 * @param json the JSON, which is modified in place
 * @param meta the value of `serialization` in the request, or undefined
 * @param source the location of `meta` in the request, for errors
 * @param mayBeAbsent whether the value at a path may be `undefined`, which removes it; if omitted, `undefined` is rejected
 * @throws RequestError 400 for other tags, for a path that does not exist, or for a value that does not match its tag
 */
export function deserialize(
  json: unknown,
  meta: unknown,
  source: NonNullable<ErrorDetail['source']> = IN_DOCUMENT,
  mayBeAbsent?: (keys: readonly string[]) => boolean,
): unknown {
  if (meta === undefined) return json
  const fail = (detail: string): never => {
    throw new RequestError({ code: 'invalid-serialization', detail, source })
  }
  if (!isObject(meta)) return fail(FORM)
  const { values = {}, v: version = 0, referentialEqualities: equal = {}, ...others } = meta
  const isSupported = (version === 0 || version === 1) && Object.keys(others).length === 0
  if (!isSupported || !isObject(values) || !isObject(equal)) return fail(FORM)
  for (const path of Object.values(equal).flat()) {
    const keys = typeof path === 'string' ? parsePath(path, version === 0) : undefined
    const copy = keys && findAccessor(json, keys)?.read()
    // With the option "dedupe", superjson replaces a copy with null, which could also be a regular value.
    if (copy === undefined || copy === null) return fail('A path in "referentialEqualities" is not in the JSON.')
  }
  for (const [path, annotation] of Object.entries(values)) {
    const keys = parsePath(path, version === 0)
    const accessor = keys && findAccessor(json, keys)
    if (mayBeAbsent && isUndefined(annotation)) {
      if (!accessor || accessor.read() !== null) return fail(`The path ${quote(path)} does not refer to null.`)
      if (!accessor.remove || !mayBeAbsent(keys)) return fail(`The value at ${quote(path)} must not be undefined.`)
      accessor.remove()
      continue
    }
    const decode = findDecoder(annotation)
    if (!decode) return fail(`The type at ${quote(path)} is not one of ${TYPES}.`)
    if (!accessor) return fail(`The path ${quote(path)} does not refer to a value.`)
    const decoded = decode(accessor.read())
    if (!decoded.ok) return fail(`The value at ${quote(path)} ${decoded.message}.`)
    accessor.write(decoded.value)
  }
  return json
}

const FORM =
  'The serialization metadata must be an object with "values" (types by path), "referentialEqualities" (paths by path) and "v" (0 or 1).'

/** Whether an annotation is superjson's for `undefined`, which is null in the JSON. */
function isUndefined(annotation: unknown): boolean {
  return Array.isArray(annotation) && annotation.length === 1 && annotation[0] === 'undefined'
}

const TYPES = 'Date, bigint, Decimal, Bytes and Uint8Array'

type Decode = (value: unknown) => ParsedScalar

const text =
  (parse: (value: string) => ParsedScalar): Decode =>
  (value) =>
    typeof value === 'string' ? parse(value) : { ok: false, message: 'must be a string' }

const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['Date', text(parseDateTime)],
  ['bigint', text(parseInt64)],
  ['custom Decimal', text(parseDecimal)],
  ['custom Bytes', text(parseBytes)],
  ['typed-array Uint8Array', parseByteList],
])

/** Returns the decoder of an annotation: `['Date']`, or `[['custom', 'Decimal']]`. */
function findDecoder(annotation: unknown): Decode | undefined {
  if (!Array.isArray(annotation) || annotation.length !== 1) return undefined
  const tag: unknown = annotation[0]
  if (typeof tag === 'string') return tag.includes(' ') ? undefined : DECODERS.get(tag)
  if (!Array.isArray(tag) || tag.length !== 2) return undefined
  const [kind, name]: unknown[] = tag
  return typeof kind === 'string' && typeof name === 'string' ? DECODERS.get(`${kind} ${name}`) : undefined
}

function parseByteList(value: unknown): ParsedScalar {
  const isByte = (byte: unknown): boolean => Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) <= 255
  if (!Array.isArray(value) || !value.every(isByte)) return { ok: false, message: 'must be a list of bytes' }
  return { ok: true, value: Uint8Array.from(value) }
}

interface ValueAccessor {
  read(): unknown
  write(value: unknown): void
  /** Removes the property from its object. */
  remove?(): void
}

/**
 * Finds the value at a path. Only follows own properties.
 * @returns undefined if the path does not exist
 */
function findAccessor(json: unknown, keys: readonly string[]): ValueAccessor | undefined {
  let container = json
  for (const [depth, key] of keys.entries()) {
    if (key === '__proto__') return undefined
    if (!Array.isArray(container) && !isObject(container)) return undefined
    if (Array.isArray(container) && !/^(0|[1-9]\d{0,8})$/.test(key)) return undefined
    if (!Object.hasOwn(container, key)) return undefined
    const accessor = Array.isArray(container)
      ? elementAccessor(container, Number(key))
      : propertyAccessor(container, key)
    if (depth === keys.length - 1) return accessor
    container = accessor.read()
  }
  return undefined
}

function elementAccessor(list: unknown[], index: number): ValueAccessor {
  return { read: () => list[index], write: (value) => (list[index] = value) }
}

function propertyAccessor(object: Record<string, unknown>, key: string): ValueAccessor {
  return {
    read: () => object[key],
    write: (value) => (object[key] = value),
    remove: () => delete object[key],
  }
}

function quote(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path)
}
