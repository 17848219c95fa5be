import type { ErrorCode } from '../../errors/error-codes.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'
import { isObject } from '../../values/is-object.js'

/** Returns an error with a pointer into the body. */
export function errorAt(code: ErrorCode, pointer: string, detail: string): ErrorDetail {
  return { code, detail, source: { pointer } }
}

/** Returns a 400 error for a body that is not a valid JSON:API document. */
export function malformedDocument(detail: string, pointer?: string): RequestError {
  return new RequestError({
    code: 'malformed-document',
    detail,
    ...(pointer === undefined ? {} : { source: { pointer } }),
  })
}

/** Appends a key to a JSON pointer (RFC 6901). */
export function childPointer(pointer: string, key: string | number): string {
  if (typeof key === 'number' || !/[~/]/.test(key)) return `${pointer}/${key}`
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/**
 * Returns the error for a request that exceeds a limit. The message names the option that raises the limit.
 * @param detail the message, which states the allowed amount
 * @param parameter the query parameter that exceeds the limit, if any
 */
export function limitError(limit: keyof Limits, detail: string, parameter?: string): RequestError {
  return new RequestError({
    code: 'limit-exceeded',
    detail: limitMessage(limit, detail),
    ...(parameter !== undefined && { source: { parameter } }),
  })
}

/** Returns the error for a response whose limited lists would require too many queries. */
export function tooManyListsError(max: number): RequestError {
  return limitError('includedLists', `Included lists with a limit can require at most ${max} queries.`, 'includePage')
}

/** Returns the error for a response that would include too many resources. */
export function tooManyIncludedError(max: number): RequestError {
  return limitError('includedRows', `More than ${max} resources would be included.`, 'include')
}

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
