import { classifyDatabaseError } from '../../errors/database/classify-database-error.js'
import { prismaMeta, ormErrorMembers } from '../../errors/database/prisma-error.js'
import { RequestError } from '../../errors/request-error.js'
import { toRequestError } from '../../errors/to-request-error.js'
import { isAboutColumns, violatedFields, inferViolatedForeignKey } from '../../errors/database/violated-fields.js'
import type { Schema } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import { type JsonObject, childPointer } from '../request/request-errors.js'
import type { Linkage } from '../request/body/parse-linkage.js'
import type { ResourceInput } from '../request/body/parse-resource-body.js'
import { type RestModel, bodyFieldBySchemaName } from '../rest-model.js'

/** The linkage of a relationship in a request, with its position in the body. */
interface Linked {
  readonly linkage: Linkage
  readonly pointer: string
  /** The name of the target model. */
  readonly model: string
}

/** Whether a write failed because a row was not found: the row to update, or a row to connect. */
export function isMissing(error: unknown): boolean {
  return classifyDatabaseError(error) === 'not-found'
}

/**
 * Adds a pointer to a constraint error from the database: to a value that is not unique, or to a related resource that does not exist.
 * @param document the body of the create or update
 * @param input the parsed body
 * @returns the error; it has no pointer if neither the error nor the request identifies the position
 */
export function locateConstraintError(
  error: unknown,
  schema: Schema,
  model: RestModel,
  document: JsonObject,
  input: ResourceInput,
): unknown {
  const kind = classifyDatabaseError(error)
  const isKey = kind === 'foreign-key-violation'
  if (isKey || isAboutColumns(kind)) {
    const requestError = toRequestError(error, schema)
    const fields = isKey
      ? inferViolatedForeignKey(model.model, (name) => input.scalars.get(name))
      : violatedFields(error, model.model, requestError.errors[0].about)
    // If the body contains the relationship and not its foreign key, the error names the relationship.
    const linkedKeyOf = (name: string) =>
      model.foreignKeys.get(name)?.find(({ relation }) => input.linkages.has(relation))
    const about = fields && [...new Set(fields.map((name) => linkedKeyOf(name)?.relation ?? name))]
    return withPointer(requestError, about && fieldsPointer(about, model, document, input), about)
  }
  const linked = [...input.linkages.values()].map(({ relationship, linkage, pointer }) => {
    return { linkage, pointer, model: relationship.relation.model }
  })
  return locateMissingTarget(error, schema, linked)
}

/** Adds a pointer to the linkage whose target does not exist, if only one linkage in the request can have caused the error. */
export function locateMissingTarget(error: unknown, schema: Schema, linked: readonly Linked[]): unknown {
  // In a one-to-one relation, another row already has this foreign key.
  if (classifyDatabaseError(error) === 'unique-violation')
    return withPointer(toRequestError(error, schema), linked[0]?.pointer)
  if (!isMissing(error)) return error
  const meta = prismaMeta(error)
  // An update may also fail because the row to update was not found. In that case, the body is not the cause.
  const isMany = 'expectedRows' in meta
  if (!isMany && meta['operation'] !== 'a nested connect') return error
  const candidates = linked.filter(({ linkage, model }) => {
    return linkage.many ? isMany && linkage.members.length > 0 : !isMany && linkage.target && model === meta['model']
  })
  const [only] = candidates
  if (!only || candidates.length > 1) return error
  const isOne = only.linkage.many && only.linkage.members.length === 1
  return withPointer(toRequestError(error, schema), isOne ? childPointer(only.pointer, 0) : only.pointer)
}

function withPointer(
  { errors: [errorDetail], headers }: RequestError,
  pointer: string | undefined,
  about?: readonly string[],
): RequestError {
  return new RequestError(
    { ...errorDetail, ...(about && { about }), ...(pointer !== undefined && { source: { pointer } }) },
    headers,
  )
}

/** Returns the pointer to the given fields and relationships, or to their common parent if the body contains them in different places. */
function fieldsPointer(
  names: readonly string[],
  model: RestModel,
  document: JsonObject,
  { linkages }: ResourceInput,
): string | undefined {
  const data = document['data']
  const attributes = isObject(data) ? data['attributes'] : undefined
  const pointers = names.map((name) => {
    const wire = bodyFieldBySchemaName(model, name)?.wire
    if (wire !== undefined && isObject(attributes) && Object.hasOwn(attributes, wire))
      return childPointer('/data/attributes', wire)
    if (isObject(data) && data['id'] !== undefined && model.id.fields.some((field) => field.name === name))
      return '/data/id'
    return linkages.get(name)?.pointer
  })
  const found = [...new Set(pointers.filter((pointer) => pointer !== undefined))]
  if (found.length < 2) return found[0]
  return found.every((pointer) => pointer.startsWith('/data/attributes/')) ? '/data/attributes' : '/data'
}

/**
 * Returns the error to report if the resource itself caused the client's error.
 * @param isDelete whether the request deletes the resource
 * @returns a 404 if the client reports that the resource does not exist; a foreign key error if other rows refer to the resource to
 * delete; otherwise undefined
 */
export function explainResourceError(error: unknown, model: RestModel, isDelete = false): RequestError | undefined {
  const meta = prismaMeta(error)
  if (meta['modelName'] !== model.model.name) return undefined
  const kind = classifyDatabaseError(error)
  if (kind === 'not-found' && (meta['operation'] === 'an update' || meta['operation'] === 'a delete')) {
    return new RequestError({ ...notFoundError(model).errors[0], ...ormErrorMembers(error) })
  }
  if (kind !== 'foreign-key-violation' || !isDelete) return undefined
  const detail = 'Other records still refer to this one.'
  return new RequestError({ code: 'foreign-key-violation', detail, ...ormErrorMembers(error) })
}

/** Returns the 404 error for a resource that does not exist. */
export function notFoundError(model: RestModel): RequestError {
  return new RequestError({ code: 'not-found', detail: `There is no "${model.type}" with this id.` })
}
