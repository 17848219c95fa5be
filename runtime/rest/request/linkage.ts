import type { ErrorDetail } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'
import { isObject } from '../../values/is-object.js'
import { childPointer, errorAt } from './body.js'
import { canonicalId, type IdValues, parseId, uniqueWhere } from './id.js'
import type { Relationship, RestModel } from '../model.js'

/** Linkage that a request gives: what a relationship is to hold. */
export type Linkage =
  | { readonly many: false; readonly target: IdValues | null }
  | { readonly many: true; readonly members: readonly IdValues[] }

/**
 * Reads the `data` of a relationship (JSON:API "Resource Linkage"). Every fault is noted; members that are named twice are one.
 * @param pointer where it stands in the body
 * @param faults where faults are noted
 * @returns undefined where it had a fault
 */
export function parseLinkage(
  relationship: Relationship,
  data: unknown,
  pointer: string,
  limits: Limits,
  faults: ErrorDetail[],
): Linkage | undefined {
  const { target, relation } = relationship
  if (!relation.many) {
    if (data === null) return { many: false, target: null }
    const values = readIdentifier(data, target, pointer, faults)
    return values && { many: false, target: values }
  }
  if (!Array.isArray(data)) {
    faults.push(errorAt('malformed-document', pointer, 'It must be a list of resource identifiers.'))
    return undefined
  }
  if (data.length > limits.listLength) {
    const detail = `It may hold at most ${limits.listLength} resource identifiers.`
    faults.push(errorAt('limit-exceeded', pointer, limitMessage('listLength', detail)))
    return undefined
  }
  const members = new Map<string, IdValues>()
  const before = faults.length
  for (const [index, element] of data.entries()) {
    const values = readIdentifier(element, target, childPointer(pointer, index), faults)
    if (values) members.set(canonicalId(target.id, values), values)
  }
  return faults.length > before ? undefined : { many: true, members: [...members.values()] }
}

/** Prisma's unique `where` of each member. */
export function membersWhere(target: RestModel, members: readonly IdValues[]): Record<string, unknown>[] {
  return members.map((values) => uniqueWhere(target.id, values))
}

/** The text of an id in a body: a string, or a number as JSON has it. */
export function idString(id: unknown): string | undefined {
  if (typeof id === 'string') return id
  return typeof id === 'number' ? String(id) : undefined
}

/** Whether an id is a number that JSON may have rounded: it could be the id of another row. */
export function isUnsafeInteger(id: unknown): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}

/** The fault of such an id. See {@link isInexact}. */
export function unsafeIdError(pointer: string): ErrorDetail {
  return errorAt('invalid-value', pointer, 'A number holds this id inexactly: it must be a string.')
}

function readIdentifier(
  identifier: unknown,
  target: RestModel,
  pointer: string,
  faults: ErrorDetail[],
): IdValues | undefined {
  const fail = (fault: ErrorDetail): undefined => void faults.push(fault)
  if (!isObject(identifier)) {
    return fail(errorAt('malformed-document', pointer, 'It must be a resource identifier: an object with type and id.'))
  }
  if (typeof identifier['type'] !== 'string') {
    return fail(errorAt('malformed-document', pointer, 'A resource identifier needs a type, which is a string.'))
  }
  if (identifier['type'] !== target.type) {
    return fail(errorAt('type-conflict', childPointer(pointer, 'type'), `Only "${target.type}" can stand here.`))
  }
  if (isUnsafeInteger(identifier['id'])) return fail(unsafeIdError(childPointer(pointer, 'id')))
  const text = idString(identifier['id'])
  if (text === undefined) {
    const local = 'lid' in identifier ? ' "lid" has no meaning here.' : ''
    return fail(errorAt('malformed-document', pointer, `A resource identifier needs an id.${local}`))
  }
  const values = parseId(target.id, text)
  if (!values)
    return fail(errorAt('not-found', childPointer(pointer, 'id'), `There is no "${target.type}" with this id.`))
  return values
}

/**
 * Notes a fault where a relationship cannot be made empty, because the row holds its foreign key and needs it. Where another row
 * holds it, it may be empty already.
 */
export function checkReplaceable(
  relationship: Relationship,
  linkage: Linkage,
  pointer: string,
  faults: ErrorDetail[],
): void {
  if (linkage.many || linkage.target) return
  const { foreignKey, nullableKeys } = relationship.relation
  if (foreignKey && nullableKeys.length === 0) faults.push(cannotBeEmpty(relationship, pointer))
}

/** The fault of a relationship that cannot be made empty. */
export function cannotBeEmpty({ name }: Relationship, pointer: string): ErrorDetail {
  return errorAt('relationship-required', pointer, `"${name}" cannot be empty.`)
}
