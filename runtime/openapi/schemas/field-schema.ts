import type { Field, ScalarType } from '../../schema/resource.js'
import type { JsonSchema } from '../document-types.js'
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
export function writeSchema(field: Field): JsonSchema {
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
 * Returns the description of a field with the default that a create stores. Does not use the keyword `default`, because in the types that
 * some tools generate, a property with a default is required.
 */
export function withDefault({ default: byDefault }: Field, description: string | undefined): string | undefined {
  if (byDefault === undefined) return description
  const defaultText = `Default: ${JSON.stringify(byDefault)}.`
  return description === undefined ? defaultText : `${description} ${defaultText}`
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
export function isDateOnly({ type, db }: Field): boolean {
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
