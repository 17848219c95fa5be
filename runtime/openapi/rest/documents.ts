import { JSONAPI } from '../../rest/document/document.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { mayRead } from '../../rest/permissions.js'
import { bodyField } from '../../rest/written-field.js'
import type { JsonSchema, Reference } from '../document.js'
import { capitalize } from '../names.js'
import { nullable } from '../schemas/field-schema.js'
import { LINK, modelSchemaNames, PAGE_LINK, type RestDocumentContext, sharedSchema } from './context.js'
import { closedObject } from '../schemas/shapes.js'
import { createSchema, identifierSchema, resourceSchema, selfLinks, updateSchema } from './resources.js'

/** The schema of `jsonapi`. */
export function jsonapiSchema(described: RestDocumentContext): Reference {
  return sharedSchema(described, 'JsonApi', () => closedObject({ version: { const: JSONAPI.version } }, ['version']))
}

/** A document with one resource (contract 2.3). */
export function documentSchema(model: RestModel, described: RestDocumentContext): Reference {
  const { document } = modelSchemaNames(described, model)
  return described.components.schema(document, () =>
    compound(model, described, { data: resourceSchema(model, described), links: selfLinks(described) }),
  )
}

/** A document with one resource or with none: what a to-one relation leads to. */
export function relatedSchema(model: RestModel, described: RestDocumentContext): Reference {
  return described.components.schema(modelSchemaNames(described, model).related, () =>
    compound(model, described, { data: nullable(resourceSchema(model, described)), links: selfLinks(described) }),
  )
}

/** A page of a collection. */
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

/** A relationship's linkage, or a page of it. */
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

/** The body of a create, which may be an upsert (contract 4.1, rule 4). */
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
 * The schema of the body of a create whose URL gives a relationship.
 * @param back the relationship
 */
export function createMemberSchema(model: RestModel, back: Relationship, described: RestDocumentContext): Reference {
  return sharedSchema(
    described,
    `${modelSchemaNames(described, model).resource}Create${capitalize(back.name)}Member`,
    () =>
      closedObject({ data: createSchema(model, described, back), meta: closedObject(sentSerialization(described)) }, [
        'data',
      ]),
  )
}

/** The body of an update. */
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

/** What the cursor pagination profile says of a page. */
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
  /** Whether the resources themselves are not there but for `included`. */
  readonly isLinkage?: boolean
}

/** A compound document: with `included` where the request asked for it. */
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
 * What may be included: one of closed schemas, told apart by `type`. Models from which everything can be reached share one list, so that
 * a document does not grow with the square of its models.
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

/** What JSON cannot say of the values beside it, as superjson notes it (contract 2.5). */
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

/** The same in requests, where other types than those of fields are refused. */
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

/** Where a field's value stands in a body: as an attribute, the id apart, which only matches. */
function wireOf(model: RestModel, name: string): string | undefined {
  return model.model.readOnly.has(name) ? undefined : bodyField(model, name)?.wire
}
