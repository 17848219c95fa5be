import { supportsFullText } from '../../orm/dialect.js'
import type { Field } from '../../schema/resource.js'
import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { mayRead } from '../../rest/read-permissions.js'
import { type Operator, operatorsForField, operatorSpec } from '../../rest/request/filter-operators.js'
import { FUNCTIONS } from '../../rest/request/filter/expression-ast.js'
import { MAX_OFFSET } from '../../rest/request/parse-page.js'
import { isReservedFieldName } from '../../schema/keyword-named-fields.js'
import type { Parameter, Reference } from '../document-types.js'
import { memoize } from '../memoize.js'
import { modelSchemaNames, type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { listOfTexts, textSchema } from './text-schema.js'

type Parameters = readonly (Parameter | Reference)[]

/** Returns the query parameters of a collection (contract 4.2). */
export function collectionParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [
    expressionParameter(doc),
    ...filterParameters(model, doc, true),
    ...fullTextParameters(model, doc),
    sortParameter(model, doc),
    ...pageParameters(doc),
    totalParameter(doc),
  ]
}

/**
 * Returns the query parameters of related resources. Filters are only listed for equality. Listing all operators again for each relation
 * would multiply the size of the document.
 */
export function relatedParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [expressionParameter(doc), ...filterParameters(model, doc, false), ...linkageParameters(model, doc)]
}

/** Returns the query parameters of a relationship's linkage. */
export function linkageParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [sortParameter(model, doc), ...pageParameters(doc)]
}

/** Returns the parameters `include` and `fields` of a response with resources. */
export function resourceParameters(model: RestModel, doc: RestDocumentContext): readonly Reference[] {
  const cache = resourceParameterCache(doc)
  const parameters = cache.get(model) ?? [...includeParameter(model, doc), ...fieldsParameters(model, doc)]
  cache.set(model, parameters)
  return parameters
}

const resourceParameterCache = memoize<RestDocumentContext, Map<RestModel, readonly Reference[]>>(() => new Map())

/** Returns the header parameter that selects how much of a written resource is returned. */
export function preferParameter({ components }: RestDocumentContext): Reference {
  return components.parameter('prefer', () => ({
    name: 'Prefer',
    in: 'header',
    description:
      'With `return=minimal`, the response contains only the type and id of the written resource, unless the query requests more.',
    schema: { type: 'string' },
  }))
}

/** Returns the path parameter `id`. */
export function idParameter({ components }: RestDocumentContext): Reference {
  return components.parameter('id', () => ({
    name: 'id',
    in: 'path',
    required: true,
    description: 'Id of the resource. The parts of a compound id are joined with "_".',
    schema: { type: 'string' },
  }))
}

/** Returns the path parameter with the id of a resource that is addressed through a related one. */
export function relatedIdParameter({ components }: RestDocumentContext): Reference {
  return components.parameter('relatedId', () => ({
    name: 'relatedId',
    in: 'path',
    required: true,
    description: 'Id of the related resource. The parts of a compound id are joined with "_".',
    schema: { type: 'string' },
  }))
}

/** Returns the parameter for a filter expression, which can be combined with other filters. It is the same for all collections. */
function expressionParameter({ components }: RestDocumentContext): Reference {
  return components.parameter('filter', () => ({
    name: 'filter',
    in: 'query',
    description: EXPRESSION,
    schema: { type: 'string', pattern: `^ *(${FUNCTIONS.join('|')}) *\\(` },
  }))
}

// Described here and not for the filters of each field, so that it appears only once.
const EXPRESSION =
  "A filter expression, for example `or(equals(title,'a'),not(has(comments)))`. Functions: `and`, `or`, `not`; `equals`, `lessThan`, `lessOrEqual`, " +
  '`greaterThan`, `greaterOrEqual`, `between`; `any`; `contains`, `startsWith`, `endsWith`, and, prefixed with `i`, their case-insensitive forms; ' +
  '`has` and `every` for related resources. Values are in single quotes. A quote inside a value is doubled. `equals(…,null)` matches ' +
  'missing values, and `greaterThan(b,a)` compares two fields. `author.name` traverses a to-one relationship. `not` matches everything that its argument does not match, including missing values. ' +
  'The expression and all other filters must match. Other filters, such as `filter[title]`, also support operators that are not listed: `$ne`, `$in` and `$notIn` with ' +
  'one or more values, `$between` with two values, `$istartsWith`, `$iendsWith`, `$iequals`, and `$not` before another operator. After a to-many ' +
  'relationship, `$some`, `$every` or `$none` states how many members must match the rest; `$count` can be compared with 0. ' +
  '`filter[name][contains]` is equivalent to `filter[name$contains]`. `filter[settings.theme]` filters by a value inside a Json field.'

/**
 * Returns the filters by fields and relationships, with all operators or only for equality. Relationships are filtered by the ids of
 * related resources.
 */
function filterParameters(model: RestModel, doc: RestDocumentContext, withOperators: boolean): Parameters {
  const filterable = [...model.attributes.values()].filter(({ name }) => !isReservedFieldName(name))
  const ids = model.id.compound ? [] : model.id.fields.map(({ field }) => ({ wire: 'id', field }))
  const compoundId = model.id.compound ? [idsParameter('id', doc)] : []
  const fields = [...ids, ...filterable].flatMap(({ wire, field }) => [
    ...(field.list ? [] : [valuesParameter(wire, field, doc)]),
    ...(withOperators ? operatorFilters(wire, field, model, doc) : []),
  ])
  const relations = [...model.relationships.values()].flatMap((relationship) => {
    const { name, relation, linkage } = relationship
    if (!linkage && !mayRead(relationship)) return []
    const byId = idsParameter(name, doc)
    const mayBeMissing = withOperators && relation.optional && !relation.many
    return mayBeMissing ? [byId, booleanParameter(`${name}$isNull`, doc)] : [byId]
  })
  return [...compoundId, ...fields, ...relations]
}

const operators = memoize(operatorsForField)

function operatorFilters(wire: string, field: Field, model: RestModel, doc: RestDocumentContext): Parameters {
  return operators(field)
    .filter((operator) => isListed(operator, wire, field, model, doc))
    .map((operator) => {
      const selector = `${wire}$${operator}`
      return operatorSpec(operator).read ? booleanParameter(selector, doc) : valuesParameter(selector, field, doc)
    })
}

/** Returns a filter by values of a field. Fields with the same name and type share it, except for enums. */
function valuesParameter(selector: string, field: Field, doc: RestDocumentContext): Parameter {
  if (field.type === 'Enum') return doc.filters.get(selector, `Enum ${field.values?.join()}`, () => listOfTexts(field))
  const type = field.uuid ? 'Uuid' : field.type
  return doc.filters.get(selector, type, () => sharedSchema(doc, `${type}Filter`, () => listOfTexts(field)))
}

/** Returns the full-text search in all texts of a resource. The name of the parameter lists them. */
function fullTextParameters(model: RestModel, { context }: RestDocumentContext): Parameters {
  const texts = [...model.attributes.values()].filter(
    ({ name, field }) => !isReservedFieldName(name) && operators(field).includes('search'),
  )
  if (texts.length === 0 || !supportsFullText(context.dialect)) return []
  const index = context.dialect.provider === 'mysql' ? ' Requires a full-text index over exactly these fields.' : ''
  return [
    {
      name: `fullText[${texts.map(({ wire }) => wire).join(',')}]`,
      in: 'query',
      description: `Words to search for in these fields, in the syntax of the database. The name of the parameter can list fewer fields. The best matches come first.${index}`,
      schema: { type: 'string', pattern: '\\S' },
    },
  ]
}

function idsParameter(selector: string, doc: RestDocumentContext): Parameter {
  return doc.filters.get(selector, 'id', () =>
    sharedSchema(doc, 'IdFilter', () => ({
      type: 'string',
      description: 'One or more ids, separated by commas.',
      examples: ['1', '1,2'],
    })),
  )
}

function booleanParameter(selector: string, { filters }: RestDocumentContext): Parameter {
  return filters.get(selector, 'yes or no', () => BOOLEAN)
}

const BOOLEAN = textSchema({ type: 'Boolean' })

/**
 * Whether an operator is listed as a parameter. Order comparisons of texts, ids and foreign keys are possible but rare, so only the
 * description of the collection mentions them.
 */
function isListed(
  operator: Operator,
  wire: string,
  field: Field,
  model: RestModel,
  { context }: RestDocumentContext,
): boolean {
  if (operator === 'search') return supportsFullText(context.dialect)
  if (IN_WORDS.has(operator)) return false
  if (!ORDER.has(operator)) return true
  return field.type !== 'String' && wire !== 'id' && !model.foreignKeys.has(wire)
}

/** Operators that are mentioned only in the description, because other filters can express them. */
const IN_WORDS: ReadonlySet<Operator> = new Set(['ne', 'in', 'notIn', 'between', 'istartsWith', 'iendsWith', 'iequals'])
const ORDER: ReadonlySet<Operator> = new Set(['lt', 'lte', 'gt', 'gte'])

/** Returns the parameter `sort`, with the fields of the model and those of its to-one relations, one level deep. */
function sortParameter(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.parameter(`${modelSchemaNames(doc, model).resource}-sort`, () => {
    const sortable = [
      ...sortNames(model),
      ...toOneRelationships(model).flatMap(({ name, target }) =>
        sortNames(target).map((targetField) => `${name}.${targetField}`),
      ),
    ]
    return {
      name: 'sort',
      in: 'query',
      description:
        'Fields to sort by, the most significant first. "-" sorts in descending order. Ties are sorted by id.',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: sortable.flatMap((name) => [name, `-${name}`]) },
        minItems: 1,
        uniqueItems: true,
      },
    }
  })
}

function sortNames(model: RestModel): readonly string[] {
  const attributes = [...model.attributes.values()].filter(({ field }) => !field.list && field.type !== 'Json')
  const relations = [...model.relationships.values()].filter(({ relation, linkage }) => !relation.many && linkage)
  return [...new Set(['id', ...attributes.map(({ wire }) => wire), ...relations.map(({ name }) => name)])]
}

function toOneRelationships(model: RestModel): readonly Relationship[] {
  return [...model.relationships.values()].filter(
    (relationship) => !relationship.relation.many && mayRead(relationship),
  )
}

const LIMIT =
  'Maximum number of resources. Alternatives are `page[size]` with `page[number]`, which starts at 1, and the cursor pagination profile: ' +
  '`page[size]` with `page[after]` or `page[before]`. A cursor is taken from a link or from the `meta` of an item. An empty `page[after]` selects the first page, an empty `page[before]` the last.'

function pageParameters({ components, context }: RestDocumentContext): readonly Reference[] {
  const { pageSize, maxPageSize, limits } = context.settings
  return [
    components.parameter('page-limit', (): Parameter => {
      const maximum = maxPageSize === Infinity ? {} : { maximum: maxPageSize }
      const byDefault = pageSize === Infinity ? {} : { default: pageSize }
      return {
        name: 'page[limit]',
        in: 'query',
        description: LIMIT,
        schema: { type: 'integer', minimum: 1, ...maximum, ...byDefault },
      }
    }),
    components.parameter('page-offset', () => ({
      name: 'page[offset]',
      in: 'query',
      description: 'Number of resources to skip. Cursors (`page[after]`) have no limit.',
      schema: { type: 'integer', minimum: 0, maximum: Math.min(limits.offset, MAX_OFFSET), default: 0 },
    })),
  ]
}

const ESTIMATED =
  ' `estimated` returns the estimate of the database as `meta.estimatedTotal`, with `last` null. Without an estimate, resources are counted.'

/** Returns the parameter that selects whether to count. Related collections accept it too, but do not list it. */
function totalParameter({ components, context }: RestDocumentContext): Reference {
  return components.parameter('page-total', () => ({
    name: 'page[total]',
    in: 'query',
    description: `Whether to count all resources. With \`none\`, \`meta.total\` is omitted and \`last\` is null.${context.settings.estimates ? ESTIMATED : ''}`,
    schema: {
      type: 'string',
      enum: ['exact', ...(context.settings.estimates ? ['estimated'] : []), 'none'],
      default: context.settings.total,
    },
  }))
}

/** Returns the parameter `include`. Existing paths are listed up to two levels. Deeper ones are described by a pattern. */
function includeParameter(model: RestModel, doc: RestDocumentContext): readonly Reference[] {
  const paths = includePaths(model)
  if (paths.length === 0) return []
  const name = `${modelSchemaNames(doc, model).resource}-include`
  return [doc.components.parameter(name, () => include(paths, doc))]
}

/** Returns the parameter `include` for linkage, where paths begin with the relationship's own name. */
export function linkageIncludeParameter({ name, target }: Relationship, doc: RestDocumentContext): Parameter {
  const below = [...target.relationships.values()].filter(mayRead).map((relationship) => `${name}.${relationship.name}`)
  return include([name, ...below], doc)
}

function includePaths(model: RestModel): readonly string[] {
  return [...model.relationships.values()].filter(mayRead).flatMap(({ name, target }) => {
    const below = [...target.relationships.values()].filter(mayRead)
    return [name, ...below.map((relationship) => `${name}.${relationship.name}`)]
  })
}

function include(paths: readonly string[], { context }: RestDocumentContext): Parameter {
  const { includeDepth } = context.settings.limits
  const maxSegments = includeDepth === Infinity ? '' : includeDepth - 1
  const deeper = includeDepth > 2 ? [{ type: 'string', pattern: `^\\w+(\\.\\w+){2,${maxSegments}}$` }] : []
  const listed = { type: 'string', enum: includeDepth < 2 ? paths.filter((path) => !path.includes('.')) : paths }
  return {
    name: 'include',
    in: 'query',
    description: `Paths of the relationships to include.${deeper.length > 0 ? ' Longer paths follow the same pattern.' : ''}`,
    style: 'form',
    explode: false,
    schema: { type: 'array', items: deeper.length > 0 ? { anyOf: [listed, ...deeper] } : listed },
  }
}

/** Returns the fieldset parameters of the resource and of directly related resources. */
function fieldsParameters(model: RestModel, doc: RestDocumentContext): readonly Reference[] {
  const near = [...model.relationships.values()].filter(mayRead).map(({ target }) => target)
  return [...new Set([model, ...near])].flatMap((resourceModel) => {
    const names = [
      ...resourceModel.attributes.keys(),
      ...resourceModel.computed.keys(),
      ...resourceModel.relationships.keys(),
    ]
    if (names.length === 0) return []
    return [
      doc.components.parameter(`${modelSchemaNames(doc, resourceModel).resource}-fields`, () => ({
        name: `fields[${resourceModel.type}]`,
        in: 'query',
        description: `Fields of each "${resourceModel.type}" to return. An empty list returns only ids.`,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: [...new Set(names)] } },
      })),
    ]
  })
}
