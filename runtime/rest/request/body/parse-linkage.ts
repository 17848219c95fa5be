import type { ErrorDetail } from '../../../errors/request-error.js'
import { limitMessage, type Limits } from '../../../limits.js'
import { isObject } from '../../../values/is-object.js'
import { errorAt, childPointer } from '../request-errors.js'
import { rowId, type IdValues, parseId, idString, isUnsafeInteger, unsafeIdError } from '../resource-id.js'
import type { Relationship, RestModel } from '../../rest-model.js'

/** The linkage of a relationship in a request. */
export type Linkage =
  | { readonly many: false; readonly target: IdValues | null }
  | { readonly many: true; readonly members: readonly IdValues[] }

/**
 * Parses the `data` of a relationship (JSON:API "Resource Linkage"). Collects all errors. Duplicate members are merged.
 * @param pointer the pointer to `data` in the body
 * @param errors collects the errors
 * @returns undefined after an error
 */
export function parseLinkage(
  relationship: Relationship,
  data: unknown,
  pointer: string,
  limits: Limits,
  errors: ErrorDetail[],
): Linkage | undefined {
  const { target, relation } = relationship
  if (!relation.many) {
    if (data === null) return { many: false, target: null }
    const values = parseIdentifier(data, target, pointer, errors)
    return values && { many: false, target: values }
  }
  if (!Array.isArray(data)) {
    errors.push(errorAt('malformed-document', pointer, 'Must be a list of resource identifiers.'))
    return undefined
  }
  if (data.length > limits.listLength) {
    const detail = `Must not have more than ${limits.listLength} resource identifiers.`
    errors.push(errorAt('limit-exceeded', pointer, limitMessage('listLength', detail)))
    return undefined
  }
  const members = new Map<string, IdValues>()
  const before = errors.length
  for (const [index, element] of data.entries()) {
    const values = parseIdentifier(element, target, childPointer(pointer, index), errors)
    if (values) members.set(rowId(target.id, values), values)
  }
  return errors.length > before ? undefined : { many: true, members: [...members.values()] }
}

function parseIdentifier(
  identifier: unknown,
  target: RestModel,
  pointer: string,
  errors: ErrorDetail[],
): IdValues | undefined {
  const fail = (error: ErrorDetail): undefined => void errors.push(error)
  if (!isObject(identifier)) {
    return fail(
      errorAt('malformed-document', pointer, 'Must be a resource identifier: an object with "type" and "id".'),
    )
  }
  if (typeof identifier['type'] !== 'string') {
    return fail(errorAt('malformed-document', pointer, 'A resource identifier must have a "type" that is a string.'))
  }
  if (identifier['type'] !== target.type) {
    return fail(errorAt('type-conflict', childPointer(pointer, 'type'), `The type must be "${target.type}".`))
  }
  if (isUnsafeInteger(identifier['id'])) return fail(unsafeIdError(childPointer(pointer, 'id')))
  const text = idString(identifier['id'])
  if (text === undefined) {
    const local = 'lid' in identifier ? ' "lid" is not supported here.' : ''
    return fail(errorAt('malformed-document', pointer, `A resource identifier must have an "id".${local}`))
  }
  const values = parseId(target.id, text)
  if (!values)
    return fail(errorAt('not-found', childPointer(pointer, 'id'), `There is no "${target.type}" with this id.`))
  return values
}

/**
 * Adds an error if a relationship cannot be cleared, because the row's own foreign key requires a value. Does not check relationships whose
 * foreign key is in the related row, because they may already be empty.
 */
export function checkReplaceable(
  relationship: Relationship,
  linkage: Linkage,
  pointer: string,
  errors: ErrorDetail[],
): void {
  if (linkage.many || linkage.target) return
  const { foreignKey, nullableKeys } = relationship.relation
  if (foreignKey && nullableKeys.length === 0) errors.push(cannotBeEmpty(relationship, pointer))
}

/** Returns the error for a relationship that cannot be cleared. */
export function cannotBeEmpty({ name }: Relationship, pointer: string): ErrorDetail {
  return errorAt('relationship-required', pointer, `"${name}" cannot be empty.`)
}
