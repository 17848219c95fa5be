import type { ErrorDetail } from '../../errors/request-error.js'
import { isObject } from '../../values/is-object.js'
import { errorAt } from './document-errors.js'

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Checks that a value in the body is an object.
 * @param value the value; undefined counts as an empty object
 * @param pointer the value's pointer
 * @param errors receives an error if the value is not an object
 * @returns an empty object if the value is not an object
 */
export function expectObject(value: unknown, pointer: string, errors: ErrorDetail[]): JsonObject {
  if (isObject(value)) return value
  if (value !== undefined) errors.push(errorAt('malformed-document', pointer, 'Must be an object.'))
  return NO_MEMBERS
}

const NO_MEMBERS: JsonObject = {}

/** Whether a member is an @-member, which JSON:API requires to be ignored. */
export function isAtMember(name: string): boolean {
  return name.startsWith('@')
}
