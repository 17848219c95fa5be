import { JSONAPI } from '../../rest/document/respond.js'
import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { capitalize } from '../name-allocator.js'
import { anyOf, nullable, closedObject } from '../schemas/schema-builders.js'
import { LINK, PAGE_LINK, type RestDocumentContext, sharedSchema } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import { createSchema, identifierSchema, resourceSchema, selfLinks, updateSchema } from './resource-schemas.js'
import { upsertKeys } from './writable-members.js'

/** Returns the schema of `jsonapi`. */
export function jsonapiSchema(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'JsonApi', () => closedObject({ version: { const: JSONAPI.version } }, ['version']))
}

/** Returns the schema of a document with one resource (contract 2.3). */
export function documentSchema(model: RestModel, doc: RestDocumentContext): Reference {
  const { document } = modelSchemaNames(doc, model)
  return doc.components.schema(document, () =>
    compoundDocument(model, doc, { data: resourceSchema(model, doc), links: selfLinks(doc) }),
  )
}

/** Returns the schema of a document with a resource or null, for a to-one relation. */
export function relatedSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.schema(modelSchemaNames(doc, model).related, () =>
    compoundDocument(model, doc, { data: nullable(resourceSchema(model, doc)), links: selfLinks(doc) }),
  )
}

/** Returns the schema of a page of a collection. */
export function collectionSchema(model: RestModel, doc: RestDocumentContext): Reference {
  const { collection } = modelSchemaNames(doc, model)
  return doc.components.schema(collection, () =>
    compoundDocument(model, doc, {
      data: { type: 'array', items: resourceSchema(model, doc) },
      links: pageLinks(doc),
      total: true,
    }),
  )
}

/**
 * Returns the schema of a list of resources from a custom route.
 * @param hasPages whether the route accepts page parameters. It only returns links to other pages if it counts the resources.
 */
export function listSchema(model: RestModel, doc: RestDocumentContext, hasPages: boolean): JsonSchema {
  return compoundDocument(model, doc, {
    data: { type: 'array', items: resourceSchema(model, doc) },
    links: hasPages ? anyOf(pageLinks(doc), selfLinks(doc)) : selfLinks(doc),
    total: hasPages,
  })
}

/** Returns the schema of a relationship's linkage, or of a page of the linkage. */
export function linkageDocumentSchema(relationship: Relationship, doc: RestDocumentContext): Reference {
  const { relation, target } = relationship
  const { linkageDocument } = modelSchemaNames(doc, target)
  return doc.components.schema(relation.many ? linkageDocument.many : linkageDocument.one, () => {
    const identifier = identifierSchema(target, doc)
    const data: JsonSchema = relation.many ? { type: 'array', items: identifier } : nullable(identifier)
    const links = relation.many ? pageLinks(doc) : selfLinks(doc)
    if (mayRead(relationship))
      return compoundDocument(target, doc, { data, links, total: relation.many === true, isLinkage: true })
    const meta = relation.many ? { meta: pageMeta(doc) } : {}
    const members = { data, jsonapi: jsonapiSchema(doc), links }
    return closedObject({ ...members, ...meta }, Object.keys(members))
  })
}

/** Returns the schema of the body of a create, which may be an upsert (contract 4.1, rule 4). */
export function createDocumentSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.schema(modelSchemaNames(doc, model).create, () => {
    const keys = upsertKeys(model)
    const upsert: Readonly<Record<string, JsonSchema>> =
      keys.length > 0
        ? {
            operation: { const: 'upsert', description: 'Updates the matching resource, or creates one.' },
            matchFields: {
              type: 'array',
              items: { type: 'string', enum: [...new Set(keys.flat())] },
              minItems: 1,
              uniqueItems: true,
              description: `The fields of a unique constraint. The request must set all of them: ${keys.map((names) => names.join(' with ')).join('; ')}.`,
            },
          }
        : {}
    const meta: JsonSchema =
      'operation' in upsert
        ? {
            ...closedObject({ ...requestSerialization(doc), ...upsert }),
            dependentRequired: { operation: ['matchFields'], matchFields: ['operation'] },
          }
        : requestMeta(doc)
    return closedObject({ data: createSchema(model, doc), meta }, ['data'])
  })
}

/**
 * Returns the schema of the body of a create whose URL implies a relationship.
 * @param inverse the relationship
 */
export function createMemberSchema(model: RestModel, inverse: Relationship, doc: RestDocumentContext): Reference {
  return sharedSchema(doc, `${modelSchemaNames(doc, model).resource}Create${capitalize(inverse.name)}Member`, () =>
    closedObject({ data: createSchema(model, doc, inverse), meta: requestMeta(doc) }, ['data']),
  )
}

/** Returns the schema of the body of an update. */
export function updateDocumentSchema(model: RestModel, doc: RestDocumentContext): Reference {
  return doc.components.schema(modelSchemaNames(doc, model).update, () =>
    closedObject({ data: updateSchema(model, doc), meta: requestMeta(doc) }, ['data']),
  )
}

const TOTAL: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description: 'Total number of resources. Omitted with `page[total]=none`.',
}

/** The members that the cursor pagination profile defines for a page. They replace `meta.total`. */
const PAGE: Readonly<Record<string, JsonSchema>> = {
  total: { type: 'integer', minimum: 0 },
  rangeTruncated: { const: true },
}

interface CompoundParts {
  readonly data: JsonSchema
  readonly links: JsonSchema
  readonly total?: boolean
  /** Whether the primary data is linkage. If so, the resources themselves are only in `included`. */
  readonly isLinkage?: boolean
}

/** Returns the schema of a compound document, with `included` if it is requested. */
function compoundDocument(model: RestModel, doc: RestDocumentContext, parts: CompoundParts): JsonSchema {
  const { data, links, total = false, isLinkage = false } = parts
  const included = includedSchema(model, doc, isLinkage)
  const meta = total ? pageMeta(doc) : plainMeta(doc)
  return closedObject({ data, ...(included && { included }), jsonapi: jsonapiSchema(doc), links, meta }, [
    'data',
    'jsonapi',
    'links',
  ])
}

/**
 * Returns the schema of the included resources: a list of closed schemas with different `type`s. Models that can include all includable
 * models share one list, so that the document does not grow with the square of the number of models.
 */
function includedSchema(model: RestModel, doc: RestDocumentContext, withItself: boolean): JsonSchema {
  const reachable = findReachable(model, doc, withItself)
  const [only] = reachable
  if (!only) return { type: 'array', items: {}, maxItems: 0 }
  const includesItself = withItself || reachable.includes(model)
  const create = (): JsonSchema => ({ oneOf: reachable.map((related) => resourceSchema(related, doc)) })
  const { included } = modelSchemaNames(doc, model)
  const includesAll = reachable.length === doc.includable.size
  const listOfAny = (items: JsonSchema): JsonSchema => ({ type: 'array', items, uniqueItems: true })
  if (reachable.length === 1) return listOfAny(resourceSchema(only, doc))
  if (!includesAll) return listOfAny(doc.components.schema(includesItself ? included.many : included.one, create))
  return sharedSchema(doc, 'Included', () => listOfAny(sharedSchema(doc, 'IncludedResource', create)))
}

function findReachable(model: RestModel, { models, context }: RestDocumentContext, withItself: boolean): RestModel[] {
  const reachable = new Set<RestModel>(withItself ? [model] : [])
  let edge: readonly RestModel[] = [model]
  for (let step = 0; step < Math.min(context.settings.limits.includeDepth, models.length) && edge.length > 0; step++) {
    const next = edge.flatMap((current) =>
      [...current.relationships.values()].filter(mayRead).map(({ target }) => target),
    )
    edge = next.filter((target) => !reachable.has(target))
    for (const target of edge) reachable.add(target)
  }
  return models.filter((candidate) => reachable.has(candidate))
}

function pageLinks(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'PageLinks', () => {
    const links = { self: LINK, first: LINK, last: PAGE_LINK, prev: PAGE_LINK, next: PAGE_LINK }
    return closedObject(links, Object.keys(links))
  })
}

function pageMeta(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'PageMeta', () =>
    closedObject({
      ...serialization(doc),
      total: TOTAL,
      ...(doc.context.settings.features.cursors && { page: closedObject(PAGE) }),
    }),
  )
}

function plainMeta(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'Meta', () => closedObject(serialization(doc)))
}

/** Returns the schema of superjson's annotations in a response (contract 2.5). */
function serialization(doc: RestDocumentContext): Readonly<Record<string, JsonSchema>> {
  const schema = sharedSchema(doc, 'Serialization', () => ({
    type: 'object',
    description: 'Original types of values, as superjson annotations by path.',
    properties: {
      values: { type: 'object', additionalProperties: { type: 'array', items: {} } },
      v: { const: 1 },
    },
    required: ['values'],
    additionalProperties: false,
  }))
  return { serialization: schema }
}

/** Returns the schema of superjson's annotations in a request. Only the types of fields are accepted. */
function requestSerialization(doc: RestDocumentContext): Readonly<Record<string, JsonSchema>> {
  const schema = sharedSchema(doc, 'RequestSerialization', () => ({
    type: 'object',
    description:
      'Original types of values, as superjson annotations by path. Not needed for values that match the schemas.',
    properties: {
      values: { type: 'object', additionalProperties: { enum: ANNOTATIONS } },
      v: { const: 1 },
    },
    additionalProperties: false,
  }))
  return { serialization: schema }
}

function requestMeta(doc: RestDocumentContext): Reference {
  return sharedSchema(doc, 'RequestMeta', () => closedObject(requestSerialization(doc)))
}

const ANNOTATIONS = [
  ['Date'],
  ['bigint'],
  [['custom', 'Decimal']],
  [['custom', 'Bytes']],
  [['typed-array', 'Uint8Array']],
]
