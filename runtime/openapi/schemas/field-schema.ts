import type { Field, ScalarType } from '../../schema/resource.js'
import type { JsonSchema } from '../document.js'

/**
 * The JSON Schema of a field's values in answers (contract 2.5). A field that is left out, by a sparse fieldset or by an access policy,
 * is not there at all; so no answer requires one.
 */
export function readSchema(field: Field): JsonSchema {
  return whole(field, SHOWN[field.type](field))
}

/**
 * The JSON Schema of a field's values in requests, without the field's own rule. What a decoder makes of `meta.serialization` is not
 * told: a client that sends values as they are here needs none.
 */
export function writeSchema(field: Field): JsonSchema {
  return whole(field, elementSchema(field))
}

/** A schema with the words that the Prisma schema has on a model, a field or a relation, which go before what its type says of itself. */
export function withDescription(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}

/** The schema of a field's values in responses, with its description. Server-set fields are `readOnly`. */
export function describeField(schema: JsonSchema, { serverSet }: Field, description: string | undefined): JsonSchema {
  if (!serverSet) return withDescription(schema, description)
  const text = description === undefined ? SERVER_SET : `${description} ${SERVER_SET}`
  return { ...schema, description: text, readOnly: true }
}

const SERVER_SET = 'Set by the server.'

/**
 * A field's description with what a create stores where it is left out. In words: the keyword `default` makes a member required in the types
 * that some tools write of a schema.
 */
export function withDefault({ default: byDefault }: Field, description: string | undefined): string | undefined {
  if (byDefault === undefined) return description
  const said = `Default: ${JSON.stringify(byDefault)}.`
  return description === undefined ? said : `${description} ${said}`
}

/** The JSON Schema of one value in requests: of a list, one element. */
export function elementSchema(field: Field): JsonSchema {
  return (TAKEN[field.type] ?? SHOWN[field.type])(field)
}

/** A schema that lets null through too. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema
  // Without a type, as Json, null is let through already.
  if (type === undefined)
    return schema.$ref || schema.anyOf || schema.oneOf ? { anyOf: [...alternatives(schema), { type: 'null' }] } : schema
  const types = typeof type === 'string' ? [type] : type
  return { ...schema, type: [...types, 'null'], ...(values && { enum: [...values, null] }) }
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf && Object.keys(schema).length === 1 ? schema.anyOf : [schema]
}

function whole(field: Field, element: JsonSchema): JsonSchema {
  if (field.list) return { type: 'array', items: element }
  return field.optional ? nullable(element) : element
}

type Make = (field: Field) => JsonSchema

const INTEGER = '-?(0|[1-9]\\d*)'
const NUMBER = '-?\\d+(\\.\\d+)?'

/** In answers. */
const SHOWN: Readonly<Record<ScalarType, Make>> = {
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

/** Whether a field's column holds dates without a time (`@db.Date`). Requests may send such a value as a date. */
export function isDateOnly({ type, db }: Field): boolean {
  return type === 'DateTime' && db === 'Date'
}

/** In requests, where that is not the same. Numbers are taken as digits too where JSON could not hold all of them. */
const TAKEN: Partial<Readonly<Record<ScalarType, Make>>> = {
  BigInt: (field) => ({ anyOf: [SHOWN.BigInt(field), { type: 'integer' }] }),
  Decimal: (field) => ({ anyOf: [SHOWN.Decimal(field), { type: 'number' }] }),
  DateTime: (field) =>
    isDateOnly(field) ? { anyOf: [{ type: 'string', format: 'date' }, SHOWN.DateTime(field)] } : SHOWN.DateTime(field),
}
