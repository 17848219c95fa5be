import { prismaMeta } from '../../errors/driver-error.js'
import { classifyDatabaseError } from '../../errors/database-error.js'
import { ormErrorMembers } from '../../errors/from-prisma.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { isAboutColumns, violatedColumn } from '../../errors/violated-column.js'
import { violatedForeignKey } from '../../errors/violated-foreign-key.js'
import type { Schema } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { childPointer, type JsonObject } from '../request/body.js'
import { notFoundError } from '../context.js'
import type { Linkage } from '../request/linkage.js'
import type { RestModel } from '../model.js'
import type { ResourceInput } from '../request/resource-body.js'
import { bodyField } from '../written-field.js'

/** A relationship that a request gives, and where its linkage stands in the body. */
interface Linked {
  readonly linkage: Linkage
  readonly pointer: string
  /** The name of the model at its other end. */
  readonly model: string
}

/** Whether a write failed because a row was not there: the one to update, or one to connect. */
export function isMissing(error: unknown): boolean {
  return classifyDatabaseError(error) === 'not-found'
}

/**
 * Says where in the body of a create or an update the fault is that the database found: a value that is not unique, a
 * related resource that does not exist. As it came where neither the error nor the request tells.
 * @param document the body
 * @param given what was read of it
 */
export function locateConstraintError(
  error: unknown,
  schema: Schema,
  model: RestModel,
  document: JsonObject,
  given: ResourceInput,
): unknown {
  const fault = classifyDatabaseError(error)
  const isKey = fault === 'foreign-key-violation'
  if (isKey || isAboutColumns(fault)) {
    const about = isKey
      ? violatedForeignKey(model.model, (name) => given.scalars.get(name))
      : violatedColumn(error, model.model)
    return withPointer(error, schema, (fields) => fieldsPointer(fields, model, document, given), about)
  }
  const linked = [...given.linkages.values()].map(({ relationship, linkage, pointer }) => {
    return { linkage, pointer, model: relationship.relation.model }
  })
  return locateMissingTarget(error, schema, linked)
}

/**
 * Says that the resource itself is not there, where the client's error tells so, or that what is to be deleted is still needed.
 * @param isDelete whether the request deletes the resource
 */
export function explainMissingResource(error: unknown, model: RestModel, isDelete = false): RequestError | undefined {
  const meta = prismaMeta(error)
  if (meta['modelName'] !== model.model.name) return undefined
  const fault = classifyDatabaseError(error)
  if (fault === 'not-found' && (meta['operation'] === 'an update' || meta['operation'] === 'a delete')) {
    return new RequestError({ ...notFoundError(model).faults[0], ...ormErrorMembers(error) })
  }
  if (fault !== 'foreign-key-violation' || !isDelete) return undefined
  const detail = 'Other records still refer to this one.'
  return new RequestError({ code: 'foreign-key-violation', detail, ...ormErrorMembers(error) })
}

/** Says which linkage it is whose resource does not exist, where the error can mean one only of those that a request gives. */
export function locateMissingTarget(error: unknown, schema: Schema, linked: readonly Linked[]): unknown {
  // Another row already has the foreign key of a one-to-one relation.
  if (classifyDatabaseError(error) === 'unique-violation') return withPointer(error, schema, () => linked[0]?.pointer)
  if (!isMissing(error)) return error
  const meta = prismaMeta(error)
  // An update may also not find the row itself, which is no fault of the body.
  const isMany = 'expectedRows' in meta
  if (!isMany && meta['operation'] !== 'a nested connect') return error
  const meant = linked.filter(({ linkage, model }) => {
    return linkage.many ? isMany && linkage.members.length > 0 : !isMany && linkage.target && model === meta['model']
  })
  const [only] = meant
  if (!only || meant.length > 1) return error
  const isOne = only.linkage.many && only.linkage.members.length === 1
  return withPointer(error, schema, () => (isOne ? childPointer(only.pointer, 0) : only.pointer))
}

function withPointer(
  error: unknown,
  schema: Schema,
  pointerOf: (fields: readonly string[]) => string | undefined,
  fields?: readonly string[],
): RequestError {
  const request = toRequestError(error, schema)
  const fault: ErrorDetail = { ...(fields && { about: fields }), ...request.faults[0] }
  const pointer = pointerOf(fault.about ?? [])
  return new RequestError({ ...fault, ...(pointer !== undefined && { source: { pointer } }) }, request.headers)
}

/** Where some fields were given; the place that has them all where they stand apart. */
function fieldsPointer(
  names: readonly string[],
  model: RestModel,
  document: JsonObject,
  { linkages }: ResourceInput,
): string | undefined {
  const data = document['data']
  const attributes = isObject(data) ? data['attributes'] : undefined
  const pointers = names.map((name) => {
    const wire = bodyField(model, name)?.wire
    if (wire !== undefined && isObject(attributes) && Object.hasOwn(attributes, wire))
      return childPointer('/data/attributes', wire)
    if (isObject(data) && data['id'] !== undefined && model.id.fields.some((field) => field.name === name))
      return '/data/id'
    const keys = model.foreignKeys.get(name) ?? []
    return keys.flatMap(({ relation }) => linkages.get(relation)?.pointer ?? [])[0]
  })
  const found = [...new Set(pointers.filter((pointer) => pointer !== undefined))]
  const [only] = found
  if (only === undefined || found.length === 1) return only
  return found.every((pointer) => pointer.startsWith('/data/attributes/')) ? '/data/attributes' : '/data'
}
