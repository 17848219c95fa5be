import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import { MAX_OFFSET } from '../../rest/request/query/parse-page.js'
import type { Parameter, Reference } from '../document-types.js'
import { memoize } from '../memoize.js'
import { expressionParameters, filterParameters, fullTextParameters } from './filter-parameters.js'
import type { RestDocumentContext } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'

type Parameters = readonly (Parameter | Reference)[]

/** Returns the query parameters of a collection (contract 4.2). The most common parameters are first. */
export function collectionParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [
    ...expressionParameters(model, doc),
    ...fullTextParameters(model, doc),
    sortParameter(model, doc),
    ...pageParameters(doc),
    totalParameter(doc),
    ...resourceParameters(model, doc),
    ...filterParameters(model, doc, true),
  ]
}

/**
 * Returns the query parameters of related resources. Filters are only listed for equality. Listing all operators again for each relation
 * would multiply the size of the document.
 */
export function relatedParameters(model: RestModel, doc: RestDocumentContext): Parameters {
  return [
    ...expressionParameters(model, doc),
    ...linkageParameters(model, doc),
    ...resourceParameters(model, doc),
    ...filterParameters(model, doc, false),
  ]
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
    const sortable = [
      ...sortNames(model),
      ...toOneRelationships(model).flatMap(({ name, target }) =>
        sortNames(target).map((targetField) => `${name}.${targetField}`),
      ),
    ]
    return {
      name: 'sort',
      in: 'query',
      description: 'Fields to sort by, the most significant first. `-` before a field sorts in descending order.',
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
