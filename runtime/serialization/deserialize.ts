import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import { isObject } from '../values/is-object.js'
import { parseBytes, parseDateTime, parseDecimal, parseInt64, type ParsedScalar } from '../values/parse.js'
import { parsePath } from './path.js'

const IN_DOCUMENT = { pointer: '/meta/serialization' } as const

/**
 * Makes the dates, bigints, decimals and bytes again that a request's `meta.serialization` says of its JSON (contract 2.5).
 * superjson would also make regular expressions, maps, cycles and `undefined`, which is no condition at all to Prisma; so of its
 * types only the tags Date, bigint, Decimal, Bytes and Uint8Array are known here (design, section 5). A decimal stays text, which
 * Prisma takes, because the class is the client's own. What `referentialEqualities` says needs nothing done: the JSON holds all copies.
 * @param json the JSON, which is changed in place
 * @param meta the value of `serialization`, as the request gave it; undefined where it gave none
 * @param source where the request gave it, for the fault
 * @param mayBeAbsent whether `undefined` at a path means that nothing is there; where it is not given, it is a fault
 * @throws RequestError 400 for anything but those tags, for a path that leads nowhere, for a value that does not fit its tag
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
  const isKnown = (version === 0 || version === 1) && Object.keys(others).length === 0
  if (!isKnown || !isObject(values) || !isObject(equal)) return fail(FORM)
  for (const path of Object.values(equal).flat()) {
    const keys = typeof path === 'string' ? parsePath(path, version === 0) : undefined
    const copy = keys && placeOf(json, keys)?.read()
    // superjson with "dedupe" leaves null in place of a copy, which could be meant.
    if (copy === undefined || copy === null)
      return fail('A copy that "referentialEqualities" names is not in the JSON.')
  }
  for (const [path, annotation] of Object.entries(values)) {
    const keys = parsePath(path, version === 0)
    const place = keys && placeOf(json, keys)
    if (mayBeAbsent && isUndefined(annotation)) {
      if (!place || place.read() !== null) return fail(`The path ${quote(path)} leads to no null.`)
      if (!place.remove || !mayBeAbsent(keys)) return fail(`The value at ${quote(path)} must not be undefined.`)
      place.remove()
      continue
    }
    const decode = decoderOf(annotation)
    if (!decode) return fail(`The type at ${quote(path)} is not one of ${TYPES}.`)
    if (!place) return fail(`The path ${quote(path)} leads to no value.`)
    const decoded = decode(place.read())
    if (!decoded.ok) return fail(`The value at ${quote(path)} ${decoded.message}.`)
    place.write(decoded.value)
  }
  return json
}

const FORM =
  'The serialization metadata must be an object of "values" (types by path), "referentialEqualities" (paths by path) and "v" (0 or 1).'

/** superjson's annotation of `undefined`, for which the JSON has null. */
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

/** The decoder of an annotation: `['Date']`, or `[['custom', 'Decimal']]`. */
function decoderOf(annotation: unknown): Decode | undefined {
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

interface Place {
  read(): unknown
  write(value: unknown): void
  /** Removes a member of an object. */
  remove?(): void
}

/** The place that a path leads to, by own members only; undefined where it leads nowhere. */
function placeOf(json: unknown, keys: readonly string[]): Place | undefined {
  let holder = json
  for (const [depth, key] of keys.entries()) {
    if (key === '__proto__') return undefined
    if (!Array.isArray(holder) && !isObject(holder)) return undefined
    if (Array.isArray(holder) && !/^(0|[1-9]\d{0,8})$/.test(key)) return undefined
    if (!Object.hasOwn(holder, key)) return undefined
    const place = Array.isArray(holder) ? inList(holder, Number(key)) : inObject(holder, key)
    if (depth === keys.length - 1) return place
    holder = place.read()
  }
  return undefined
}

function inList(list: unknown[], index: number): Place {
  return { read: () => list[index], write: (value) => (list[index] = value) }
}

function inObject(object: Record<string, unknown>, key: string): Place {
  return {
    read: () => object[key],
    write: (value) => (object[key] = value),
    remove: () => delete object[key],
  }
}

function quote(path: string): string {
  return JSON.stringify(path.length > 100 ? `${path.slice(0, 100)}…` : path)
}
