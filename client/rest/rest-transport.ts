import { decode, type ReadDecimal } from '../codec/decode.js'
import type { MakeError } from '../http/api-error.js'
import type { CallOptions } from '../http/options.js'
import { type JsonObject, readJson } from '../http/read-json.js'
import { parseRetryAfter } from '../http/retry-after.js'
import type { Transport } from '../http/transport.js'
import type { JsonApiDocument } from './document.js'
import { RestError, restError } from './error.js'
import { getVersion } from './id.js'
import type { ResourceOrId } from './types/values.js'

const MEDIA_TYPE = 'application/vnd.api+json'

/** A response. */
export interface RestResponse {
  /** Undefined if the response has no body. */
  readonly document: JsonApiDocument | undefined
  readonly status: number
}

/** Sends requests to a REST API. */
export interface RestTransport {
  /**
   * Sends a request.
   * @param path the part after the client's `url`
   * @param target the changed resource. If it was read together with its version, the request fails unless it still has that version.
   * @throws RestError if the server rejects the request, fails or does not respond with a document
   */
  request(
    method: string,
    path: string,
    body?: string,
    options?: CallOptions,
    target?: ResourceOrId,
  ): Promise<RestResponse>
  /** Sends a request that can use a JSON:API extension. The main member of its responses can differ from `data`. */
  exchange(method: string, path: string, request: ExtensionRequest, options?: CallOptions): Promise<RawResponse>
}

/** A request with an extension. */
export interface ExtensionRequest {
  readonly body?: string | undefined
  /** The URI of the extension. */
  readonly ext?: string
  /** The main member of the responses. Default: `data`. */
  readonly key?: string
  /** See {@link RestTransport.request}. */
  readonly target?: ResourceOrId | undefined
}

/** The JSON of a response. */
export interface RawResponse {
  readonly json: JsonObject | undefined
  readonly status: number
}

/** Creates the error for a request without a response from the API. */
export const makeError: MakeError = (message, details) => new RestError(message, details)

/** Creates the transport of a REST client. */
export function createRestTransport({ send }: Transport, decimal: ReadDecimal | undefined): RestTransport {
  const exchange: RestTransport['exchange'] = async (method, path, { body, ext, key = 'data', target }, options) => {
    const type = ext ? `${MEDIA_TYPE};ext="${ext}"` : MEDIA_TYPE
    const version = getVersion(target)
    const headers = {
      Accept: type,
      ...(body && { 'Content-Type': type }),
      ...(version && { 'If-Match': `"${version}"` }),
    }
    const response = await send({ method, path, headers, body, safe: method === 'GET' }, options)
    const { status } = response
    if (status === 204) return { json: undefined, status }
    const json = await readJson(response, makeError, options?.signal)
    const { errors } = json
    if (Array.isArray(errors) && errors[0] && !errors.includes(null))
      throw restError(status, errors, parseRetryAfter(response))
    if (!response.ok || typeof json[key] !== 'object') {
      throw new RestError(`The response (${status}) is not a JSON:API document. Check the url.`, {
        status,
        code: 'malformed-response',
        retryAfter: parseRetryAfter(response),
      })
    }
    // Each result of an extension has its own `meta.serialization`.
    for (const part of [json, json[key]].flat()) decode(part, Object(Object(part).meta).serialization, decimal)
    return { json, status }
  }
  return {
    exchange,
    async request(method, path, body, options, target) {
      const { json, status } = await exchange(method, path, { body, target }, options)
      return { document: json && isDocument(json) ? json : undefined, status }
    },
  }
}

function isDocument(json: object): json is JsonApiDocument {
  return typeof Object(json).data === 'object'
}
