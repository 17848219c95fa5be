import type { Context } from 'hono'

import { decodeUtf8, readableRequest, readBytes } from '../../http/body.js'
import type { ApiEnv } from '../../http/api-handler.js'
import { checkJsonShape } from '../../http/json-shape.js'
import type { ErrorCode } from '../../errors/codes.js'
import { type ErrorDetail, RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { deserialize } from '../../serialization/deserialize.js'
import { isObject } from '../../values/is-object.js'
import { checkContentType } from './negotiation.js'

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>

/**
 * Reads the document in a request's body: media type, size, UTF-8, JSON, nesting, and the values that `meta.serialization`
 * tells of (contract 2.5).
 * @throws RequestError 400, 413 or 415
 */
export function parseDocument(request: Request | Promise<Request>, limits: Limits): Promise<JsonObject> {
  const bytes =
    request instanceof Promise ? request.then((shared) => readChecked(shared, limits)) : readChecked(request, limits)
  return bytes.then((body) => decodeDocument(body, limits))
}

/**
 * The document that an endpoint is asked with: that in the body, or that of one operation among several, which was read already.
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
 * The document in the bytes of a body.
 * @throws RequestError 400
 */
export function decodeDocument(bytes: Uint8Array, limits: Limits): JsonObject {
  const document = parseJson(bytes)
  if (!isObject(document)) throw malformedDocument('The body must be a JSON object.')
  checkJsonShape(document, 'The body', limits, 'malformed-document')
  const { meta } = document
  if (meta !== undefined && !isObject(meta)) throw malformedDocument('It must be an object.', '/meta')
  refuseUnwritten(document)
  deserialize(document, meta?.['serialization'])
  return document
}

/** Refuses members that JSON:API knows, and whose contents a client may expect to be stored. What it does not know is ignored. */
function refuseUnwritten({ included, errors }: JsonObject): void {
  if (errors !== undefined) throw malformedDocument('A request has no errors.', '/errors')
  if (included === undefined || (Array.isArray(included) && included.length === 0)) return
  throw malformedDocument('"included" would not be stored.', '/included')
}

/**
 * An object in the body.
 * @param value what the body gives; undefined has no members
 * @param at the object's own pointer
 * @param faults where it is noted that it is no object
 */
export function objectAt(value: unknown, at: string, faults: ErrorDetail[]): JsonObject {
  if (isObject(value)) return value
  if (value !== undefined) faults.push(errorAt('malformed-document', at, 'It must be an object.'))
  return NO_MEMBERS
}

const NO_MEMBERS: JsonObject = {}

/** Whether JSON:API leaves a member to others ("@-Members"), so that it is ignored. */
export function isAtMember(name: string): boolean {
  return name.startsWith('@')
}

/** A fault at a place in the body. */
export function errorAt(code: ErrorCode, pointer: string, detail: string): ErrorDetail {
  return { code, detail, source: { pointer } }
}

/** A 400: the body is no document of JSON:API. */
export function malformedDocument(detail: string, pointer?: string): RequestError {
  return new RequestError({
    code: 'malformed-document',
    detail,
    ...(pointer === undefined ? {} : { source: { pointer } }),
  })
}

/** A pointer (RFC 6901) one step further. */
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
