import type { Field, ScalarType } from '../schema/resource.js'

/** A superjson annotation: the original type of a JSON value. */
export type Annotation = readonly [string] | readonly [readonly [string, string]]

/** The JSON representation of a type (contract 2.5). */
export interface Encoding {
  /** Converts a value that is not null to JSON. */
  readonly encode: (value: unknown) => unknown
  /** The annotation in `meta.serialization.values`. */
  readonly annotation: Annotation
}

const BYTES_PER_CALL = 0x8000

const ENCODINGS: Partial<Record<ScalarType, Encoding>> = {
  DateTime: { encode: (value) => (value instanceof Date ? dateToJson(value) : value), annotation: ['Date'] },
  BigInt: { encode: (value) => String(value), annotation: ['bigint'] },
  Decimal: { encode: decimalToJson, annotation: [['custom', 'Decimal']] },
  Bytes: {
    encode: (value) => (value instanceof Uint8Array ? toBase64(value) : value),
    annotation: [['custom', 'Bytes']],
  },
}

/** Returns the encoding of a field's values, or undefined if they are already JSON. */
export function getEncoding(field: Field): Encoding | undefined {
  return ENCODINGS[field.type]
}

/**
 * Formats a date like `toISOString`, but four times as fast. A list of rows can have hundreds of dates.
 * @throws RangeError if the date is invalid
 */
export function dateToJson(date: Date): string {
  const year = date.getUTCFullYear()
  // Other years have more digits and a sign.
  if (!(year >= 0 && year <= 9999)) return date.toISOString()
  const month = date.getUTCMonth() + 1
  const day = date.getUTCDate()
  const hours = date.getUTCHours()
  const minutes = date.getUTCMinutes()
  const seconds = date.getUTCSeconds()
  const milliseconds = date.getUTCMilliseconds()
  // prettier-ignore
  return String.fromCharCode(
    digit(year, 1000), digit(year, 100), digit(year, 10), digit(year, 1), DASH,
    digit(month, 10), digit(month, 1), DASH, digit(day, 10), digit(day, 1), T,
    digit(hours, 10), digit(hours, 1), COLON, digit(minutes, 10), digit(minutes, 1), COLON,
    digit(seconds, 10), digit(seconds, 1), POINT,
    digit(milliseconds, 100), digit(milliseconds, 10), digit(milliseconds, 1), Z,
  )
}

const [ZERO, DASH, T, COLON, POINT, Z] = [48, 45, 84, 58, 46, 90] as const

/** Returns the character code of a digit of a number. */
function digit(number: number, unit: number): number {
  return ZERO + (Math.trunc(number / unit) % 10)
}

/** Formats all digits of a Decimal without an exponent. */
export function decimalToJson(value: unknown): string {
  return isDecimal(value) ? value.toFixed() : String(value)
}

/** Encodes bytes as Base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  // `Buffer` is ten times as fast as `btoa`, but not available everywhere.
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
  }
  let binary = ''
  for (let index = 0; index < bytes.length; index += BYTES_PER_CALL) {
    binary += String.fromCharCode(...bytes.subarray(index, index + BYTES_PER_CALL))
  }
  return btoa(binary)
}

/** Whether a value is a Decimal of Prisma. */
export function isDecimal(value: unknown): value is { toFixed(): string } {
  return typeof value === 'object' && value !== null && 'toFixed' in value && typeof value.toFixed === 'function'
}
