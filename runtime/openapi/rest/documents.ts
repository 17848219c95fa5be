import { JSONAPI } from '../../rest/document/document.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { mayRead } from '../../rest/permissions.js'
import { bodyField } from '../../rest/body-field.js'
import type { JsonSchema, Reference } from '../document.js'
import { capitalize } from '../names.js'
import { nullable } from '../schemas/field-schema.js'
import { LINK, modelSchemaNames, PAGE_LINK, type RestDocumentContext, sharedSchema } from './context.js'
import { closedObject } from '../schemas/shapes.js'
import { createSchema, identifierSchema, resourceSchema, selfLinks, updateSchema } from './resources.js'

/** Returns the schema of `jsonapi`. */
export function jsonapiSchema(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'JsonApi', () => closedObject({ version: { const: JSONAPI.version } }, ['version']))
}

/** Returns the schema of a document with one resource (contract 2.3). */
export function documentSchema(model: RestModel, described: RestDocumentContext): Reference {
  const { document } = modelSchemaNames(described, model)
  return described.components.schema(document, () =>
    compound(model, described, { data: resourceSchema(model, described), links: selfLinks(described) }),
  )
}

/** Returns the schema of a document with a resource or null, for a to-one relation. */
export function relatedSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).related, () =>
    compound(model, described, { data: nullable(resourceSchema(model, described)), links: selfLinks(described) }),
  )
}

/** Returns the schema of a page of a collection. */
export function collectionSchema(model: RestModel, described: RestDocumentContext): Reference {
  const { collection } = modelSchemaNames(described, model)
  return described.components.schema(collection, () =>
    compound(model, described, {
      data: { type: 'array', items: resourceSchema(model, described) },
      links: pageLinks(described),
      total: true,
    }),
  )
}

/** Returns the schema of a relationship's linkage, or of a page of it. */
export function linkageDocumentSchema(
  { relation, target }: Relationship,
  described: RestDocumentContext,
  isCompound: boolean,
): Reference {
  const { linkageDocument, compoundLinkageDocument } = modelSchemaNames(described, target)
  const names = isCompound ? compoundLinkageDocument : linkageDocument
  return described.components.schema(relation.many ? names.many : names.one, () => {
    const identifier = identifierSchema(target, described)
    const data: JsonSchema = relation.many ? { type: 'array', items: identifier } : nullable(identifier)
    const links = relation.many ? pageLinks(described) : selfLinks(described)
    if (isCompound) return compound(target, described, { data, links, total: relation.many === true, isLinkage: true })
    const meta = relation.many ? { meta: pageMeta(described) } : {}
    const members = { data, jsonapi: jsonapiSchema(described), links }
    return closedObject({ ...members, ...meta }, Object.keys(members))
  })
}

/** Returns the schema of the body of a create, which may be an upsert (contract 4.1, rule 4). */
export function createDocumentSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).create, () => {
    const { operations } = model.model
    const fields = matchFields(model)
    const upsert: Readonly<Record<string, JsonSchema>> =
      operations.has('update') && fields.length > 0
        ? {
            operation: { const: 'upsert', description: 'Updates the resource that matches, or creates it.' },
            matchFields: {
              type: 'array',
              items: { type: 'string', enum: fields },
              minItems: 1,
              uniqueItems: true,
              description: `The fields of a unique constraint, each with a value in the attributes: ${uniquesOf(model).join('; ')}.`,
            },
          }
        : {}
    const meta: JsonSchema = {
      ...closedObject({ ...sentSerialization(described), ...upsert }),
      ...('operation' in upsert && {
        dependentRequired: { operation: ['matchFields'], matchFields: ['operation'] },
      }),
    }
    return closedObject({ data: createSchema(model, described), meta }, ['data'])
  })
}

/**
 * Returns the schema of the body of a create whose URL implies a relationship.
 * @param inverse the relationship
 */
export function createMemberSchema(model: RestModel, inverse: Relationship, described: RestDocumentContext): Reference {
  return sharedSchema(
    described,
    `${modelSchemaNames(described, model).resource}Create${capitalize(inverse.name)}Member`,
    () =>
      closedObject(
        { data: createSchema(model, described, inverse), meta: closedObject(sentSerialization(described)) },
        ['data'],
      ),
  )
}

/** Returns the schema of the body of an update. */
export function updateDocumentSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).update, () =>
    closedObject({ data: updateSchema(model, described), meta: sentMeta(described) }, ['data']),
  )
}

const TOTAL: JsonSchema = {
  type: 'integer',
  minimum: 0,
  description:
    'How many there are in all. Pages that cursors give have it in `page`; `page[total]=none` leaves it out.',
}

/** The members that the cursor pagination profile defines for a page. */
const PAGE: Readonly<Record<string, JsonSchema>> = {
  total: { type: 'integer', minimum: 0 },
  rangeTruncated: { const: true },
}

const ESTIMATED: Readonly<Record<string, JsonSchema>> = {
  estimatedTotal: closedObject({ bestGuess: { type: 'integer', minimum: 0 } }, ['bestGuess']),
}

interface CompoundParts {
  readonly data: JsonSchema
  readonly links: JsonSchema
  readonly total?: boolean
  /** Whether the primary data is linkage, so that the resources themselves are only in `included`. */
  readonly isLinkage?: boolean
}

/** Returns the schema of a compound document, with `included` if it is requested. */
function compound(model: RestModel, described: RestDocumentContext, parts: CompoundParts): JsonSchema {
  const { data, links, total = false, isLinkage = false } = parts
  const included = includedSchema(model, described, isLinkage)
  const meta = total ? pageMeta(described) : plainMeta(described)
  return closedObject({ data, ...(included && { included }), jsonapi: jsonapiSchema(described), links, meta }, [
    'data',
    'jsonapi',
    'links',
  ])
}

/**
 * Returns the schema of the included resources: a list of closed schemas with different `type`s. Models that reach all includable models
 * share one list, so that the document does not grow with the square of the number of models.
 */
function includedSchema(model: RestModel, described: RestDocumentContext, withItself: boolean): JsonSchema {
  const reached = reachableFrom(model, described, withItself)
  const [only] = reached
  if (!only) return { type: 'array', items: {}, maxItems: 0 }
  const isThere = withItself || reached.includes(model)
  const make = (): JsonSchema => ({ oneOf: reached.map((one) => resourceSchema(one, described)) })
  const { included } = modelSchemaNames(described, model)
  const isAll = reached.length === described.includable.size
  const items =
    reached.length === 1
      ? resourceSchema(only, described)
      : isAll
        ? sharedSchema(described, 'IncludedResource', make)
        : described.components.schema(isThere ? included.many : included.one, make)
  return { type: 'array', items, uniqueItems: true }
}

function reachableFrom(model: RestModel, { models, context }: RestDocumentContext, withItself: boolean): RestModel[] {
  const reached = new Set<RestModel>(withItself ? [model] : [])
  let edge: readonly RestModel[] = [model]
  for (let step = 0; step < Math.min(context.settings.limits.includeDepth, models.length) && edge.length > 0; step++) {
    const next = edge.flatMap((one) => [...one.relationships.values()].filter(mayRead).map(({ target }) => target))
    edge = next.filter((one) => !reached.has(one))
    for (const one of edge) reached.add(one)
  }
  return models.filter((one) => reached.has(one))
}

function pageLinks(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'PageLinks', () => {
    const links = { self: LINK, first: LINK, last: PAGE_LINK, prev: PAGE_LINK, next: PAGE_LINK }
    return closedObject(links, Object.keys(links))
  })
}

function pageMeta(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'PageMeta', () => {
    const estimated = described.context.settings.estimates ? ESTIMATED : {}
    return closedObject({
      ...serialization(described),
      total: TOTAL,
      ...estimated,
      page: closedObject({ ...PAGE, ...estimated }),
    })
  })
}

function plainMeta(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'Meta', () => closedObject(serialization(described)))
}

/** Returns the schema of superjson's annotations in a response (contract 2.5). */
function serialization(described: RestDocumentContext): Readonly<Record<string, JsonSchema>> {
  const schema = sharedSchema(described, 'Serialization', () => ({
    type: 'object',
    description: "What the values were before they became JSON: superjson's annotations, by their paths.",
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
function sentSerialization(described: RestDocumentContext): Readonly<Record<string, JsonSchema>> {
  const schema = sharedSchema(described, 'SentSerialization', () => ({
    type: 'object',
    description:
      'What values were before they became JSON, by their paths. Values that are as described here need none of it.',
    properties: {
      values: { type: 'object', additionalProperties: { enum: ANNOTATIONS } },
      v: { const: 1 },
    },
    additionalProperties: false,
  }))
  return { serialization: schema }
}

function sentMeta(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'SentMeta', () => closedObject(sentSerialization(described)))
}

const ANNOTATIONS = [
  ['Date'],
  ['bigint'],
  [['custom', 'Decimal']],
  [['custom', 'Bytes']],
  [['typed-array', 'Uint8Array']],
]

function uniquesOf(model: RestModel): readonly string[] {
  return [...model.model.uniques.values()].flatMap((fields) => {
    const wires = fields.map((name) => wireOf(model, name))
    return wires.some((wire) => wire === undefined) ? [] : [wires.join(' with ')]
  })
}

function matchFields(model: RestModel): readonly string[] {
  const names = [...model.model.uniques.values()].flat().map((name) => wireOf(model, name))
  return [...new Set(names)].flatMap((name) => name ?? [])
}

/** Returns the name of a field in a body, or undefined if callers cannot write it. The id only matches existing resources. */
function wireOf(model: RestModel, name: string): string | undefined {
  return model.model.readOnly.has(name) ? undefined : bodyField(model, name)?.wire
}
