import { supportsFullText } from '../../prisma/dialect.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import { type Operator, operatorsForField, operatorSpec } from '../../rest/request/filter/filter-operators.js'
import type { Attribute, RestModel } from '../../rest/rest-model.js'
import { isReservedFieldName } from '../../schema/keyword-named-fields.js'
import type { Field, ScalarType } from '../../schema/resource.js'
import type { JsonSchema, Parameter, Reference } from '../document-types.js'
import { memoize } from '../../values/memoize.js'
import { elementSchema } from '../schemas/field-schema.js'
import { anyOf } from '../schemas/schema-builders.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'

type Filters = Readonly<Record<string, JsonSchema>>

/**
 * Returns the parameter with the filters by fields and relationships. Its properties contain the common operators. With the feature
 * `expressions`, it also accepts a filter expression.
 */
export function filterParameters(model: RestModel, doc: RestDocumentContext): readonly Reference[] {
  const { expressions } = doc.context.settings.features
  const { resource } = modelSchemaNames(doc, model)
  const parameter = doc.components.parameter(`${resource}-filter`, () => ({
    name: 'filter',
    in: 'query',
    description: `All filters must match.${expressions ? ` Or a filter expression, for example \`${exampleExpression(model)}\`.` : ''}`,
    style: 'deepObject',
    explode: true,
    schema: anyOf(
      sharedSchema(doc, `${resource}Filter`, () => ({ type: 'object', properties: filterSchemas(model, doc) })),
      ...(expressions ? [sharedSchema(doc, 'FilterExpression', () => filterSyntax(expressions.functions))] : []),
    ),
  }))
  return [parameter]
}

function exampleExpression(model: RestModel): string {
  const text = filterableAttributes(model).find(({ field }) => operators(field).includes('contains'))
  return text ? `not(contains(${text.wire},'a'))` : "not(equals(id,'1'))"
}

/**
 * Returns the schema of filter expressions. Only its description explains the syntax, so that the explanation appears once in the document.
 */
function filterSyntax(functions: readonly string[]): JsonSchema {
  return { type: 'string', pattern: `^ *(${functions.join('|')}) *\\(`, description: SYNTAX }
}

const SYNTAX = `Functions, where \`title\` is a field and \`comments\` a relationship:

- \`and(…,…)\`, \`or(…,…)\` and \`not(…)\` combine and negate filters
- \`equals(title,'a')\`, \`any(title,'a','b')\` and \`equals(title,null)\`
- \`lessThan\`, \`lessOrEqual\`, \`greaterThan\` and \`greaterOrEqual\`. Their second argument can be another field
- \`between(title,'a','b')\` includes both ends
- \`contains\`, \`startsWith\` and \`endsWith\`. \`icontains\`, \`istartsWith\`, \`iendsWith\` and \`iequals\` ignore case
- \`has(comments)\`, \`has(comments,equals(body,'a'))\` and \`every(comments,equals(body,'a'))\` for related resources

All values are in single quotes. Double a quote inside a value. A path such as \`author.name\` traverses to-one relationships.

Filters by field, such as \`filter[title]=a\`, also accept operators that are not listed:

- \`filter[title$startsWith]=a\`, and likewise \`$endsWith\`, \`$istartsWith\`, \`$iendsWith\`, \`$iequals\`, \`$lt\`, \`$lte\`, \`$gt\` and \`$gte\`
- \`$ne\`, \`$in\` and \`$notIn\` with one or more values, \`$between\` with two, and \`$not\` before another operator
- \`filter[author][name]=a\` for a field of a related resource, and \`filter[settings.theme]=a\` for a value inside a Json field
- \`filter[comments$every][body]=a\`, \`$some\` and \`$none\` for to-many relationships. \`$count\` can be compared with 0

All filters of a request must match.`

/** Returns the filters by fields and relationships. Relationships are filtered by the ids of related resources. */
function filterSchemas(model: RestModel, doc: RestDocumentContext): Filters {
  const replaced = replacedForeignKeys(model)
  const filterable = filterableAttributes(model).filter(({ name }) => !replaced.has(name))
  const ids = model.id.compound ? [] : model.id.fields.map(({ field }) => ({ wire: 'id', field }))
  const fields = [...ids, ...filterable].flatMap(({ wire, field }) => [
    ...(field.list ? [] : [[wire, valuesSchema(field, doc)] as const]),
    ...operatorFilters(wire, field, model, doc),
  ])
  const relations = [...model.relationships.values()].flatMap((relationship) => {
    const { name, relation, linkage } = relationship
    if (!linkage && !mayRead(relationship)) return []
    const byId = [name, idsSchema(doc)] as const
    return relation.optional && !relation.many ? [byId, [`${name}$isNull`, BOOLEAN] as const] : [byId]
  })
  return Object.fromEntries([...(model.id.compound ? [['id', idsSchema(doc)] as const] : []), ...fields, ...relations])
}

function filterableAttributes(model: RestModel): readonly Attribute[] {
  return [...model.attributes.values()].filter(({ name }) => !isReservedFieldName(name))
}

/** Returns the foreign keys that are not listed as filters, because the filter of their relationship is equivalent. */
function replacedForeignKeys(model: RestModel): ReadonlySet<string> {
  const linkages = [...model.relationships.values()].map(({ linkage = [] }) => linkage)
  return new Set(linkages.filter(({ length }) => length === 1).flat())
}

const operators = memoize(operatorsForField)

function operatorFilters(
  wire: string,
  field: Field,
  model: RestModel,
  doc: RestDocumentContext,
): readonly (readonly [name: string, schema: JsonSchema])[] {
  return operators(field)
    .filter((operator) => isListed(operator, wire, field, model, doc))
    .map((operator) => [`${wire}$${operator}`, operatorSpec(operator).read ? BOOLEAN : valuesSchema(field, doc)])
}

/** Returns the schema of a filter by values of a field. Fields with the same type share it, except for enums. */
function valuesSchema(field: Field, doc: RestDocumentContext): JsonSchema {
  if (field.type === 'Enum') return filterValuesSchema(field)
  return sharedSchema(doc, `${field.uuid ? 'Uuid' : field.type}Filter`, () => filterValuesSchema(field))
}

/** Returns the full-text search in all text fields of a resource. The parameter's name lists these fields. */
export function fullTextParameters(model: RestModel, { context }: RestDocumentContext): readonly Parameter[] {
  const texts = [...model.attributes.values()].filter(
    ({ name, field }) => !isReservedFieldName(name) && operators(field).includes('search'),
  )
  if (texts.length === 0 || !context.settings.features.fullText) return []
  const index = context.dialect.provider === 'mysql' ? ' Requires a full-text index over exactly these fields.' : ''
  return [
    {
      name: `fullText[${texts.map(({ wire }) => wire).join(',')}]`,
      in: 'query',
      description: `Words to search for in these fields. The name of the parameter can list fewer fields.${index}`,
      schema: { type: 'string', pattern: '\\S' },
    },
  ]
}

function idsSchema(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'IdFilter', () => ({
    type: 'string',
    description: 'One or more ids, separated by commas.',
    examples: ['1', '1,2'],
  }))
}

const BOOLEAN = filterValueSchema({ type: 'Boolean' })

/**
 * Whether an operator is listed as a parameter. Order comparisons of strings, ids and foreign keys are possible but rare, so they are not
 * listed.
 */
function isListed(
  operator: Operator,
  wire: string,
  field: Field,
  model: RestModel,
  { context }: RestDocumentContext,
): boolean {
  if (operator === 'search') return supportsFullText(context.dialect)
  if (UNLISTED.has(operator)) return false
  // In a list of values, commas inside JSON must be escaped, which a schema cannot express.
  if (field.type === 'Json' && operatorSpec(operator).together) return false
  if (!ORDER.has(operator)) return true
  return field.type !== 'String' && wire !== 'id' && !model.foreignKeys.has(wire)
}

/** Operators that only {@link SYNTAX} mentions, because they are rare or because other filters can express them. */
const UNLISTED: ReadonlySet<Operator> = new Set([
  'ne',
  'in',
  'notIn',
  'between',
  'startsWith',
  'endsWith',
  'istartsWith',
  'iendsWith',
  'iequals',
])
const ORDER: ReadonlySet<Operator> = new Set(['lt', 'lte', 'gt', 'gte'])

/** Returns the schema of a value in a URL. */
function filterValueSchema(field: Pick<Field, 'type' | 'values' | 'uuid'>): JsonSchema {
  const { type } = field
  if (type === 'Json') return { type: 'string', contentMediaType: 'application/json' }
  return elementSchema(field)
}

/** Returns the schema of one value in a URL, or of multiple values separated by commas. */
function filterValuesSchema(field: Pick<Field, 'type' | 'values' | 'uuid'>): JsonSchema {
  const { type } = field
  const single = filterValueSchema(field)
  const pattern = field.uuid ? UUID : getPattern(field)
  const examples = EXAMPLES[field.uuid ? 'Uuid' : type]
  const exampleMembers = examples && { examples }
  if (pattern === undefined)
    return { ...single, description: type === 'Json' ? 'A JSON text.' : SEVERAL, ...exampleMembers }
  const several: JsonSchema = { type: 'string', pattern: `^${pattern}(,${pattern})+$` }
  return { anyOf: [...(single.anyOf ?? [single]), several], description: SEVERAL, ...exampleMembers }
}

/** Examples of one value and of multiple values. Enums need none, because their values are listed. */
const EXAMPLES: Partial<Readonly<Record<ScalarType | 'Uuid', readonly unknown[]>>> = {
  String: ['text', 'text,other'],
  Int: [1, '1,2'],
  BigInt: ['1', '1,2'],
  Float: [1.5, '1.5,2'],
  Decimal: ['9.99', '9.99,10'],
  DateTime: ['2024-05-31T12:00:00.000Z', '2024-05-31,2024-06-01'],
  Json: ['{"a":1}'],
  Bytes: ['AQID'],
  Uuid: ['0b1e9b1c-6f7a-4c1e-8f0a-1d2c3b4a5f60'],
}

const SEVERAL = 'One or more values, separated by commas. Any of them matches.'

const UUID = '[\\da-fA-F]{8}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{4}-[\\da-fA-F]{12}'

/** Patterns for the types whose text cannot contain arbitrary characters such as commas. */
const PATTERNS: Partial<Readonly<Record<ScalarType, string>>> = {
  Boolean: '(true|false)',
  // With this number of digits, a value is always in range.
  Int: '(0|-?[1-9]\\d{0,8})',
  BigInt: '(0|-?[1-9]\\d{0,17})',
  Float: '-?\\d+(\\.\\d+)?',
  Decimal: '-?\\d+(\\.\\d+)?',
  DateTime: '[1-9]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?Z)?',
}

function getPattern({ type, values = [] }: Pick<Field, 'type' | 'values'>): string | undefined {
  return type === 'Enum' ? `(${values.join('|')})` : PATTERNS[type]
}
