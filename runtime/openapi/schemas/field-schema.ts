import type { Field, ScalarType, Rule } from '../../schema/resource.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { nullable } from './schema-builders.js'

/**
 * Returns the JSON Schema of a field's values in responses (contract 2.5). No field is required in responses, because sparse fieldsets and
 * access policies may omit fields.
 */
export function readSchema(field: Field): JsonSchema {
  return whole(field, RESPONSE_SCHEMAS[field.type](field))
}

/**
 * Returns the JSON Schema of a field's values in requests, without the field's rule. Does not describe values that require
 * `meta.serialization`, because clients that send the described values do not need it.
 */
function writeSchema(field: Field): JsonSchema {
  return whole(field, elementSchema(field))
}

/** Adds the description of a model, field or relation in the Prisma schema, which replaces the description of the type. */
export function withDescription(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}

/** Adds the field's description to the schema of its values in responses. Server-set fields are `readOnly`. */
export function describeField(schema: JsonSchema, { serverSet }: Field, description: string | undefined): JsonSchema {
  if (!serverSet) return withDescription(schema, description)
  const text = description === undefined ? SERVER_SET : `${description} ${SERVER_SET}`
  return { ...schema, description: text, readOnly: true }
}

const SERVER_SET = 'Set by the server.'

/**
 * Returns the description of a value with its default, such as the one that a create stores for a field. Does not use the keyword `default`,
 * because in the types that some tools generate, a property with a default is required.
 */
export function withDefault(
  { default: byDefault }: { readonly default?: unknown },
  description: string | undefined,
): string | undefined {
  if (byDefault === undefined) return description
  const defaultText = `Default: ${JSON.stringify(byDefault)}.`
  return description === undefined ? defaultText : `${description.replace(/[^.!?:]$/, '$&.')} ${defaultText}`
}

/** Returns the JSON Schema of a value in requests. For a list, the schema of one element. */
export function elementSchema(field: Field): JsonSchema {
  return (REQUEST_SCHEMAS[field.type] ?? RESPONSE_SCHEMAS[field.type])(field)
}

function whole(field: Field, element: JsonSchema): JsonSchema {
  if (field.list) return { type: 'array', items: element }
  return field.optional ? nullable(element) : element
}

type CreateSchema = (field: Field) => JsonSchema

const INTEGER = '-?(0|[1-9]\\d*)'
const NUMBER = '-?\\d+(\\.\\d+)?'

/** The schemas of values in responses, by type. */
const RESPONSE_SCHEMAS: Readonly<Record<ScalarType, CreateSchema>> = {
  String: ({ uuid }) => (uuid ? { type: 'string', format: 'uuid' } : { type: 'string' }),
  Boolean: () => ({ type: 'boolean' }),
  Int: () => ({ type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }),
  BigInt: () => ({ type: 'string', format: 'int64', pattern: `^${INTEGER}$`, 'x-serialization': 'bigint' }),
  Float: () => ({ type: 'number', format: 'double' }),
  Decimal: () => ({ type: 'string', format: 'decimal', pattern: `^${NUMBER}$`, 'x-serialization': 'Decimal' }),
  DateTime: () => ({ type: 'string', format: 'date-time', 'x-serialization': 'Date' }),
  Json: () => ({ description: 'Any JSON value.' }),
  Bytes: () => ({ type: 'string', contentEncoding: 'base64', 'x-serialization': 'Bytes' }),
  Enum: ({ values = [] }) => ({ type: 'string', enum: [...values] }),
}

/** Whether a field's column holds dates without a time (`@db.Date`). Requests may send these values as dates. */
function isDateOnly({ type, db }: Field): boolean {
  return type === 'DateTime' && db === 'Date'
}

/** The schemas of values in requests, if they differ. Numbers that exceed the precision of JSON are also accepted as strings of digits. */
const REQUEST_SCHEMAS: Partial<Readonly<Record<ScalarType, CreateSchema>>> = {
  BigInt: (field) => ({ anyOf: [RESPONSE_SCHEMAS.BigInt(field), { type: 'integer' }] }),
  Decimal: (field) => ({ anyOf: [RESPONSE_SCHEMAS.Decimal(field), { type: 'number' }] }),
  DateTime: (field) =>
    isDateOnly(field)
      ? { anyOf: [{ type: 'string', format: 'date' }, RESPONSE_SCHEMAS.DateTime(field)] }
      : RESPONSE_SCHEMAS.DateTime(field),
}

/** Converts a rule to a JSON Schema, as zod's `toJSONSchema` does. Returns `{}` if JSON Schema cannot express the rule. */
export type RuleSchema = (rule: Rule) => JsonSchema

/**
 * Returns the JSON Schema of a field's values in requests, including the constraints of the field's rule (`@zod.…`).
 * @param ruleSchema undefined if zod is not installed
 */
export function ruledFieldSchema(field: Field, ruleSchema: RuleSchema | undefined): JsonSchema {
  const plain = writeSchema(field)
  if (!field.rule || !ruleSchema) return plain
  return restricted(field, plain, ruleSchema(field.rule))
}

function restricted(field: Field, plain: JsonSchema, rule: JsonSchema): JsonSchema {
  if (field.list)
    return rule.type === 'array' ? { ...rule, items: intersect(elementSchema(field), rule.items ?? {}) } : plain
  const element = intersect(elementSchema(field), rule)
  return field.optional ? nullable(element) : element
}

/** Returns the intersection of two schemas. If a schema has alternatives, the rule restricts those with the same type. */
function intersect(plain: JsonSchema, rule: JsonSchema): JsonSchema {
  if (plain.anyOf)
    return {
      ...plain,
      anyOf: plain.anyOf.map((alternative) =>
        appliesTo(rule, alternative) ? intersect(alternative, rule) : alternative,
      ),
    }
  if (!appliesTo(rule, plain)) return plain
  const { type: _, minimum, maximum, ...others } = rule
  const min = optionalMax(plain.minimum, minimum)
  const negatedMax = optionalMax(negate(plain.maximum), negate(maximum))
  return {
    ...plain,
    ...others,
    ...(min !== undefined && { minimum: min }),
    ...(negatedMax !== undefined && { maximum: -negatedMax }),
  }
}

function appliesTo({ type }: JsonSchema, { type: plain }: JsonSchema): boolean {
  return type !== undefined && (type === plain || (type === 'number' && plain === 'integer'))
}

function optionalMax(left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return Math.max(left, right)
}

function negate(number: number | undefined): number | undefined {
  return number === undefined ? undefined : -number
}

/** Returns a reference to a schema that does not belong to a model, and creates the schema if it does not exist. */
export type Share = (name: string, create: () => JsonSchema) => Reference

/** Types with a long schema, which is shared. */
const LONG: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Decimal', 'DateTime', 'Bytes'])

/** Types for which requests accept more formats than responses contain. */
const WIDER: ReadonlySet<string> = new Set(['BigInt', 'Decimal'])

/** Returns the schema of a field's value in requests, without its rule. For a list, the schema of one element. */
export function requestElementSchema(share: Share, field: Field): JsonSchema {
  const { type } = field
  if (!LONG.has(type)) return elementSchema(field)
  if (isDateOnly(field)) return share('DateInput', () => elementSchema(field))
  return share(WIDER.has(type) ? `${type}Input` : type, () => elementSchema({ type }))
}

/** Returns the schema of a field's values in requests. */
export function requestValueSchema(share: Share, field: Field, ruleSchema: RuleSchema | undefined): JsonSchema {
  return field.rule
    ? ruledFieldSchema(field, ruleSchema)
    : fieldValueSchema(share, field, requestElementSchema(share, field))
}

/** Returns the schema of a field's values in responses. */
export function responseValueSchema(share: Share, field: Field): JsonSchema {
  const { type } = field
  if (!LONG.has(type)) return readSchema(field)
  return fieldValueSchema(
    share,
    field,
    share(type, () => readSchema({ type })),
  )
}

/** Returns the schema of a field's values, given the schema of a single value. The nullable variant of a shared schema is shared too. */
export function fieldValueSchema(share: Share, { list, optional, type }: Field, element: JsonSchema): JsonSchema {
  if (list) return { type: 'array', items: element }
  if (!optional) return element
  if (element.$ref === undefined || !LONG.has(type)) return nullable(element)
  const name = element.$ref.slice(element.$ref.lastIndexOf('/') + 1)
  return share(`Nullable${name}`, () => nullable(element))
}

/**
 * Returns zod's conversion of rules to JSON Schema. zod is installed if the schema has rules, because the emitted code imports it.
 * @returns undefined if zod is not installed
 */
export async function zodRuleSchema(): Promise<RuleSchema | undefined> {
  const zod = await import('./to-json-schema.js').catch(() => undefined)
  if (!zod) return undefined
  return (rule) => {
    if (!isZod(rule)) return {}
    // Rules that JSON Schema cannot express (dates, bigints, custom code) are omitted. The response to an invalid value explains
    // them.
    const { $schema: _, ...jsonSchema } = zod.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' })
    const schema: JsonSchema = JSON.parse(JSON.stringify(jsonSchema))
    return withStandardFormat(schema)
  }

  function isZod(rule: Rule): rule is Rule & import('zod/v4/core').$ZodType {
    return '_zod' in rule
  }
}

/** The formats of JSON Schema. zod has additional formats, each with an equivalent pattern. */
export const FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uuid',
])

function withStandardFormat({ format, ...schema }: JsonSchema): JsonSchema {
  return format !== undefined && FORMATS.has(format) ? { ...schema, format } : schema
}
