import type { Context } from 'hono'
import { decodeUtf8, readableRequest, readBytes, assertJsonShape } from '../../../http/read-body.js'
import type { ApiEnv } from '../../../http/handler-types.js'
import { RequestError } from '../../../errors/request-error.js'
import type { Limits } from '../../../limits.js'
import { deserialize } from '../../../serialization/deserialize.js'
import { isObject } from '../../../values/is-object.js'
import { checkContentType } from '../content-negotiation.js'
import { malformedDocument, type JsonObject } from '../request-errors.js'

/**
 * Parses the document in a request's body. Checks the media type, size, encoding, JSON syntax and nesting, and converts the values that
 * `meta.serialization` lists (contract 2.5).
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
  return document ? Promise.resolve(document) : parseDocument(readableRequest(c.req), limits).then(checkMembers)
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
  if (meta !== undefined && !isObject(meta)) throw malformedDocument('Must be an object.', '/meta')
  deserialize(document, meta?.['serialization'])
  return document
}

/**
 * Rejects members that JSON:API defines but requests do not support, because a caller might expect their contents to be stored. Unknown
 * members are ignored.
 * @returns the document
 * @throws RequestError 400
 */
export function checkMembers(document: JsonObject): JsonObject {
  const { included, errors } = document
  if (errors !== undefined) throw malformedDocument('A request must not contain "errors".', '/errors')
  if (included === undefined || (Array.isArray(included) && included.length === 0)) return document
  throw malformedDocument('"included" must be empty, because its resources would not be stored.', '/included')
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes))
  } catch {
    throw new RequestError({ code: 'malformed-body', detail: 'The body is not JSON in UTF-8.' })
  }
}
