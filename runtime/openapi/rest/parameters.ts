import { supportsFullText } from '../../orm/dialect.js'
import type { Field } from '../../schema/resource.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { mayRead } from '../../rest/permissions.js'
import { type Operator, operatorsForField, operatorSpec } from '../../rest/request/operators.js'
import { FUNCTIONS } from '../../rest/request/filter/ast.js'
import { MAX_OFFSET } from '../../rest/request/page.js'
import { isReservedFieldName } from '../../schema/filter-ambiguity.js'
import type { Parameter, Reference } from '../document.js'
import { memoize } from '../memoize.js'
import { modelSchemaNames, type RestDocumentContext, sharedSchema } from './context.js'
import { listOfTexts, textSchema } from './text-schema.js'

type Parameters = readonly (Parameter | Reference)[]

/** Returns the query parameters of a collection (contract 4.2). */
export function collectionParameters(model: RestModel, described: RestDocumentContext): Parameters {
  return [
    expressionParameter(described),
    ...filterParameters(model, described, true),
    ...fullTextParameters(model, described),
    sortParameter(model, described),
    ...pageParameters(described),
    totalParameter(described),
  ]
}

/**
 * Returns the query parameters of related resources. Filters are only listed for equality. Listing all operators again for each relation
 * would multiply the size of the document.
 */
export function relatedParameters(model: RestModel, described: RestDocumentContext): Parameters {
  return [
    expressionParameter(described),
    ...filterParameters(model, described, false),
    ...linkageParameters(model, described),
  ]
}

/** Returns the query parameters of a relationship's linkage. */
export function linkageParameters(model: RestModel, described: RestDocumentContext): Parameters {
  return [sortParameter(model, described), ...pageParameters(described)]
}

/** Returns the parameters `include` and `fields` of a response with resources. */
export function resourceParameters(model: RestModel, described: RestDocumentContext): readonly Reference[] {
  const cache = resourceParameterCache(described)
  const parameters = cache.get(model) ?? [...includeParameter(model, described), ...fieldsParameters(model, described)]
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
      '`return=minimal` answers with the type and the id of what was written, where the query asks for nothing.',
    schema: { type: 'string' },
  }))
}

/** Returns the path parameter `id`. */
export function idParameter({ components }: RestDocumentContext): Reference {
  return components.parameter('id', () => ({
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the resource. A compound id has its parts joined with "_".',
    schema: { type: 'string' },
  }))
}

/** Returns the path parameter with the id of a resource that is addressed through a related one. */
export function relatedIdParameter({ components }: RestDocumentContext): Reference {
  return components.parameter('relatedId', () => ({
    name: 'relatedId',
    in: 'path',
    required: true,
    description: 'The id of the related resource. A compound id has its parts joined with "_".',
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
  "One expression, as `or(equals(title,'a'),not(has(comments)))`. Functions: `and`, `or`, `not`; `equals`, `lessThan`, `lessOrEqual`, " +
  '`greaterThan`, `greaterOrEqual`, `between`; `any`; `contains`, `startsWith`, `endsWith`, and with `i` before them whatever the case; ' +
  '`has` and `every` of what is related. Values stand between single quotes, and a quote in them is written twice. `equals(…,null)` is ' +
  'what has no value, and `greaterThan(b,a)` compares two fields. `author.name` reaches into a to-one relationship. `not` finds what the other does not, also what has no value. ' +
  'It must match as well as all other filters. These, `filter[title]`, have operators that are not listed: `$ne`, `$in` and `$notIn` of ' +
  'one value or several, `$between` of two, `$istartsWith`, `$iendsWith`, `$iequals`, and `$not` before another. Behind a to-many ' +
  'relationship, `$some`, `$every` or `$none` says of how many members the rest is true; `$count` is compared with 0. ' +
  '`filter[name][contains]` means the same as `filter[name$contains]`. `filter[settings.theme]` is a value inside of a Json field.'

/**
 * Returns the filters by fields and relationships, with all operators or only for equality. Relationships are filtered by the ids of
 * related resources.
 */
function filterParameters(model: RestModel, described: RestDocumentContext, withOperators: boolean): Parameters {
  const named = [...model.attributes.values()].filter(({ name }) => !isReservedFieldName(name))
  const ids = model.id.compound ? [] : model.id.fields.map(({ field }) => ({ wire: 'id', field }))
  const compoundId = model.id.compound ? [byIds('id', described)] : []
  const fields = [...ids, ...named].flatMap(({ wire, field }) => [
    ...(field.list ? [] : [byValues(wire, field, described)]),
    ...(withOperators ? operatorFilters(wire, field, model, described) : []),
  ])
  const relations = [...model.relationships.values()].flatMap((relationship) => {
    const { name, relation, linkage } = relationship
    if (!linkage && !mayRead(relationship)) return []
    const byId = byIds(name, described)
    const mayLack = withOperators && relation.optional && !relation.many
    return mayLack ? [byId, byBoolean(`${name}$isNull`, described)] : [byId]
  })
  return [...compoundId, ...fields, ...relations]
}

const operators = memoize(operatorsForField)

function operatorFilters(wire: string, field: Field, model: RestModel, described: RestDocumentContext): Parameters {
  return operators(field)
    .filter((operator) => isListed(operator, wire, field, model, described))
    .map((operator) => {
      const selector = `${wire}$${operator}`
      return operatorSpec(operator).read ? byBoolean(selector, described) : byValues(selector, field, described)
    })
}

/** Returns a filter by values of a field. Fields with the same name and type share it, except for enums. */
function byValues(selector: string, field: Field, described: RestDocumentContext): Parameter {
  if (field.type === 'Enum')
    return described.filters.get(selector, `Enum ${field.values?.join()}`, () => listOfTexts(field))
  const type = field.uuid ? 'Uuid' : field.type
  return described.filters.get(selector, type, () => sharedSchema(described, `${type}Filter`, () => listOfTexts(field)))
}

/** Returns the full-text search in all texts of a resource. The name of the parameter lists them. */
function fullTextParameters(model: RestModel, { context }: RestDocumentContext): Parameters {
  const texts = [...model.attributes.values()].filter(
    ({ name, field }) => !isReservedFieldName(name) && operators(field).includes('search'),
  )
  if (texts.length === 0 || !supportsFullText(context.dialect)) return []
  const index = context.dialect.provider === 'mysql' ? ' A full-text index has to be over the same fields.' : ''
  return [
    {
      name: `fullText[${texts.map(({ wire }) => wire).join(',')}]`,
      in: 'query',
      description: `Words to search these fields for, in the syntax of the database; some of the fields will do. What fits best comes first.${index}`,
      schema: { type: 'string', pattern: '\\S' },
    },
  ]
}

function byIds(selector: string, described: RestDocumentContext): Parameter {
  return described.filters.get(selector, 'id', () =>
    sharedSchema(described, 'IdFilter', () => ({
      type: 'string',
      description: 'An id, or several with commas between them.',
      examples: ['1', '1,2'],
    })),
  )
}

function byBoolean(selector: string, { filters }: RestDocumentContext): Parameter {
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
function sortParameter(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.parameter(`${modelSchemaNames(described, model).resource}-sort`, () => {
    const names = [
      ...sortNames(model),
      ...toOnes(model).flatMap(({ name, target }) => sortNames(target).map((one) => `${name}.${one}`)),
    ]
    return {
      name: 'sort',
      in: 'query',
      description: 'What to order by, the first one first; "-" reverses. Then by id.',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) },
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

function toOnes(model: RestModel): readonly Relationship[] {
  return [...model.relationships.values()].filter((one) => !one.relation.many && mayRead(one))
}

const LIMIT =
  'How many resources at most. `page[size]` with `page[number]`, which counts from 1, is another way. A third is the cursor pagination profile: ' +
  '`page[size]` with `page[after]` or `page[before]`, a cursor of a link or of the `meta` of an item, or nothing for the first page or the last.'

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
  ' `estimated` gives the number that the database keeps, as `meta.estimatedTotal`, with `last` null; it counts where there is none.'

/** Returns the parameter that selects whether to count. Related collections accept it too, but do not list it. */
function totalParameter({ components, context }: RestDocumentContext): Reference {
  return components.parameter('page-total', () => ({
    name: 'page[total]',
    in: 'query',
    description: `Whether to count. Without, \`meta.total\` is not there, and \`last\` is null.${context.settings.estimates ? ESTIMATED : ''}`,
    schema: {
      type: 'string',
      enum: ['exact', ...(context.settings.estimates ? ['estimated'] : []), 'none'],
      default: context.settings.total,
    },
  }))
}

/** Returns the parameter `include`. Existing paths are listed up to two levels. Deeper ones are described by a pattern. */
function includeParameter(model: RestModel, described: RestDocumentContext): readonly Reference[] {
  const paths = includePaths(model)
  if (paths.length === 0) return []
  const name = `${modelSchemaNames(described, model).resource}-include`
  return [described.components.parameter(name, () => include(paths, described))]
}

/** Returns the parameter `include` for linkage, where paths begin with the relationship's own name. */
export function linkageIncludeParameter({ name, target }: Relationship, described: RestDocumentContext): Parameter {
  const below = [...target.relationships.values()].filter(mayRead).map((relationship) => `${name}.${relationship.name}`)
  return include([name, ...below], described)
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
    description: `Paths of relationships whose resources to include.${deeper.length > 0 ? ' Longer paths go on in the same way.' : ''}`,
    style: 'form',
    explode: false,
    schema: { type: 'array', items: deeper.length > 0 ? { anyOf: [listed, ...deeper] } : listed },
  }
}

/** Returns the fieldset parameters of the resource and of directly related resources. */
function fieldsParameters(model: RestModel, described: RestDocumentContext): readonly Reference[] {
  const near = [...model.relationships.values()].filter(mayRead).map(({ target }) => target)
  return [...new Set([model, ...near])].flatMap((resourceModel) => {
    const names = [
      ...resourceModel.attributes.keys(),
      ...resourceModel.computed.keys(),
      ...resourceModel.relationships.keys(),
    ]
    if (names.length === 0) return []
    return [
      described.components.parameter(`${modelSchemaNames(described, resourceModel).resource}-fields`, () => ({
        name: `fields[${resourceModel.type}]`,
        in: 'query',
        description: `What to show of each "${resourceModel.type}". None shows the ids alone.`,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: [...new Set(names)] } },
      })),
    ]
  })
}
