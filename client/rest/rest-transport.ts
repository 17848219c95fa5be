import { decode, type ReadDecimal } from '../codec/decode.js'
import type { MakeError } from '../http/api-error.js'
import type { CallOptions } from '../http/options.js'
import { type JsonObject, readJson } from '../http/read-json.js'
import { parseRetryAfter } from '../http/retry-after.js'
import type { Transport } from '../http/transport.js'
import type { JsonApiDocument, JsonApiError } from './document.js'
import { RestError, restError } from './error.js'
import { getVersion } from './id.js'
import type { ResourceOrId } from './types/values.js'

const MEDIA_TYPE = 'application/vnd.api+json'

/** What was answered. */
export interface RestResponse {
  /** Undefined where the answer has no body. */
  readonly document: JsonApiDocument | undefined
  readonly status: number
}

/** Asks a server of the REST style. */
export interface RestTransport {
  /**
   * Sends a request.
   * @param path what follows the client's url
   * @param given what it changes: a resource as it was read is changed only where it still is of the same version
   * @throws RestError where it is refused, fails or is answered with something else than a document
   */
  ask(method: string, path: string, body?: string, call?: CallOptions, given?: ResourceOrId): Promise<RestResponse>
  /** The same with an extension of JSON:API, whose answers have another member in place of `data`. */
  exchange(method: string, path: string, asked: ExtensionResponse, call?: CallOptions): Promise<RawResponse>
}

/** What is asked with an extension. */
export interface ExtensionResponse {
  readonly body?: string | undefined
  /** The URI of the extension. */
  readonly ext?: string
  /** The member that its answers have. */
  readonly reads?: string
  /** See {@link RestServer.ask}. */
  readonly given?: ResourceOrId | undefined
}

/** An answer as it is. */
export interface RawResponse {
  readonly json: JsonObject | undefined
  readonly status: number
}

/** Makes the error of a request without an answer of the API's. */
export const makeError: MakeError = (message, details) => new RestError(message, details)

/** Makes what asks a server of the REST style. */
export function createRestTransport({ send }: Transport, decimal: ReadDecimal | undefined): RestTransport {
  const exchange: RestTransport['exchange'] = async (method, path, { body, ext, reads = 'data', given }, call) => {
    const type = ext ? `${MEDIA_TYPE};ext="${ext}"` : MEDIA_TYPE
    const version = getVersion(given)
    const headers = {
      Accept: type,
      ...(body && { 'Content-Type': type }),
      ...(version && { 'If-Match': `"${version}"` }),
    }
    const response = await send({ method, path, headers, body, safe: method === 'GET' }, call)
    const { status } = response
    if (status === 204) return { json: undefined, status }
    const json = await readJson(response, makeError, call?.signal)
    const { errors } = json
    if (isErrors(errors)) throw restError(response, errors, parseRetryAfter(response))
    if (!response.ok || typeof json[reads] !== 'object') {
      throw new RestError(`The answer (${status}) is no JSON:API document. Is the url right?`, {
        status,
        code: 'malformed-answer',
        retryAfter: parseRetryAfter(response),
      })
    }
    // Results have notes of their own.
    for (const one of [json, json[reads]].flat()) decode(one, Object(Object(one).meta).serialization, decimal)
    return { json, status }
  }
  return {
    exchange,
    async ask(method, path, body, call, given) {
      const { json, status } = await exchange(method, path, { body, given }, call)
      return { document: json && isDocument(json) ? json : undefined, status }
    },
  }
}

function isErrors(errors: unknown): errors is readonly JsonApiError[] {
  return Array.isArray(errors) && errors.length > 0
}

function isDocument(json: object): json is JsonApiDocument {
  return typeof Object(json).data === 'object'
}
