import { decode, type ReadDecimal } from '../codec/decode.js'
import type { MakeError } from '../http/api-error.js'
import type { CallOptions } from '../http/options.js'
import { readJson } from '../http/read-json.js'
import { retryAfterOf } from '../http/retry-after.js'
import type { Transport } from '../http/transport.js'
import type { JsonApiDocument, JsonApiError } from './document.js'
import { RestError, restError } from './error.js'

const MEDIA_TYPE = 'application/vnd.api+json'

/** What was answered. */
export interface RestAnswer {
  /** Undefined where the answer has no body. */
  readonly document: JsonApiDocument | undefined
  readonly status: number
}

/** Asks a server of the REST style. */
export interface RestServer {
  /**
   * Sends a request.
   * @param path what follows the client's url
   * @throws RestError where it is refused, fails or is answered with something else than a document
   */
  ask(method: string, path: string, body?: string, call?: CallOptions): Promise<RestAnswer>
}

/** Makes the error of a request without an answer of the API's. */
export const makeError: MakeError = (message, details) => new RestError(message, details)

/** Makes what asks a server of the REST style. */
export function restServer({ send }: Transport, decimal: ReadDecimal | undefined): RestServer {
  return {
    async ask(method, path, body, call) {
      const headers = { Accept: MEDIA_TYPE, ...(body !== undefined && { 'Content-Type': MEDIA_TYPE }) }
      const safe = method === 'GET'
      const response = await send({ method, path, headers, safe, ...(body !== undefined && { body }) }, call)
      const { status } = response
      if (status === 204) return { document: undefined, status }
      const json = await readJson(response, makeError, call?.signal)
      const { errors, meta } = json
      if (isErrors(errors)) throw restError(response, errors, retryAfterOf(response))
      if (!response.ok || !isDocument(json)) {
        throw new RestError(
          `The answer (${status}) is no JSON:API document: it has neither data nor errors. Is the url right?`,
          {
            status,
            code: 'malformed-answer',
            retryAfter: retryAfterOf(response),
          },
        )
      }
      decode(json, serializationIn(meta), decimal)
      return { document: json, status }
    },
  }
}

function serializationIn(meta: unknown): unknown {
  return typeof meta === 'object' && meta !== null && 'serialization' in meta ? meta.serialization : undefined
}

function isErrors(errors: unknown): errors is readonly JsonApiError[] {
  return Array.isArray(errors) && errors.length > 0
}

function isDocument(json: object): json is JsonApiDocument {
  return 'data' in json && typeof json.data === 'object'
}
