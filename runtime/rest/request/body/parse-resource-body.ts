import { type ErrorDetail, RequestError, throwErrors } from '../../../errors/request-error.js'
import type { Limits } from '../../../limits.js'
import { serializeKey } from '../../../prisma/keys.js'
import { isObject } from '../../../values/is-object.js'
import { parseAttributes, parseScalar, type Scalars } from './parse-attributes.js'
import { acceptsId, type Relationship, type RestModel } from '../../rest-model.js'
import {
  isAtMember,
  type JsonObject,
  expectObject,
  errorAt,
  malformedDocument,
  childPointer,
} from '../request-errors.js'
import { MISSING } from '../../../values/value-error.js'
import { rowId, type IdValues, parseLenientId, idString, unsafeIdError, isUnsafeInteger } from '../resource-id.js'
import { checkReplaceable, type Linkage, parseLinkage } from './parse-linkage.js'
import { isReadOnly } from '../../relationship-capabilities.js'

/** The parsed and validated resource of a body. */
export interface ResourceInput {
  /** The scalar values in Prisma's format, including ids. */
  readonly scalars: Scalars
  readonly linkages: RelationshipInputs
}

/** The relationships of a body, by name. */
export type RelationshipInputs = ReadonlyMap<string, RelationshipInput>

/** A relationship of a body. */
export interface RelationshipInput {
  readonly relationship: Relationship
  readonly linkage: Linkage
  /** The pointer to the linkage. */
  readonly pointer: string
}

/** The context in which a body is parsed. */
export interface BodyContext {
  readonly model: RestModel
  readonly limits: Limits
}

/**
 * Parses the resource in the body of a create request (JSON:API "Creating Resources").
 * @throws RequestError with all errors of the body
 */
export function parseCreate(document: JsonObject, context: BodyContext): ResourceInput {
  const { model } = context
  const { resource, errors } = parseResource(document, model)
  const scalars = parseAttributes(resource, model, errors)
  const fromId = parseClientId(resource, model, scalars, errors)
  const linkages = parseRelationships(resource['relationships'], context, errors)
  reconcileForeignKeys(fromId, scalars, linkages, errors)
  checkRequired(scalars, linkages, model, resource, errors)
  throwErrors(errors)
  return { scalars, linkages }
}

/**
 * Parses the resource in the body of an update request (JSON:API "Updating Resources").
 * @param id the id in the URL
 * @throws RequestError with all errors of the body
 */
export function parseUpdate(document: JsonObject, id: IdValues, context: BodyContext): ResourceInput {
  const { model } = context
  const { resource, errors } = parseResource(document, model)
  if (resource['id'] !== undefined) {
    if (isUnsafeInteger(resource['id'])) errors.push(unsafeIdError('/data/id'))
    else if (idString(resource['id']) !== rowId(model.id, id)) {
      // Ids have only one spelling, so they can be compared as text.
      errors.push(errorAt('id-conflict', '/data/id', 'The id differs from the id in the URL.'))
    }
  }
  const scalars = parseAttributes(resource, model, errors)
  const linkages = parseRelationships(resource['relationships'], context, errors)
  reconcileForeignKeys(NO_FIELDS, scalars, linkages, errors)
  validateReplacements(linkages, errors)
  throwErrors(errors)
  return { scalars, linkages }
}

/** Adds an error for each relationship that would be cleared although it must not be empty. */
export function validateReplacements(linkages: RelationshipInputs, errors: ErrorDetail[]): void {
  for (const { relationship, linkage, pointer } of linkages.values()) {
    checkReplaceable(relationship, linkage, pointer, errors)
  }
}

/** Returns the resource in a body and checks its type. */
function parseResource(document: JsonObject, model: RestModel): { resource: JsonObject; errors: ErrorDetail[] } {
  const resource = document['data']
  if (resource === undefined) throw malformedDocument('The body must contain "data": one resource.', '')
  if (!isObject(resource)) throw malformedDocument('Must be one resource: an object.', '/data')
  const { type } = resource
  if (typeof type !== 'string') throw malformedDocument('A resource must have a "type" that is a string.', '/data')
  if (type !== model.type) {
    throw new RequestError(errorAt('type-conflict', '/data/type', `The type must be "${model.type}".`))
  }
  return { resource, errors: [] }
}

const NO_LINKAGES: RelationshipInputs = new Map()

function parseRelationships(
  relationships: unknown,
  { model, limits }: BodyContext,
  errors: ErrorDetail[],
): RelationshipInputs {
  if (relationships === undefined) return NO_LINKAGES
  const linkages = new Map<string, RelationshipInput>()
  const input = expectObject(relationships, '/data/relationships', errors)
  for (const name of Object.keys(input)) {
    if (isAtMember(name)) continue
    const value = input[name]
    const pointer = childPointer('/data/relationships', name)
    const relationship = model.relationships.get(name)
    if (!relationship) {
      errors.push(errorAt('unknown-relationship', pointer, `"${model.type}" has no relationship "${name}".`))
    } else if (isReadOnly(relationship, model)) {
      errors.push(errorAt('read-only', pointer, `"${name}" cannot be written.`))
    } else if (!isObject(value) || value['data'] === undefined) {
      errors.push(errorAt('malformed-document', pointer, 'Must be an object with "data".'))
    } else {
      const linkagePointer = childPointer(pointer, 'data')
      const linkage = parseLinkage(relationship, value['data'], linkagePointer, limits, errors)
      if (linkage) linkages.set(name, { relationship, linkage, pointer: linkagePointer })
    }
  }
  return linkages
}

const NO_FIELDS: ReadonlySet<string> = new Set()

/**
 * Parses the client-generated id of a new resource. The fields of the id are written and validated like attributes.
 * @returns the id fields that are not given as attributes
 */
function parseClientId(
  resource: JsonObject,
  model: RestModel,
  scalars: Scalars,
  errors: ErrorDetail[],
): ReadonlySet<string> {
  if (resource['id'] === undefined) return NO_FIELDS
  const pointer = '/data/id'
  if (!acceptsId(model)) {
    errors.push(errorAt('client-id-forbidden', pointer, `The server generates the ids of "${model.type}".`))
    return NO_FIELDS
  }
  if (isUnsafeInteger(resource['id'])) {
    errors.push(unsafeIdError(pointer))
    return NO_FIELDS
  }
  const text = idString(resource['id'])
  const values = text === undefined ? undefined : parseLenientId(model.id, text)
  if (!values) {
    errors.push(errorAt('invalid-value', pointer, `This is not a valid id of a "${model.type}".`))
    return NO_FIELDS
  }
  const fromId = new Set<string>()
  const attributes = new Map(scalars)
  for (const { name, field } of model.id.fields) {
    if (!attributes.has(name)) fromId.add(name)
    parseScalar(scalars, { name, wire: name, field }, values[name], () => pointer, errors)
  }
  const contradicted = model.id.fields.find(({ name }) => {
    return attributes.has(name) && String(attributes.get(name)) !== String(scalars.get(name))
  })
  if (contradicted) {
    errors.push(
      errorAt('invalid-value', childPointer('/data/attributes', contradicted.name), 'The value differs from the id.'),
    )
  }
  return fromId
}

/**
 * Checks that the foreign keys of the relationships contradict neither each other nor the id, which may contain them, and that no attribute
 * sets them. If the id and a relationship contain the same field, the relationship is written.
 * @param fromId fields that only the id provides; removed from `scalars` if a relationship provides them too
 */
function reconcileForeignKeys(
  fromId: ReadonlySet<string>,
  scalars: Scalars,
  linkages: RelationshipInputs,
  errors: ErrorDetail[],
): void {
  const written = new Map<string, { readonly key: string; readonly source: string }>()
  for (const name of fromId) {
    if (!scalars.has(name)) continue
    written.set(name, { key: serializeKey([name], Object.fromEntries(scalars)), source: 'data.id' })
  }
  for (const { relationship, linkage, pointer } of linkages.values()) {
    const target = linkage.many ? null : linkage.target
    for (const [name, reference] of Object.entries(relationship.relation.foreignKey ?? {})) {
      if (fromId.has(name)) scalars.delete(name)
      else if (scalars.has(name)) {
        const detail = `"${name}" is the foreign key of the relationship "${relationship.name}". Send only one.`
        errors.push(errorAt('invalid-value', childPointer('/data/attributes', name), detail))
        continue
      }
      const other = written.get(name)
      const key = target && Object.hasOwn(target, reference) ? serializeKey([reference], target) : undefined
      if (!other) {
        if (key !== undefined) written.set(name, { key, source: relationship.name })
        // An empty relationship leaves a shared field to the other one.
      } else if (key !== other.key && (key !== undefined || fromId.has(name))) {
        const detail = `"${relationship.name}" contradicts "${other.source}", which sets the same field.`
        errors.push(errorAt('invalid-value', target ? childPointer(pointer, 'id') : pointer, detail))
        break
      }
    }
  }
}

function checkRequired(
  scalars: Scalars,
  linkages: RelationshipInputs,
  model: RestModel,
  resource: JsonObject,
  errors: ErrorDetail[],
): void {
  const attributes: object = Object(resource['attributes'])
  const addError = (pointer: string, what: string) =>
    errors.push({ ...errorAt('missing-attribute', pointer, `${what} is required.`), ...MISSING })
  for (const name of model.model.requiredRelations) {
    if (!model.relationships.has(name) || isLinked(linkages.get(name)) || hasLinkageError(resource, name, linkages))
      continue
    addError(childPointer('/data/relationships', name), `The relationship "${name}"`)
  }
  for (const { name, wire } of model.required) {
    if (scalars.has(name) || Object.hasOwn(attributes, wire)) continue
    // An invalid id was already reported.
    if (resource['id'] !== undefined && model.id.fields.some((part) => part.name === name)) continue
    const keys = model.foreignKeys.get(name) ?? []
    if (keys.some(({ relation }) => isLinked(linkages.get(relation)))) continue
    if (keys.some(({ relation }) => hasLinkageError(resource, relation, linkages))) continue
    const relationships = keys.flatMap((key) => model.relationships.get(key.relation) ?? [])
    const writable = relationships.find((relationship) => !isReadOnly(relationship, model))
    const what = name === 'id' ? 'The id' : `The attribute "${wire}"`
    // Points to where the missing value is or would be, so that forms can show the error next to its input.
    const [linkage] = keys.flatMap((key) => linkages.get(key.relation)?.pointer ?? [])
    const pointer = name === 'id' ? '/data' : (linkage ?? childPointer('/data/attributes', wire))
    addError(pointer, writable ? `${what} or the relationship "${writable.name}"` : what)
  }
}

function isLinked(input: RelationshipInput | undefined): boolean {
  return input !== undefined && !input.linkage.many && input.linkage.target !== null
}

/** Whether the request contains an invalid relationship, whose error was already reported. */
function hasLinkageError(resource: JsonObject, relation: string, linkages: RelationshipInputs): boolean {
  return Object.hasOwn(Object(resource['relationships']), relation) && !linkages.has(relation)
}
