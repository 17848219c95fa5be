import { supportsFullText } from '../../prisma/dialect.js'
import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/model.js'
import type { JsonSchema } from '../document-types.js'
import { isOrderable } from './readable-members.js'
import { anyOf, closedObject, composedObject, listOf, mapToSchema } from '../schemas/schema-builders.js'
import { fieldValueSchema } from '../schemas/field-schema.js'
import {
  createSharedSchemas,
  memberSchema,
  type RpcDocumentContext,
  sharedSchema,
  sharedElementSchema,
} from './rpc-document-context.js'

type Members = Readonly<Record<string, JsonSchema>>

const ORDER = ['lt', 'lte', 'gt', 'gte']
const TEXT = ['contains', 'startsWith', 'endsWith']
const LISTS = ['array_contains', 'array_starts_with', 'array_ends_with']
const NULL: JsonSchema = { type: 'null' }

/** The databases for which Prisma supports case-insensitive filters. */
const WITH_MODE: ReadonlySet<string> = new Set(['postgresql', 'postgres', 'cockroachdb', 'mongodb'])

/** Returns the schema of a filter on a field. Fields of the same type share it. */
export function scalarFilterSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const optional = field.optional ? 'Nullable' : ''
  const create = () => createFilter(doc, model, name, field)
  if (field.type === 'Json' && !field.list) return sharedSchema(doc, 'JsonFilter', () => jsonFilter(doc))
  if (field.type === 'Enum' && !field.list) {
    return memberSchema(doc, model, name, 'Filter', create)
  }
  if (field.type === 'Enum') return memberSchema(doc, model, name, 'ListFilter', create)
  return sharedSchema(doc, `${typeOf(field)}${field.list ? 'List' : optional}Filter`, create)
}

/** Returns the schema of a filter on a field in `having`, including its aggregates. The filter must not be empty. */
export function groupFilterSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const optional = field.optional ? 'Nullable' : ''
  const part = `${optional}Having`
  const create = () => groupFilter(doc, model, name, field)
  if (field.type === 'Enum') return memberSchema(doc, model, name, part, create)
  return sharedSchema(doc, `${typeOf(field)}${field.type === 'Json' ? 'Having' : part}`, create)
}

function typeOf({ type, uuid }: Field): string {
  return uuid ? 'Uuid' : type
}

function createFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const value = sharedElementSchema(doc, model, name, field)
  if (field.list) return listFilter(doc, field, value)
  if (!hasMode(doc, field)) {
    return plainFilter(doc, model, name, field, scalarFilterSchema(doc, model, name, field))
  }
  const { anyOf: alternatives = [] } = plainFilter(doc, model, name, field, nestedFilter(doc, model, name, field))
  return {
    anyOf: alternatives.map((alternative) =>
      alternative.properties ? { ...alternative, properties: { ...alternative.properties, mode: MODE } } : alternative,
    ),
  }
}

/** Returns the schema of the filter in `not`, which cannot have a `mode`. */
function nestedFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const part = `Nested${typeOf(field)}${field.optional ? 'Nullable' : ''}Filter`
  return sharedSchema(doc, part, () => plainFilter(doc, model, name, field, nestedFilter(doc, model, name, field)))
}

function plainFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field, not: JsonSchema): JsonSchema {
  return valueOr(doc, model, name, field, operators(doc, model, name, field, { not }))
}

/** Returns the schema of a value, of null if the field is optional, or of a filter. */
function valueOr(doc: RpcDocumentContext, model: Model, name: string, field: Field, filter: JsonSchema): JsonSchema {
  return anyOf(valueSchema(doc, model, name, field), filter)
}

function valueSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  return fieldValueSchema(createSharedSchemas(doc), field, sharedElementSchema(doc, model, name, field))
}

/** Returns the schema of an object with the operators of a field and other properties. */
function operators(doc: RpcDocumentContext, model: Model, name: string, field: Field, others: Members): JsonSchema {
  const members = { equals: valueSchema(doc, model, name, field), ...others }
  if (field.type === 'Boolean') return closedObject(members)
  const create = () => comparisons(doc, field, sharedElementSchema(doc, model, name, field))
  const shared =
    field.type === 'Enum'
      ? memberSchema(doc, model, name, 'Operators', create)
      : sharedSchema(doc, `${typeOf(field)}Operators`, create)
  return composedObject([shared], members)
}

/** Returns the schema of the operators that do not depend on whether the field is optional. */
function comparisons({ limits, dialect }: RpcDocumentContext, { type, uuid }: Field, value: JsonSchema): JsonSchema {
  const values = listOf(value, limits.listLength)
  return {
    type: 'object',
    properties: {
      in: values,
      notIn: values,
      ...(!['Bytes', 'Enum'].includes(type) && mapToSchema(ORDER, value)),
      ...(type === 'String' && !uuid && mapToSchema(supportsFullText(dialect) ? [...TEXT, 'search'] : TEXT, value)),
    },
  }
}

/** Whether a filter on the field supports `mode`. The database does not treat UUIDs as text, so it cannot ignore their case. */
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
  'null matches both nulls of a JSON column. `{ "$type": "Enum", "value": "DbNull" }` or `"JsonNull"` matches one of them.'

function jsonFilter({ dialect: { provider } }: RpcDocumentContext): JsonSchema {
  const json: JsonSchema = { description: 'Any JSON value.' }
  const text: JsonSchema = { type: 'string' }
  const isSqlite = provider === 'sqlite'
  const isText = isSqlite || provider === 'mysql'
  const ordered: JsonSchema = { type: ['string', 'number'] }
  const path: JsonSchema = isText
    ? { type: 'string', pattern: '^\\$(\\.[A-Za-z_]\\w*|\\[\\d{1,9}\\])*$', description: 'For example `$.a.b[0]`.' }
    : { type: 'array', items: text, description: 'For example `["a", "b", "0"]`.' }
  return {
    description: `A filter on a JSON value, or on the value at \`path\` in it. ${NULLS}`,
    anyOf: [
      NULL,
      {
        ...closedObject({
          equals: json,
          not: json,
          path,
          ...mapToSchema(['string_contains', 'string_starts_with', 'string_ends_with'], text),
          ...(WITH_MODE.has(provider) && { mode: MODE }),
          ...mapToSchema(isSqlite ? LISTS.slice(1) : LISTS, json),
          ...(!isSqlite && mapToSchema(ORDER, ordered)),
        }),
        dependentSchemas: {
          path: { minProperties: 2 },
          // Prisma would apply `mode` to lists too, which no database supports.
          ...(WITH_MODE.has(provider) && { mode: { properties: mapToSchema(LISTS, { not: {} }) } }),
        },
      },
    ],
  }
}

/** Returns the schema of a filter on a field in `having`: the field's own operators and those of its aggregates. */
function groupFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type === 'Json') return filled(jsonFilter(doc))
  const mode = hasMode(doc, field)
  const not = mode ? nestedGroupFilter : groupFilterSchema
  return filledFilter(doc, model, name, field, { not: not(doc, model, name, field), ...(mode && { mode: MODE }) })
}

/** Returns the schema of the filter in `not` in `having`, which cannot have a `mode`. */
function nestedGroupFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const part = `Nested${typeOf(field)}${field.optional ? 'Nullable' : ''}Having`
  return sharedSchema(doc, part, () =>
    filledFilter(doc, model, name, field, { not: nestedGroupFilter(doc, model, name, field) }),
  )
}

function filledFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field, others: Members): JsonSchema {
  const members = { ...others, ...groupAggregates(doc, model, name, field) }
  return valueOr(doc, model, name, field, filled(operators(doc, model, name, field, members)))
}

function groupAggregates(doc: RpcDocumentContext, model: Model, name: string, field: Field): Members {
  const { type, optional } = field
  const aggregate = (operand: Field) => groupAggregateFilter(doc, model, name, operand)
  // Prisma accepts null for an aggregate if it accepts null for the field.
  const nullability = optional ? { optional } : {}
  return {
    _count: aggregate({ ...nullability, type: 'Int' }),
    ...(['Int', 'BigInt', 'Float', 'Decimal'].includes(type) && {
      _avg: aggregate({ ...nullability, type: type === 'Decimal' ? 'Decimal' : 'Float' }),
      _sum: aggregate(field),
    }),
    ...(isOrderable(doc.dialect, field) && { _min: aggregate(field), _max: aggregate(field) }),
  }
}

/** Returns the schema of a filter on an aggregate. The filter consists of operators and must not be empty. */
function groupAggregateFilter(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  const create = (): JsonSchema => {
    const not = valueOr(doc, model, name, field, groupAggregateFilter(doc, model, name, field))
    return { ...operators(doc, model, name, field, { not }), minProperties: 1 }
  }
  const part = `${field.optional ? 'Nullable' : ''}AggregateFilter`
  if (field.type === 'Enum') return memberSchema(doc, model, name, part, create)
  return sharedSchema(doc, `${typeOf(field)}${part}`, create)
}

/** Returns the schema of a filter that must contain an operator other than `mode`. */
function filled(schema: JsonSchema): JsonSchema {
  if (schema.anyOf)
    return {
      ...schema,
      anyOf: schema.anyOf.map((alternative) => (alternative.properties ? filled(alternative) : alternative)),
    }
  const { mode, ...others } = schema.dependentSchemas ?? {}
  const needsOperator = { dependentSchemas: { ...others, mode: { ...mode, minProperties: 2 } } }
  return { ...schema, minProperties: 1, ...(schema.properties?.['mode'] && needsOperator) }
}
