import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import { MAX_OFFSET } from '../../rest/request/query/parse-page.js'
import type { JsonSchema, Parameter, Reference } from '../document-types.js'
import { memoize } from '../../values/memoize.js'
import { capitalize } from '../name-allocator.js'
import { anyOf } from '../schemas/schema-builders.js'
import { filterParameters, fullTextParameters } from './filter-parameters.js'
import { type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'

type Parameters = readonly (Parameter | Reference)[]

/** Returns the query parameters of a collection (contract 4.2) that a create does not accept. */
export function collectionParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [...linkageParameters(model, doc), ...fullTextParameters(model, doc), totalParameter(doc)]
}

/** Returns the query parameters of a list from a custom route, which counts the resources itself. */
export function listParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [...linkageParameters(model, doc), ...fullTextParameters(model, doc), ...resourceParameters(model, doc)]
}

/** Returns the query parameters of related resources. */
export function relatedParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [...linkageParameters(model, doc), ...resourceParameters(model, doc)]
}

/** Returns the query parameters of a relationship's linkage. */
export function linkageParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [...filterParameters(model, doc), sortParameter(model, doc), ...pageParameters(doc)]
}

/** Returns the parameters `include` and `fields` of a response with resources, with the fields of directly related resources. */
export function resourceParameters(model: RestModel, doc: RestDocumentContext): readonly Reference[] {
  const cache = resourceParameterCache(doc)
  const near = [...model.relationships.values()].filter(mayRead).map(({ target }) => target)
  const parameters = cache.get(model) ?? [
    ...includeParameter(model, doc),
    ...fieldsParameters([...new Set([model, ...near])], doc),
  ]
  cache.set(model, parameters)
  return parameters
}

const resourceParameterCache = memoize<RestDocumentContext, Map<RestModel, readonly Reference[]>>(() => new Map())

/** Returns the header parameter that selects how much of a written resource is returned. */
export function preferParameters({ components, context }: RestDocumentContext): readonly Reference[] {
  if (!context.settings.features.minimalResponses) return []
  const parameter = components.parameter('prefer', () => ({
    name: 'Prefer',
    in: 'header',
    description:
      'With `return=minimal`, the response contains only the type and id of the written resource, unless the query requests more.',
    schema: { type: 'string' },
  }))
  return [parameter]
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

/** Returns the parameter `sort`, with the fields of the model and those of its to-one relations, one level deep. */
function sortParameter(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.parameter(`${modelSchemaNames(doc, model).resource}-sort`, () => {
    const sortOrders = sharedSchema(doc, `${modelSchemaNames(doc, model).resource}Sort`, () =>
      sortSchema(sortNames(model)),
    )
    const related = toOneRelationships(model).map(({ name, target }) =>
      // Relationships with the same name and target share the sort orders by their fields.
      sharedSchema(doc, `${modelSchemaNames(doc, target).resource}Sort${capitalize(name)}`, () =>
        sortSchema(sortNames(target).map((field) => `${name}.${field}`)),
      ),
    )
    return {
      name: 'sort',
      in: 'query',
      description: 'Fields to sort by, the most significant first. `-` before a field sorts in descending order.',
      style: 'form',
      explode: false,
      schema: {
        type: 'array',
        items: anyOf(sortOrders, ...related),
        minItems: 1,
        uniqueItems: true,
      },
    }
  })
}

function sortSchema(names: readonly string[]): JsonSchema {
  return { type: 'string', enum: names.flatMap((name) => [name, `-${name}`]) }
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

function pageParameters({ components, context }: RestDocumentContext): readonly Reference[] {
  const { pageSize, maxPageSize, limits, features } = context.settings
  const cursorHint = features.cursors
    ? ' `page[size]` with `page[after]` or `page[before]` paginates by cursor instead, without a limit.'
    : ''
  return [
    components.parameter('page-limit', (): Parameter => {
      const maximum = maxPageSize === Infinity ? {} : { maximum: maxPageSize }
      const byDefault = pageSize === Infinity ? {} : { default: pageSize }
      return {
        name: 'page[limit]',
        in: 'query',
        description: 'Maximum number of resources in the response.',
        schema: { type: 'integer', minimum: 1, ...maximum, ...byDefault },
      }
    }),
    components.parameter('page-offset', () => ({
      name: 'page[offset]',
      in: 'query',
      description: `Number of resources to skip.${cursorHint}`,
      schema: { type: 'integer', minimum: 0, maximum: Math.min(limits.offset, MAX_OFFSET), default: 0 },
    })),
  ]
}

/** Returns the parameter that selects whether to count. Related collections accept it too, but do not list it. */
function totalParameter({ components, context }: RestDocumentContext): Reference {
  return components.parameter('page-total', () => ({
    name: 'page[total]',
    in: 'query',
    description: 'Whether to count all resources for `meta.total` and the link `last`.',
    schema: {
      type: 'string',
      enum: ['exact', 'none'],
      default: context.settings.total,
    },
  }))
}

/** Returns the parameter `include`. Paths are listed up to two levels deep. A pattern describes deeper paths. */
function includeParameter(model: RestModel, doc: RestDocumentContext): readonly Reference[] {
  const relationships = [...model.relationships.values()].filter(mayRead)
  if (relationships.length === 0) return []
  const name = `${modelSchemaNames(doc, model).resource}-include`
  return [doc.components.parameter(name, () => include(relationships, doc))]
}

/** Returns the parameter `include` for linkage, where paths begin with the relationship's own name. */
export function linkageIncludeParameter(relationship: Relationship, doc: RestDocumentContext): Reference {
  const { name, target } = relationship
  return doc.components.parameter(`${modelSchemaNames(doc, target).resource}-include-${name}`, () =>
    include([relationship], doc),
  )
}

function include(relationships: readonly Relationship[], doc: RestDocumentContext): Parameter {
  const { includeDepth } = doc.context.settings.limits
  const maxSegments = includeDepth === Infinity ? '' : includeDepth - 1
  const listed = relationships.map((relationship) => includePathsSchema(relationship, doc))
  const deeper = includeDepth > 2 ? [{ type: 'string', pattern: `^\\w+(\\.\\w+){2,${maxSegments}}$` }] : []
  return {
    name: 'include',
    in: 'query',
    description: `Paths of the relationships to include.${deeper.length > 0 ? ' Longer paths follow the same pattern.' : ''}`,
    style: 'form',
    explode: false,
    schema: { type: 'array', items: anyOf(...listed, ...deeper) },
  }
}

/** Returns the schema of paths that begin with a relationship. Relationships with the same name and target share it. */
function includePathsSchema({ name, target }: Relationship, doc: RestDocumentContext): Reference {
  return sharedSchema(doc, `${modelSchemaNames(doc, target).resource}Include${capitalize(name)}`, () => {
    const below = [...target.relationships.values()].filter(mayRead).map((inner) => `${name}.${inner.name}`)
    return { type: 'string', enum: doc.context.settings.limits.includeDepth < 2 ? [name] : [name, ...below] }
  })
}

/** Returns the fieldset parameters of models. */
export function fieldsParameters(models: readonly RestModel[], doc: RestDocumentContext): readonly Reference[] {
  return models.flatMap((resourceModel) => {
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
