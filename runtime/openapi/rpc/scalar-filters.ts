import { supportsFullText } from '../../orm/dialect.js'
import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/schema.js'
import type { JsonSchema } from '../document.js'
import { capitalize } from '../names.js'
import { isOrderable } from './aggregatable-fields.js'
import { anyOf, closedObject, listOf } from '../schemas/shapes.js'
import { sameForAll, sharedElementSchema, modelSchema, type RpcDocumentContext, sharedSchema } from './context.js'

type Members = Readonly<Record<string, JsonSchema>>

const ORDER = ['lt', 'lte', 'gt', 'gte']
const TEXT = ['contains', 'startsWith', 'endsWith']
const LISTS = ['array_contains', 'array_starts_with', 'array_ends_with']
const NULL: JsonSchema = { type: 'null' }

/** Databases whose client supports case-insensitive filters. */
const WITH_MODE: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'cockroachdb', 'mongodb'])

/** Returns the schema of a field's filter. Fields of the same type share it. */
export function scalarFilterSchema(
  described: RpcDocumentContext,
  model: Model,
  name: string,
  field: Field,
): JsonSchema {
  const optional = field.optional ? 'Nullable' : ''
  const make = () => filterOf(described, model, name, field)
  if (field.type === 'Json' && !field.list) return sharedSchema(described, 'JsonFilter', () => jsonFilter(described))
  if (field.type === 'Enum' && !field.list) {
    return modelSchema(described, model, `${capitalize(name)}Filter`, make)
  }
  if (field.type === 'Enum') return modelSchema(described, model, `${capitalize(name)}ListFilter`, make)
  return sharedSchema(described, `${typeOf(field)}${field.list ? 'List' : optional}Filter`, make)
}

/** Returns the schema of a field's filter in `having`, including its aggregates. It must not be empty. */
export function groupFilterSchema(described: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const optional = field.optional ? 'Nullable' : ''
  const part = `${optional}GroupFilter`
  const make = () => groupFilter(described, model, name, field)
  if (field.type === 'Enum') return modelSchema(described, model, `${capitalize(name)}${part}`, make)
  return sharedSchema(described, `${typeOf(field)}${field.type === 'Json' ? 'GroupFilter' : part}`, make)
}

function typeOf({ type, uuid }: Field): string {
  return uuid ? 'Uuid' : type
}

function filterOf(described: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const value = sharedElementSchema(described, model, name, field)
  if (field.list) return listFilter(described, field, value)
  if (!hasMode(described, field)) {
    return plainFilter(described, field, value, scalarFilterSchema(described, model, name, field))
  }
  const { anyOf: alternatives = [] } = plainFilter(described, field, value, nestedFilter(described, field, value))
  return {
    anyOf: alternatives.map((one) =>
      one.properties ? { ...one, properties: { ...one.properties, mode: MODE } } : one,
    ),
  }
}

/** Returns the filter in `not`, which cannot have a `mode`. */
function nestedFilter(described: RpcDocumentContext, field: Field, value: JsonSchema): JsonSchema {
  const name = `Nested${typeOf(field)}${field.optional ? 'Nullable' : ''}Filter`
  return sharedSchema(described, name, () =>
    plainFilter(described, field, value, nestedFilter(described, field, value)),
  )
}

function plainFilter(described: RpcDocumentContext, field: Field, value: JsonSchema, not: JsonSchema): JsonSchema {
  return anyOf(value, ...(field.optional ? [NULL] : []), closedObject(operators(described, field, value, not)))
}

function operators({ limits, dialect }: RpcDocumentContext, field: Field, value: JsonSchema, not: JsonSchema): Members {
  const values = listOf(value, limits.listLength)
  const { type, uuid, optional } = field
  return {
    equals: optional ? anyOf(value, NULL) : value,
    ...(type !== 'Boolean' && { in: values, notIn: values }),
    ...(!['Boolean', 'Bytes', 'Enum'].includes(type) && sameForAll(ORDER, value)),
    ...(type === 'String' && !uuid && sameForAll(supportsFullText(dialect) ? [...TEXT, 'search'] : TEXT, value)),
    not,
  }
}

/** The database does not treat UUIDs as texts, so it cannot ignore their case. */
function hasMode({ dialect }: RpcDocumentContext, { type, uuid }: Field): boolean {
  return type === 'String' && !uuid && WITH_MODE.has(dialect.provider)
}

const MODE: JsonSchema = { type: 'string', enum: ['default', 'insensitive'] }

function listFilter({ limits }: RpcDocumentContext, { type }: Field, value: JsonSchema): JsonSchema {
  const element: JsonSchema = type === 'Json' ? { type: ['boolean', 'number', 'string', 'array', 'object'] } : value
  const values = listOf(element, limits.listLength)
  const operators = closedObject({
    equals: anyOf(values, NULL),
    has: anyOf(element, NULL),
    hasEvery: values,
    hasSome: values,
    isEmpty: { type: 'boolean' },
  })
  return { ...operators, minProperties: 1, maxProperties: 1 }
}

/** The representation of a JSON column's nulls in Prisma's JSON protocol. */
const NULLS =
  'null means both nulls of a JSON column; `{ "$type": "Enum", "value": "DbNull" }` or `"JsonNull"` one of them.'

function jsonFilter({ dialect: { provider } }: RpcDocumentContext): JsonSchema {
  const json: JsonSchema = { description: 'Any JSON value.' }
  const text: JsonSchema = { type: 'string' }
  const isSqlite = provider === 'sqlite'
  const isText = isSqlite || provider === 'mysql'
  const ordered: JsonSchema = { type: ['string', 'number'] }
  const path: JsonSchema = isText
    ? { type: 'string', pattern: '^\\$(\\.[A-Za-z_]\\w*|\\[\\d{1,9}\\])*$', description: 'As `$.a.b[0]`.' }
    : { type: 'array', items: text, description: 'As `["a", "b", "0"]`.' }
  return {
    description: `A filter of a JSON value, or of what stands at \`path\` in it. ${NULLS}`,
    anyOf: [
      NULL,
      {
        ...closedObject({
          equals: json,
          not: json,
          path,
          ...sameForAll(['string_contains', 'string_starts_with', 'string_ends_with'], text),
          ...(WITH_MODE.has(provider) && { mode: MODE }),
          ...sameForAll(isSqlite ? LISTS.slice(1) : LISTS, json),
          ...(!isSqlite && sameForAll(ORDER, ordered)),
        }),
        dependentSchemas: {
          path: { minProperties: 2 },
          // Prisma would apply `mode` to lists too, which no database supports.
          ...(WITH_MODE.has(provider) && { mode: { properties: sameForAll(LISTS, { not: {} }) } }),
        },
      },
    ],
  }
}

/** Returns the filter of a field in `having`: its own operators and those of its aggregates. */
function groupFilter(described: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type === 'Json') return filled(jsonFilter(described))
  const value = sharedElementSchema(described, model, name, field)
  const mode = hasMode(described, field)
  const not = mode ? nestedGroupFilter : groupFilterSchema
  const aggregates = groupAggregates(described, model, name, field)
  const members = { ...operators(described, field, value, not(described, model, name, field)), ...aggregates }
  return valueOrFilled(field, value, mode ? { ...members, mode: MODE } : members)
}

/** Returns the filter in `not` in `having`, which cannot have a `mode`. */
function nestedGroupFilter(described: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const part = `Nested${typeOf(field)}${field.optional ? 'Nullable' : ''}GroupFilter`
  return sharedSchema(described, part, () => {
    const value = sharedElementSchema(described, model, name, field)
    const self = nestedGroupFilter(described, model, name, field)
    const aggregates = groupAggregates(described, model, name, field)
    return valueOrFilled(field, value, { ...operators(described, field, value, self), ...aggregates })
  })
}

function valueOrFilled({ optional }: Field, value: JsonSchema, members: Members): JsonSchema {
  return anyOf(value, ...(optional ? [NULL] : []), { ...closedObject(members), minProperties: 1 })
}

function groupAggregates(described: RpcDocumentContext, model: Model, name: string, field: Field): Members {
  const { type, optional } = field
  const aggregate = (of: Field) => groupAggregateFilter(described, model, name, of)
  // Prisma accepts null for an aggregate if it accepts null for the field.
  const nullability = optional ? { optional } : {}
  return {
    _count: aggregate({ ...nullability, type: 'Int' }),
    ...(['Int', 'BigInt', 'Float', 'Decimal'].includes(type) && {
      _avg: aggregate({ ...nullability, type: type === 'Decimal' ? 'Decimal' : 'Float' }),
      _sum: aggregate(field),
    }),
    ...(isOrderable(described.dialect, field) && { _min: aggregate(field), _max: aggregate(field) }),
  }
}

/** Returns the filter of an aggregate. It consists of operators and must not be empty. */
function groupAggregateFilter(described: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const make = (): JsonSchema => {
    const value = sharedElementSchema(described, model, name, field)
    const self = groupAggregateFilter(described, model, name, field)
    const not = anyOf(value, ...(field.optional ? [NULL] : []), self)
    return { ...closedObject(operators(described, field, value, not)), minProperties: 1 }
  }
  const part = `${field.optional ? 'Nullable' : ''}AggregateFilter`
  if (field.type === 'Enum') return modelSchema(described, model, `${capitalize(name)}${part}`, make)
  return sharedSchema(described, `${typeOf(field)}${part}`, make)
}

function filled(schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((one) => (one.properties ? filled(one) : one)) }
  return { ...schema, minProperties: 1 }
}
