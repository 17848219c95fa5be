import type { Field } from '../../schema/resource.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { mayRead } from '../../rest/permissions.js'
import { FULL_TEXT, type Operator, operatorsOf, operatorSpec } from '../../rest/request/operators.js'
import { MAX_OFFSET } from '../../rest/request/page.js'
import { isCalledAsCombinator } from '../../schema/words.js'
import type { JsonSchema, Parameter, Reference } from '../document.js'
import { namesOf, type RestDescription } from './describe.js'
import { listOfTexts, textSchema } from './text-schema.js'

/** What a collection is asked for with (contract 4.2). */
export function collectionParameters(model: RestModel, described: RestDescription): readonly Reference[] {
  return [...filterParameters(model, described), ...sortParameter(model, described), ...pageParameters(described)]
}

/**
 * The same for the related resources of a relation, where equality stands for all filters: to list their operators once more for each
 * relation would make the document several times as long.
 */
export function relatedParameters(model: RestModel, described: RestDescription): readonly Reference[] {
  const filters = filterParameters(model, described).filter(isEquality)
  return [...filters, ...sortParameter(model, described), ...pageParameters(described)]
}

/** `Post.title`, and not `Post.title.contains`. */
function isEquality({ $ref }: Reference): boolean {
  return $ref.split('.').length === 2
}

/** The same for the linkage of a relation. */
export function linkageParameters(model: RestModel, described: RestDescription): readonly Reference[] {
  return [...sortParameter(model, described), ...pageParameters(described)]
}

/** What an answer with resources is narrowed and widened with. */
export function shownParameters(model: RestModel, described: RestDescription): readonly Reference[] {
  return [...includeParameter(model, described), ...fieldsParameters(model, described)]
}

/** The `id` in a path. */
export function idParameter({ components }: RestDescription): Reference {
  return components.parameter('id', () => ({
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the resource. A compound id has its parts joined with "_".',
    schema: { type: 'string' },
  }))
}

/** Filters of a field and, one level deep, their operators; and filters of relationships by the ids of what is related. */
function filterParameters(model: RestModel, described: RestDescription): readonly Reference[] {
  const named = [...model.attributes.values()].filter(({ name }) => !isCalledAsCombinator(name))
  const ids = model.id.compound ? [] : model.id.fields.map(({ field }) => ({ wire: 'id', field }))
  const fields = [...ids, ...named].flatMap(({ wire, field }) => fieldFilters(wire, field, model, described))
  const compoundId = model.id.compound ? [filter(model, described, 'id', undefined, idsFilter(described))] : []
  const relations = [...model.relationships.values()].flatMap((one) => relationFilters(one, model, described))
  return [...compoundId, ...fields, ...relations]
}

function fieldFilters(wire: string, field: Field, model: RestModel, described: RestDescription): readonly Reference[] {
  const { provider } = described.context.dialect
  const operators = operatorsOf(field).filter((operator) => isListed(operator, wire, field, model, provider))
  const equality = field.list ? [] : [filter(model, described, wire, undefined, valuesFilter(field, described))]
  return [
    ...equality,
    ...operators.map((operator) => {
      const schema = operatorSpec(operator).read ? textSchema({ type: 'Boolean' }) : valuesFilter(field, described)
      return filter(model, described, wire, operator, schema)
    }),
  ]
}

function relationFilters(
  relationship: Relationship,
  model: RestModel,
  described: RestDescription,
): readonly Reference[] {
  const { name, relation, linkage } = relationship
  if (!linkage && !mayRead(relationship)) return []
  const byId = filter(model, described, name, undefined, idsFilter(described))
  if (!relation.optional || relation.many) return [byId]
  return [byId, filter(model, described, name, 'isNull', textSchema({ type: 'Boolean' }))]
}

/** What a field is compared with. It is the same for all fields of a type, but for enums. */
function valuesFilter(field: Field, { components }: RestDescription): JsonSchema {
  if (field.type === 'Enum') return listOfTexts(field)
  return components.schema(`${field.uuid ? 'Uuid' : field.type}Filter`, () => listOfTexts(field))
}

function idsFilter({ components }: RestDescription): JsonSchema {
  return components.schema('IdFilter', () => ({
    type: 'string',
    description: 'An id, or several with commas between them.',
  }))
}

function filter(
  model: RestModel,
  described: RestDescription,
  name: string,
  operator: Operator | undefined,
  schema: JsonSchema,
): Reference {
  const { resource } = namesOf(described, model)
  const [component, selector] = operator ? [`${name}.${operator}`, `${name}$${operator}`] : [name, name]
  return described.components.parameter(`${resource}.${component}`, () => ({
    name: `filter[${selector}]`,
    in: 'query',
    schema,
  }))
}

/**
 * Whether an operator is listed. Texts, ids and foreign keys can be ordered too, but hardly anyone asks for that; the description of the
 * collection has it in words.
 */
function isListed(operator: Operator, wire: string, field: Field, model: RestModel, provider: string): boolean {
  if (operator === 'search') return FULL_TEXT.has(provider)
  if (!ORDER.has(operator)) return true
  return field.type !== 'String' && wire !== 'id' && !model.foreignKeys.has(wire)
}

const ORDER: ReadonlySet<Operator> = new Set(['lt', 'lte', 'gt', 'gte'])

/** By its own fields, and by those of what its to-one relations lead to, one level deep. */
function sortParameter(model: RestModel, described: RestDescription): readonly Reference[] {
  const names = [
    ...sortNames(model),
    ...toOnes(model).flatMap(({ name, target }) => sortNames(target).map((one) => `${name}.${one}`)),
  ]
  return [
    described.components.parameter(`${namesOf(described, model).resource}-sort`, () => ({
      name: 'sort',
      in: 'query',
      description: 'What to order by, the first one first. "-" reverses. Rows that are equal then are ordered by id.',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) },
        minItems: 1,
        uniqueItems: true,
      },
    })),
  ]
}

function sortNames(model: RestModel): readonly string[] {
  const attributes = [...model.attributes.values()].filter(({ field }) => !field.list && field.type !== 'Json')
  const relations = [...model.relationships.values()].filter(({ relation, linkage }) => !relation.many && linkage)
  return [...new Set(['id', ...attributes.map(({ wire }) => wire), ...relations.map(({ name }) => name)])]
}

function toOnes(model: RestModel): readonly Relationship[] {
  return [...model.relationships.values()].filter((one) => !one.relation.many && mayRead(one))
}

function pageParameters({ components, context }: RestDescription): readonly Reference[] {
  const { pageSize, maxPageSize } = context.settings
  return [
    components.parameter('page-limit', (): Parameter => {
      const maximum = maxPageSize === Infinity ? {} : { maximum: maxPageSize }
      const byDefault = pageSize === Infinity ? {} : { default: pageSize }
      return {
        name: 'page[limit]',
        in: 'query',
        description:
          'How many resources at most. `page[size]` with `page[number]`, which counts from 1, is another way.',
        schema: { type: 'integer', minimum: 1, ...maximum, ...byDefault },
      }
    }),
    components.parameter('page-offset', () => ({
      name: 'page[offset]',
      in: 'query',
      description: 'How many resources to leave out.',
      schema: { type: 'integer', minimum: 0, maximum: MAX_OFFSET, default: 0 },
    })),
  ]
}

/** The paths that exist, up to two levels; deeper ones in words. */
function includeParameter(model: RestModel, described: RestDescription): readonly Reference[] {
  const paths = includePaths(model)
  if (paths.length === 0) return []
  const name = `${namesOf(described, model).resource}-include`
  return [described.components.parameter(name, () => include(paths, described))]
}

/** The same for linkage, where the relationship's own name comes first. */
export function linkageIncludeParameter({ name, target }: Relationship, described: RestDescription): Parameter {
  const below = [...target.relationships.values()].filter(mayRead).map((one) => `${name}.${one.name}`)
  return include([name, ...below], described)
}

function includePaths(model: RestModel): readonly string[] {
  return [...model.relationships.values()].filter(mayRead).flatMap(({ name, target }) => {
    const below = [...target.relationships.values()].filter(mayRead)
    return [name, ...below.map((one) => `${name}.${one.name}`)]
  })
}

function include(paths: readonly string[], { context }: RestDescription): Parameter {
  const { includeDepth } = context.settings.limits
  const listed = includeDepth < 2 ? paths.filter((path) => !path.includes('.')) : paths
  const deeper = includeDepth > 2 ? ' Longer paths go on in the same way.' : ''
  return {
    name: 'include',
    in: 'query',
    description: `Paths of relationships whose resources to include.${deeper}`,
    style: 'form',
    explode: false,
    // Beside longer paths by a pattern, generated types would be no more than texts.
    schema: { type: 'array', items: { type: 'string', enum: listed } },
  }
}

/** Fieldsets of the resources themselves and of those that are one step away. */
function fieldsParameters(model: RestModel, described: RestDescription): readonly Reference[] {
  const near = [...model.relationships.values()].filter(mayRead).map(({ target }) => target)
  return [...new Set([model, ...near])].flatMap((one) => {
    const names = [...one.attributes.keys(), ...one.computed.keys(), ...one.relationships.keys()]
    if (names.length === 0) return []
    return [
      described.components.parameter(`${namesOf(described, one).resource}-fields`, () => ({
        name: `fields[${one.type}]`,
        in: 'query',
        description: `Which fields to show of resources of type "${one.type}". None shows the ids alone.`,
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: [...new Set(names)] } },
      })),
    ]
  })
}
