import { type ErrorDetail, RequestError, throwErrors } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { serializeKey } from '../../orm/keys.js'
import { isObject } from '../../values/is-object.js'
import { hasGeneratedId, parseAttributes, parseScalar, type Scalars } from './attributes.js'
import { childPointer, errorAt, isAtMember, type JsonObject, malformedDocument, objectAt } from './body.js'
import { MISSING_MESSAGE } from '../../values/from-json.js'
import { canonicalId, type IdValues, parseLenientId } from './id.js'
import { checkReplaceable, idString, unsafeIdError, isUnsafeInteger, type Linkage, parseLinkage } from './linkage.js'
import type { Relationship, RestModel } from '../model.js'
import { isReadOnly } from '../permissions.js'

/** What a body gives of a resource, checked. */
export interface ResourceInput {
  /** Its scalars, ids included, as Prisma takes them. */
  readonly scalars: Scalars
  readonly linkages: RelationshipInputs
}

/** The relationships that a body gives, by name. */
export type RelationshipInputs = ReadonlyMap<string, RelationshipInput>

/** A relationship that a body gives. */
export interface RelationshipInput {
  readonly relationship: Relationship
  readonly linkage: Linkage
  /** Where the linkage is in the body. */
  readonly pointer: string
}

/** What reading a body needs to know. */
export interface BodyContext {
  readonly model: RestModel
  readonly limits: Limits
}

/**
 * Reads the resource in the body of a create (JSON:API "Creating Resources").
 * @throws RequestError with all faults of the body
 */
export function parseCreate(document: JsonObject, context: BodyContext): ResourceInput {
  const { model } = context
  const { resource, faults } = readResource(document, model)
  const scalars = parseAttributes(resource, model, faults)
  const fromId = readClientId(resource, model, scalars, faults)
  const linkages = readRelationships(resource['relationships'], context, faults)
  settleId(fromId, scalars, linkages, faults)
  checkForeignKeys(scalars, linkages, faults)
  checkRequired(scalars, linkages, model, resource, faults)
  throwErrors(faults)
  return { scalars, linkages }
}

/**
 * Reads the resource in the body of an update (JSON:API "Updating Resources").
 * @param id the id in the URL
 * @throws RequestError with all faults of the body
 */
export function parseUpdate(document: JsonObject, id: IdValues, context: BodyContext): ResourceInput {
  const { model } = context
  const { resource, faults } = readResource(document, model)
  if (resource['id'] !== undefined) {
    if (isUnsafeInteger(resource['id'])) faults.push(unsafeIdError('/data/id'))
    else if (idString(resource['id']) !== canonicalId(model.id, id)) {
      // An id has one spelling, so there is no need to read it.
      faults.push(errorAt('id-conflict', '/data/id', 'It is not the id in the URL.'))
    }
  }
  const scalars = parseAttributes(resource, model, faults)
  const linkages = readRelationships(resource['relationships'], context, faults)
  checkForeignKeys(scalars, linkages, faults)
  validateReplacements(linkages, faults)
  throwErrors(faults)
  return { scalars, linkages }
}

/** Notes a fault for each relationship that would be emptied and cannot be. */
export function validateReplacements(linkages: RelationshipInputs, faults: ErrorDetail[]): void {
  for (const { relationship, linkage, pointer } of linkages.values()) {
    checkReplaceable(relationship, linkage, pointer, faults)
  }
}

/** The one resource in a body, of this type. */
function readResource(document: JsonObject, model: RestModel): { resource: JsonObject; faults: ErrorDetail[] } {
  const resource = document['data']
  if (resource === undefined) throw malformedDocument('The body needs data: one resource.', '')
  if (!isObject(resource)) throw malformedDocument('It must be one resource: an object.', '/data')
  const { type } = resource
  if (typeof type !== 'string') throw malformedDocument('A resource needs a type, which is a string.', '/data')
  if (type !== model.type) {
    throw new RequestError(errorAt('type-conflict', '/data/type', `Resources here are of type "${model.type}".`))
  }
  return { resource, faults: [] }
}

const NO_LINKAGES: RelationshipInputs = new Map()

function readRelationships(
  relationships: unknown,
  { model, limits }: BodyContext,
  faults: ErrorDetail[],
): RelationshipInputs {
  if (relationships === undefined) return NO_LINKAGES
  const linkages = new Map<string, RelationshipInput>()
  const given = objectAt(relationships, '/data/relationships', faults)
  for (const name of Object.keys(given)) {
    if (isAtMember(name)) continue
    const value = given[name]
    const pointer = childPointer('/data/relationships', name)
    const relationship = model.relationships.get(name)
    if (!relationship) {
      faults.push(errorAt('unknown-relationship', pointer, `"${model.type}" has no relationship "${name}".`))
    } else if (isReadOnly(relationship, model)) {
      faults.push(errorAt('read-only', pointer, `"${name}" cannot be written.`))
    } else if (!isObject(value) || value['data'] === undefined) {
      faults.push(errorAt('malformed-document', pointer, 'It must be an object with data.'))
    } else {
      const at = childPointer(pointer, 'data')
      const linkage = parseLinkage(relationship, value['data'], at, limits, faults)
      if (linkage) linkages.set(name, { relationship, linkage, pointer: at })
    }
  }
  return linkages
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/**
 * An id that the client chose: its fields are written, and checked, like attributes.
 * @returns those fields that no attribute gives
 */
function readClientId(
  resource: JsonObject,
  model: RestModel,
  scalars: Scalars,
  faults: ErrorDetail[],
): ReadonlySet<string> {
  if (resource['id'] === undefined) return NO_FIELDS
  const pointer = '/data/id'
  if (hasGeneratedId(model) || model.id.fields.some(({ name }) => model.model.readOnly.has(name))) {
    faults.push(errorAt('client-id-forbidden', pointer, `The ids of "${model.type}" are made here, not by clients.`))
    return NO_FIELDS
  }
  if (isUnsafeInteger(resource['id'])) {
    faults.push(unsafeIdError(pointer))
    return NO_FIELDS
  }
  const text = idString(resource['id'])
  const values = text === undefined ? undefined : parseLenientId(model.id, text)
  if (!values) {
    faults.push(errorAt('invalid-value', pointer, `It is no id of "${model.type}".`))
    return NO_FIELDS
  }
  const fromId = new Set<string>()
  const attributes = new Map(scalars)
  for (const { name, field } of model.id.fields) {
    if (!attributes.has(name)) fromId.add(name)
    parseScalar(scalars, { name, wire: name, field }, values[name], () => pointer, faults)
  }
  const contradicted = model.id.fields.find(({ name }) => {
    return attributes.has(name) && String(attributes.get(name)) !== String(scalars.get(name))
  })
  if (contradicted) {
    faults.push(
      errorAt('invalid-value', childPointer('/data/attributes', contradicted.name), 'It is not what the id says.'),
    )
  }
  return fromId
}

/**
 * A relationship may say again what an id says already: the row that it leads to. Then the relationship is written.
 * @param fromId fields that the id alone gives; their values are taken out of `scalars` where a relationship gives them too
 */
function settleId(
  fromId: ReadonlySet<string>,
  scalars: Scalars,
  linkages: RelationshipInputs,
  faults: ErrorDetail[],
): void {
  if (fromId.size === 0) return
  const values = new Map(scalars)
  for (const { relationship, linkage, pointer } of linkages.values()) {
    if (linkage.many) continue
    for (const [name, reference] of Object.entries(relationship.relation.foreignKey ?? {})) {
      if (!fromId.has(name) || !values.has(name)) continue
      scalars.delete(name)
      const { target } = linkage
      if (target && serializeKey([reference], target) === serializeKey([reference], { [reference]: values.get(name) }))
        continue
      const at = target ? childPointer(pointer, 'id') : pointer
      faults.push(errorAt('invalid-value', at, `It is not what "data.id" says of "${relationship.name}".`))
      break
    }
  }
}

function checkForeignKeys(scalars: Scalars, linkages: RelationshipInputs, faults: ErrorDetail[]): void {
  for (const { relationship } of linkages.values()) {
    for (const name of Object.keys(relationship.relation.foreignKey ?? {})) {
      if (!scalars.has(name)) continue
      const detail = `"${name}" and the relationship "${relationship.name}" are the same; only one of them can be given.`
      faults.push(errorAt('invalid-value', childPointer('/data/attributes', name), detail))
    }
  }
}

function checkRequired(
  scalars: Scalars,
  linkages: RelationshipInputs,
  model: RestModel,
  resource: JsonObject,
  faults: ErrorDetail[],
): void {
  const given = isObject(resource['attributes']) ? resource['attributes'] : undefined
  for (const name of model.model.requiredRelations) {
    if (!model.relationships.has(name) || isLinked(linkages.get(name)) || hasFault(resource, name, linkages)) continue
    const pointer = childPointer('/data/relationships', name)
    const error = errorAt('missing-attribute', pointer, `The relationship "${name}" must be given.`)
    faults.push({ ...error, message: MISSING_MESSAGE })
  }
  for (const { name, wire } of model.required) {
    if (scalars.has(name) || (given && Object.hasOwn(given, wire))) continue
    // An id that was given but is none has its own fault.
    if (resource['id'] !== undefined && model.id.fields.some((part) => part.name === name)) continue
    const keys = model.foreignKeys.get(name) ?? []
    if (keys.some(({ relation }) => isLinked(linkages.get(relation)))) continue
    if (isObject(resource['relationships']) && keys.some(({ relation }) => hasFault(resource, relation, linkages)))
      continue
    const relation = keys.find((key) => model.relationships.has(key.relation))?.relation
    const what = name === 'id' ? 'The id' : `The attribute "${wire}"`
    const detail = relation ? `${what} or the relationship "${relation}" must be given.` : `${what} must be given.`
    // At the place where it belongs, for forms to show it there, though the request has nothing at it.
    const pointer = name === 'id' ? '/data' : childPointer('/data/attributes', wire)
    faults.push({ ...errorAt('missing-attribute', pointer, detail), message: MISSING_MESSAGE })
  }
}

function isLinked(given: RelationshipInput | undefined): boolean {
  return given !== undefined && !given.linkage.many && given.linkage.target !== null
}

/** Whether a relationship was given but had a fault of its own, so that there is nothing to add about it. */
function hasFault(resource: JsonObject, relation: string, linkages: RelationshipInputs): boolean {
  const given = resource['relationships']
  return isObject(given) && Object.hasOwn(given, relation) && !linkages.has(relation)
}
