import type { BrokenRule, Field } from '../schema/resource.js'
import { validateRule } from './rule.js'
import { isObject } from './is-object.js'
import { DB_NULL, JSON_NULL } from './null.js'
import { dateToJson } from './to-json.js'
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
} from './parse.js'

/** What is wrong with a value. */
export interface ValueError {
  /** A phrase that goes on from the name of the value: `must be an integer`. */
  readonly message: string
  /** Where in the value: list indices and object keys, outermost first. */
  readonly path: readonly (string | number)[]
  /** Whether the message is a sentence of the schema's author, which stands alone. */
  readonly own?: true
  /** The message of the broken rule, if the error is one. */
  readonly text?: string
  /** The rule that was not fulfilled. */
  readonly rule?: BrokenRule
}

/** What is wrong with a value, as a sentence. */
export function valueErrorMessage(name: string, { message, own }: ValueError): string {
  return own ? message : `${name} ${message}.`
}

/** A message for the person who entered the value. It does not name the field: a form shows it next to the field. */
export function formMessage({ message, text }: Pick<ValueError, 'message' | 'text'>): string {
  return text ?? `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}

/** The message for a field that has no value and must have one. */
export const MISSING_MESSAGE = 'Must have a value.'

/** A value as Prisma takes it, or what is wrong with it. */
export type FromJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly faults: readonly [ValueError, ...ValueError[]] }

/**
 * Checks a JSON value that is to be written to a field, and gives what Prisma takes for it: a Date for an ISO string, a
 * bigint, a Uint8Array for Base64, a Decimal as text (contract 2.5). Values that a decoder has made of them already (Date,
 * bigint, Uint8Array) are taken as they are. The field's own rule (`@zod.…`) is applied too; what it gives is what is stored.
 * @param field the field of the resource
 * @param value null included; never undefined
 */
export function fromJson(field: Field, value: unknown): FromJson {
  if (value === null) return nullFromJson(field)
  if (field.list) return listFromJson(field, value)
  const parsed = scalarFromJson(field, value)
  if (!parsed.ok) return fault(parsed.message)
  return field.rule ? fulfil(field, parsed.value) : parsed
}

/**
 * Checks one value that is not null, as {@link fromJson} does, without the field's rule; of a list, one element.
 * Filters use it: what is sought need not be what may be stored.
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
  if (field.list) return fault('must be a list')
  if (field.type === 'Json') return { ok: true, value: field.optional ? DB_NULL : JSON_NULL }
  return field.optional ? { ok: true, value: null } : fault('must not be null')
}

function listFromJson(field: Field, value: unknown): FromJson {
  if (!Array.isArray(value)) return fault('must be a list')
  const values: unknown[] = []
  const faults: ValueError[] = []
  for (const [index, element] of value.entries()) {
    const parsed =
      element === null && field.type !== 'Json' ? invalidResult('must not be null') : scalarFromJson(field, element)
    if (parsed.ok) values.push(parsed.value)
    else faults.push({ message: parsed.message, path: [index] })
  }
  return isFilled(faults) ? { ok: false, faults } : fulfil(field, values)
}

/** A field's rule sees a Decimal as a number, because zod has no decimals; the digits that were sent are stored. */
function fulfil(field: Field, value: unknown): FromJson {
  if (!field.rule) return { ok: true, value }
  const decimal = field.type === 'Decimal'
  const given = decimal ? (Array.isArray(value) ? value.map(Number) : Number(value)) : value
  const result = field.rule.safeParse(given)
  if (result.success) return { ok: true, value: decimal ? value : result.data }
  const faults = validateRule(field.rule, given, result.error.issues)
  return isFilled(faults) ? { ok: false, faults } : fault('is not acceptable')
}

/**
 * Json is stored as it is; only what would not come back the same is refused. A date in it is stored as its JSON, as by the client.
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
    // An own `__proto__` is lost on its way into the client.
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

function fault(message: string): FromJson {
  return { ok: false, faults: [{ message, path: [] }] }
}

function isFilled<T>(list: readonly T[]): list is readonly [T, ...T[]] {
  return list.length > 0
}
