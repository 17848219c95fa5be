import type { Field } from '../schema/resource.js'

/** A scalar in the form that Prisma accepts, or an error phrase that follows the name of the value. */
export type ParsedScalar =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

const INT = /^-?(0|[1-9]\d*)$/
export const DECIMAL = /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i
const MAX_DECIMAL_LENGTH = 400
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+-](\d{2}):?(\d{2})))?$/
const INT32 = 2 ** 31
const INT64 = 2n ** 63n

/** Checks that every database can store a string: without NUL, which PostgreSQL rejects, and without unpaired surrogates. */
export function parseString(value: string): ParsedScalar {
  if (value.includes('\0')) return invalidResult('must not contain the character U+0000')
  // Most texts have no surrogates, and the check for any is faster than the check for unpaired ones.
  if (/[\ud800-\udfff]/.test(value) && /\p{Surrogate}/u.test(value)) return invalidResult('must be valid Unicode')
  return validResult(value)
}

/** Parses a number for Prisma's `Int`: 32 bits, signed. */
export function parseInt32(value: number): ParsedScalar {
  if (!Number.isInteger(value)) return invalidResult('must be an integer')
  if (value < -INT32 || value >= INT32) return invalidResult(`must be between ${-INT32} and ${INT32 - 1}`)
  return validResult(value + 0)
}

/** Parses the digits of an `Int`. Rejects plus signs and leading zeros, so that each number has one spelling. */
export function parseInt32Text(text: string): ParsedScalar {
  return INT.test(text) && text !== '-0' ? parseInt32(Number(text)) : invalidResult('must be an integer')
}

/** Parses a number for Prisma's `BigInt`: 64 bits, signed. Accepts a bigint, its digits, or a JSON number without loss of precision. */
export function parseInt64(value: bigint | number | string): ParsedScalar {
  if (typeof value === 'string' && (!INT.test(value) || value === '-0' || value.length > 20)) {
    return invalidResult('must be an integer of at most 64 bits')
  }
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    return invalidResult(Number.isInteger(value) ? 'must be a string if it is beyond 2^53' : 'must be an integer')
  }
  const big = BigInt(value)
  return big >= -INT64 && big < INT64 ? validResult(big) : invalidResult('must be an integer of at most 64 bits')
}

/** Parses a `Decimal` and keeps it as text, which Prisma accepts, so that no digit is lost. */
export function parseDecimal(value: number | string): ParsedScalar {
  const text = String(value)
  if (!DECIMAL.test(text) || text.length > MAX_DECIMAL_LENGTH) return invalidResult('must be a decimal number')
  // SQLite's clients pass it to the database as a number.
  if (!Number.isFinite(Number(text))) return invalidResult('must be in the range of 64-bit numbers')
  return validResult(text)
}

/** Normalizes a decimal number: no exponent, no redundant zeros. `1.5` for `01.50` and `15e-1`. */
export function normalizeDecimal(text: string): string {
  const [, sign = '', integerDigits = '', part = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = integerDigits + part
  const point = integerDigits.length + Number(exponent)
  const integer = digits.slice(0, Math.max(0, point)).padEnd(point, '0').replace(/^0+/, '') || '0'
  const fraction = `${'0'.repeat(Math.max(0, -point))}${digits.slice(Math.max(0, point))}`.replace(/0+$/, '')
  const plain = fraction ? `${integer}.${fraction}` : integer
  return plain === '0' ? plain : sign + plain
}

/** Parses a finite number. */
export function parseFloat64(value: number): ParsedScalar {
  return Number.isFinite(value) ? validResult(value) : invalidResult('must be a finite number')
}

/** Parses a finite number for a Float field. Prisma rounds to 16 digits, which makes the very largest numbers overflow. */
export function parseFloat(value: number): ParsedScalar {
  if (!Number.isFinite(value) || Number.isFinite(Number(value.toPrecision(16)))) return parseFloat64(value)
  return invalidResult('must be between -1.797693134862315e308 and 1.797693134862315e308')
}

/**
 * Parses a date in ISO 8601 (midnight UTC), or a date and time with `Z` or an offset. Dates that do not exist are rejected: 30 February is
 * an error and not 1 March. A time without an offset is rejected, because its meaning would depend on the server's time zone.
 */
export function parseDateTime(text: string): ParsedScalar {
  const wrong = 'must be a date such as 2024-05-31, or a date and time with an offset, such as 2024-05-31T12:00:00Z'
  const match = DATE.exec(text)
  if (!match) return invalidResult(wrong)
  const [year, month, day, hour, minute, second, offsetHour, offsetMinute] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const monthDays = new Date(Date.UTC(2000, month ?? 0, 0))
  const leap = month === 2 && !isLeap(year ?? 0)
  const exists =
    (year ?? 0) >= 1 &&
    isBetween(month, 1, 12) &&
    isBetween(day, 1, monthDays.getUTCDate() - (leap ? 1 : 0)) &&
    isBetween(hour, 0, 23) &&
    isBetween(minute, 0, 59) &&
    isBetween(second, 0, 59) &&
    isBetween(offsetHour, 0, 23) &&
    isBetween(offsetMinute, 0, 59)
  if (!exists) return invalidResult('must be an existing date and time')
  // ECMAScript only parses offsets with a colon.
  const date = new Date(text.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, text.includes(':') ? '$1:$2' : '$1$2'))
  if (Number.isNaN(date.getTime())) return invalidResult(wrong)
  // The offset may shift the date outside the years that databases and ISO 8601 support.
  const utcYear = date.getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? validResult(date) : invalidResult('must be an existing date and time')
}

/** Parses Base64 with padding. */
export function parseBytes(text: string): ParsedScalar {
  if (!BASE64.test(text)) return invalidResult('must be Base64')
  return validResult(fromBase64(text))
}

/** Decodes Base64. */
export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

/** Parses a value of an enum. */
export function parseEnum(field: Field, value: unknown): ParsedScalar {
  const values = field.values ?? []
  return values.includes(String(value)) && typeof value === 'string'
    ? validResult(value)
    : invalidResult(`must be one of ${values.join(', ')}`)
}

export function validResult(value: unknown): ParsedScalar & { readonly ok: true } {
  return { ok: true, value }
}

export function invalidResult(message: string): ParsedScalar {
  return { ok: false, message }
}

function isBetween(value: number | undefined, min: number, max: number): boolean {
  return value !== undefined && value >= min && value <= max
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/

/** Parses a UUID and converts it to lower case, as databases return it. */
export function parseUuid(value: string): ParsedScalar {
  const canonical = value.toLowerCase()
  return UUID.test(canonical) ? validResult(canonical) : invalidResult('must be a UUID')
}
