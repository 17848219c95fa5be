import type { Context } from 'hono'

import { decodeUtf8, readableRequest, readBytes } from '../../http/read-body.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { assertJsonShape } from '../../http/assert-json-shape.js'
import type { ErrorCode } from '../../errors/error-codes.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { deserialize } from '../../serialization/deserialize.js'
import { isObject } from '../../values/is-object.js'
import { checkContentType } from './content-negotiation.js'

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Parses the document in a request's body. Checks the media type, size, UTF-8, JSON syntax and nesting, and converts the values listed in
 * `meta.serialization` (contract 2.5).
 * @throws RequestError 400, 413 or 415
 */
export function parseDocument(request: Request | Promise<Request>, limits: Limits): Promise<JsonObject> {
  const bytes =
    request instanceof Promise ? request.then((shared) => readChecked(shared, limits)) : readChecked(request, limits)
  return bytes.then((body) => decodeDocument(body, limits))
}

/**
 * Returns the document of a request: parsed from the body, or the already parsed document of an atomic operation.
 * @throws RequestError 400, 413 or 415
 */
export function getDocument(c: Context<ApiEnv>, limits: Limits): Promise<JsonObject> {
  const { document } = c.env
  return document ? Promise.resolve(document) : parseDocument(readableRequest(c.req), limits)
}

function readChecked(request: Request, limits: Limits): Promise<Uint8Array> {
  checkContentType(request.headers.get('Content-Type'))
  return readBytes(request, limits.bodyBytes)
}

/**
 * Decodes the document in the bytes of a body.
 * @throws RequestError 400
 */
export function decodeDocument(bytes: Uint8Array, limits: Limits): JsonObject {
  const document = parseJson(bytes)
  if (!isObject(document)) throw malformedDocument('The body must be a JSON object.')
  assertJsonShape(document, 'The body', limits, 'malformed-document')
  const { meta } = document
  if (meta !== undefined && !isObject(meta)) throw malformedDocument('It must be an object.', '/meta')
  rejectUnsupportedMembers(document)
  deserialize(document, meta?.['serialization'])
  return document
}

/**
 * Rejects members that JSON:API defines but that are not supported, because a client might expect their contents to be stored. Unknown
 * members are ignored.
 */
function rejectUnsupportedMembers({ included, errors }: JsonObject): void {
  if (errors !== undefined) throw malformedDocument('A request must not have errors.', '/errors')
  if (included === undefined || (Array.isArray(included) && included.length === 0)) return
  throw malformedDocument('"included" would not be stored.', '/included')
}

/**
 * Checks that a value in the body is an object.
 * @param value the value; undefined counts as an empty object
 * @param pointer the value's pointer
 * @param errors receives an error if the value is not an object
 * @returns an empty object after an error
 */
export function expectObject(value: unknown, pointer: string, errors: ErrorDetail[]): JsonObject {
  if (isObject(value)) return value
  if (value !== undefined) errors.push(errorAt('malformed-document', pointer, 'It must be an object.'))
  return NO_MEMBERS
}

const NO_MEMBERS: JsonObject = {}

/** Whether a member is an @-member, which JSON:API requires to be ignored. */
export function isAtMember(name: string): boolean {
  return name.startsWith('@')
}

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

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes))
  } catch {
    throw new RequestError({ code: 'malformed-body', detail: 'The body is not JSON in UTF-8.' })
  }
}
