import { supportsFullText } from '../../prisma/dialect.js'
import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/model.js'
import type { JsonSchema, Reference } from '../document-types.js'
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

/** A field for which a document describes filters. */
export interface FilteredField {
  readonly doc: RpcDocumentContext
  readonly model: Model
  readonly name: string
  readonly field: Field
}

/** Returns the schema of a filter on a field. Fields of the same type share it. */
export function scalarFilterSchema(filtered: FilteredField): JsonSchema {
  const { doc, field } = filtered
  if (field.type === 'Json' && !field.list) return sharedSchema(doc, 'JsonFilter', () => jsonFilter(doc))
  const kind = field.list ? 'List' : field.type === 'Enum' ? '' : nullability(field)
  return typeSchema(filtered, `${kind}Filter`, () => createFilter(filtered))
}

/** Returns the schema of a filter on a field in `having`, including its aggregates. The filter must not be empty. */
export function groupFilterSchema(filtered: FilteredField): JsonSchema {
  const { field } = filtered
  const kind = field.type === 'Json' ? '' : nullability(field)
  return typeSchema(filtered, `${kind}Having`, () => groupFilter(filtered))
}

/** Returns a reference to a schema that fields of the same type share, for example `IntFilter`. Each enum field has its own schema. */
function typeSchema({ doc, model, name, field }: FilteredField, suffix: string, create: () => JsonSchema): Reference {
  if (field.type === 'Enum') return memberSchema(doc, model, name, suffix, create)
  return sharedSchema(doc, typeOf(field) + suffix, create)
}

function typeOf({ type, uuid }: Field): string {
  return uuid ? 'Uuid' : type
}

function nullability({ optional }: Field): 'Nullable' | '' {
  return optional ? 'Nullable' : ''
}

/** Returns the schema of a value. For a list, the schema of one element. */
function elementOf({ doc, model, name, field }: FilteredField): JsonSchema {
  return sharedElementSchema(doc, model, name, field)
}

function createFilter(filtered: FilteredField): JsonSchema {
  const { doc, field } = filtered
  if (field.list) return listFilter(doc, field, elementOf(filtered))
  if (!hasMode(doc, field)) return plainFilter(filtered, scalarFilterSchema(filtered))
  const { anyOf: alternatives = [] } = plainFilter(filtered, nestedFilter(filtered))
  return {
    anyOf: alternatives.map((alternative) =>
      alternative.properties ? { ...alternative, properties: { ...alternative.properties, mode: MODE } } : alternative,
    ),
  }
}

/** Returns the schema of the filter in `not`, which cannot have a `mode`. */
function nestedFilter(filtered: FilteredField): JsonSchema {
  const { doc, field } = filtered
  const part = `Nested${typeOf(field)}${nullability(field)}Filter`
  return sharedSchema(doc, part, () => plainFilter(filtered, nestedFilter(filtered)))
}

function plainFilter(filtered: FilteredField, not: JsonSchema): JsonSchema {
  return valueOr(filtered, operators(filtered, { not }))
}

/** Returns the schema of a value, of null if the field is optional, or of a filter. */
function valueOr(filtered: FilteredField, filter: JsonSchema): JsonSchema {
  return anyOf(valueSchema(filtered), filter)
}

function valueSchema(filtered: FilteredField): JsonSchema {
  return fieldValueSchema(createSharedSchemas(filtered.doc), filtered.field, elementOf(filtered))
}

/** Returns the schema of an object with the operators of a field and other properties. */
function operators(filtered: FilteredField, others: Members): JsonSchema {
  const { doc, field } = filtered
  const members = { equals: valueSchema(filtered), ...others }
  if (field.type === 'Boolean') return closedObject(members)
  const shared = typeSchema(filtered, 'Operators', () => comparisons(doc, field, elementOf(filtered)))
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
function groupFilter(filtered: FilteredField): JsonSchema {
  const { doc, field } = filtered
  if (field.type === 'Json') return filled(jsonFilter(doc))
  if (!hasMode(doc, field)) return filledFilter(filtered, { not: groupFilterSchema(filtered) })
  return filledFilter(filtered, { not: nestedGroupFilter(filtered), mode: MODE })
}

/** Returns the schema of the filter in `not` in `having`, which cannot have a `mode`. */
function nestedGroupFilter(filtered: FilteredField): JsonSchema {
  const { doc, field } = filtered
  const part = `Nested${typeOf(field)}${nullability(field)}Having`
  return sharedSchema(doc, part, () => filledFilter(filtered, { not: nestedGroupFilter(filtered) }))
}

function filledFilter(filtered: FilteredField, others: Members): JsonSchema {
  return valueOr(filtered, filled(operators(filtered, { ...others, ...groupAggregates(filtered) })))
}

function groupAggregates(filtered: FilteredField): Members {
  const { doc, field } = filtered
  const { type, optional } = field
  const aggregate = (operand: Field) => groupAggregateFilter({ ...filtered, field: operand })
  // Prisma accepts null for an aggregate if it accepts null for the field.
  const nullable = optional ? { optional } : {}
  return {
    _count: aggregate({ ...nullable, type: 'Int' }),
    ...(['Int', 'BigInt', 'Float', 'Decimal'].includes(type) && {
      _avg: aggregate({ ...nullable, type: type === 'Decimal' ? 'Decimal' : 'Float' }),
      _sum: aggregate(field),
    }),
    ...(isOrderable(doc.dialect, field) && { _min: aggregate(field), _max: aggregate(field) }),
  }
}

/** Returns the schema of a filter on an aggregate. The filter consists of operators and must not be empty. */
function groupAggregateFilter(filtered: FilteredField): JsonSchema {
  return typeSchema(filtered, `${nullability(filtered.field)}AggregateFilter`, () => {
    const not = valueOr(filtered, groupAggregateFilter(filtered))
    return { ...operators(filtered, { not }), minProperties: 1 }
  })
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
