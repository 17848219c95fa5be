import type { BrokenRule, Field } from '../schema/resource.js'
import { isObject } from './is-object.js'
import {
  invalidResult,
  validResult,
  parseBytes,
  parseDateTime,
  parseDecimal,
  parseEnum,
  parseFloat,
  parseFloat64,
  parseInt32,
  parseInt64,
  parseString,
  parseUuid,
  type ParsedScalar,
  DECIMAL,
  parseInt32Text,
} from './parse-scalars.js'
import { DB_NULL, JSON_NULL } from './prisma-values.js'
import { dateToJson } from './to-json.js'
import { REQUIRED, toValueErrors, type ValueError } from './value-error.js'

/** A value in the form that Prisma accepts, or its errors. */
export type FromJson =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly errors: readonly ValueError[] }

/**
 * Validates a JSON value for a field and converts it to the form that Prisma accepts: a Date from an ISO string, a bigint, a Uint8Array
 * from Base64, a Decimal as text (contract 2.5). Values that a decoder has already converted (Date, bigint, Uint8Array) are accepted
 * unchanged. Also applies the field's rule (`@zod.…`), whose result is stored.
 * @param value may be null, but not undefined
 */
export function fromJson(field: Field, value: unknown): FromJson {
  if (value === null) return nullFromJson(field)
  if (field.list) return listFromJson(field, value)
  const parsed = scalarFromJson(field, value)
  if (!parsed.ok) return singleError(parsed.message)
  return field.rule ? applyRule(field, parsed.value) : parsed
}

/**
 * Validates a single value that is not null, like {@link fromJson}, but without the field's rule. For a list field, this is one element.
 * Filters use it, because a search value does not have to be a valid stored value.
 */
export function scalarFromJson(field: Field, value: unknown): ParsedScalar {
  switch (field.type) {
    case 'String':
      if (typeof value !== 'string') return invalidResult('must be a string')
      return field.uuid ? parseUuid(value) : parseString(value)
    case 'Boolean':
      return typeof value === 'boolean' ? validResult(value) : invalidResult('must be true or false')
    case 'Int':
      return typeof value === 'number' ? parseInt32(value) : invalidResult('must be an integer')
    case 'BigInt':
      return typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint'
        ? parseInt64(value)
        : invalidResult('must be an integer, as a string or a number')
    case 'Float':
      return typeof value === 'number' ? parseFloat(value) : invalidResult('must be a number')
    case 'Decimal':
      return typeof value === 'number' || typeof value === 'string'
        ? parseDecimal(value)
        : invalidResult('must be a decimal number, as a string or a number')
    case 'DateTime':
      if (value instanceof Date)
        return Number.isNaN(value.getTime()) ? invalidResult('must be a valid date') : validResult(value)
      return typeof value === 'string' ? parseDateTime(value) : invalidResult('must be an ISO 8601 string')
    case 'Json':
      return jsonFromJson(value)
    case 'Bytes':
      if (value instanceof Uint8Array) return validResult(value)
      return typeof value === 'string' ? parseBytes(value) : invalidResult('must be a Base64 string')
    case 'Enum':
      return parseEnum(field, value)
  }
}

function nullFromJson(field: Field): FromJson {
  if (field.list) return singleError('must be a list', REQUIRED)
  if (field.type === 'Json') return validResult(field.optional ? DB_NULL : JSON_NULL)
  return field.optional ? validResult(null) : singleError('must not be null', REQUIRED)
}

function listFromJson(field: Field, value: unknown): FromJson {
  if (!Array.isArray(value)) return singleError('must be a list')
  const values: unknown[] = []
  const errors: ValueError[] = []
  for (const [index, element] of value.entries()) {
    const parsed =
      element === null && field.type !== 'Json' ? invalidResult('must not be null') : scalarFromJson(field, element)
    if (parsed.ok) values.push(parsed.value)
    else errors.push({ message: parsed.message, path: [index] })
  }
  return errors.length > 0 ? { ok: false, errors } : applyRule(field, values)
}

/** Rules receive a Decimal as a number, because zod has no decimals. The original digits are stored. */
function applyRule(field: Field, value: unknown): FromJson {
  if (!field.rule) return validResult(value)
  const decimal = field.type === 'Decimal'
  const input = decimal ? (Array.isArray(value) ? value.map(Number) : Number(value)) : value
  const result = field.rule.safeParse(input)
  if (result.success) return validResult(decimal ? value : result.data)
  const errors = toValueErrors(field.rule, input, result.error.issues)
  return errors.length > 0 ? { ok: false, errors } : singleError('is invalid')
}

/**
 * Validates a Json value. Only values that the client would change are rejected. A date is stored in its JSON form, as the client would
 * store it.
 */
function jsonFromJson(value: unknown): ParsedScalar {
  if (typeof value === 'string') return parseString(value)
  if (typeof value === 'number') return parseFloat64(value)
  if (typeof value === 'boolean' || value === null) return validResult(value)
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? invalidResult('must be a valid date') : validResult(dateToJson(value))
  const isList = Array.isArray(value)
  if (!isList && !isObject(value)) return invalidResult('must be a JSON value')
  const stored: [string, unknown][] = []
  for (const [key, part] of Object.entries(value)) {
    // The client loses an own property `__proto__`.
    if (key === '__proto__') return invalidResult('must not have a member "__proto__"')
    const parsed = parseString(key)
    if (!parsed.ok) return parsed
    const inner = jsonFromJson(part)
    if (!inner.ok) return inner
    if (inner.value !== part) stored.push([key, inner.value])
  }
  if (stored.length === 0) return validResult(value)
  return validResult(Object.assign(isList ? [...value] : { ...value }, Object.fromEntries(stored)))
}

function singleError(message: string, rule?: BrokenRule): FromJson {
  return { ok: false, errors: [{ message, path: [], rule }] }
}

/**
 * Validates a value from a URL: a filter value, or a part of an id. Strict, so that `1abc`, ` 1` and `0x10` are rejected instead of being
 * parsed as numbers.
 * @param field the field that the value is compared with; for a list field, with one of its elements
 */
export function fromText(field: Field, text: string): ParsedScalar {
  switch (field.type) {
    case 'Boolean':
      return text === 'true' || text === 'false' ? validResult(text === 'true') : invalidResult('must be true or false')
    case 'Int':
      return parseInt32Text(text)
    case 'Float':
      return DECIMAL.test(text) ? parseFloat(Number(text)) : invalidResult('must be a number')
    case 'Json':
      return jsonFromText(text)
    default:
      // The other types are also strings in JSON.
      return scalarFromJson(field, text)
  }
}

function jsonFromText(text: string): ParsedScalar {
  try {
    return scalarFromJson({ type: 'Json' }, JSON.parse(text))
  } catch {
    return invalidResult('must be JSON')
  }
}
