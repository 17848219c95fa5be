import type { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { limitError } from '../request/limit-error.js'
import { exceedsByteLength } from '../../serialization/exceeds-byte-length.js'
import { JSONAPI } from './jsonapi-member.js'
import { MEDIA_TYPE } from '../request/content-negotiation.js'
import { EMPTY_HEADERS, RESPONSE_HEADERS } from './response-headers.js'

/** The parts of a document, each as JSON text. */
export interface DocumentParts {
  readonly data: string
  readonly links: string
  /** The elements of `included`. Undefined if the request includes nothing. */
  readonly included?: string | undefined
  /** The members of `meta` other than `serialization`. Empty or undefined if there are none. */
  readonly meta?: string
  /** The members of `meta.serialization.values`. */
  readonly notes?: string | undefined
  /** Maximum size in bytes. Undefined if the document contains only a page of linkage. */
  readonly responseBytes?: number
  /** The JSON:API profile of the document. */
  readonly profile?: string | undefined
  /** The ETag. */
  readonly tag?: string | undefined
}

/** Receives the data and the members of `meta` as JSON. Used instead of rendering a response. */
export type CaptureResult = ApiEnv['Bindings']['capture']

const JSONAPI_MEMBER = `"jsonapi":${JSON.stringify(JSONAPI)}`
const OK = { status: 200, headers: RESPONSE_HEADERS }

/**
 * Returns the error for a response that exceeds the size limit.
 * @param hint how to obtain a smaller response
 */
export function responseTooLargeError(
  maxBytes: number,
  hint = 'Request fewer rows, or fewer fields with "fields".',
): RequestError {
  return limitError('responseBytes', `The response would exceed ${maxBytes} bytes. ${hint}`)
}

/**
 * Creates a response with a document (contract 2.3; JSON:API "Document Structure").
 * @param location the URL of the created resource
 * @param capture receives the result if it will be part of the response to an atomic operations request
 * @throws RequestError 400 if the document is too large
 */
export function respond(parts: DocumentParts, status = 200, location?: string, capture?: CaptureResult): Response {
  const { data, links, included, meta: metaMembers = '', notes = '', responseBytes = Infinity, profile, tag } = parts
  const serialization = notes === '' ? '' : `"serialization":{"values":{${notes}},"v":1}`
  const meta =
    metaMembers === '' || serialization === '' ? metaMembers + serialization : `${metaMembers},${serialization}`
  if (capture) return capture(data, meta)
  const text =
    `{${meta === '' ? '' : `"meta":{${meta}},`}"data":${data}` +
    `${included === undefined ? '' : `,"included":[${included}]`},${JSONAPI_MEMBER},"links":${links}}`
  if (exceedsByteLength(responseBytes, text)) throw responseTooLargeError(responseBytes)
  if (profile) return new Response(text, { status, headers: profileHeaders(profile) })
  if (status === 200 && tag === undefined) return new Response(text, OK)
  const headers = {
    ...RESPONSE_HEADERS,
    ...(tag !== undefined && entityTagHeaders(tag)),
    ...(location !== undefined && { Location: location }),
  }
  return new Response(text, { status, headers })
}

function profileHeaders(profile: string): Record<string, string> {
  return { ...RESPONSE_HEADERS, 'Content-Type': `${MEDIA_TYPE};profile="${profile}"` }
}

/** Returns the headers of a response with an ETag. Caches must revalidate it before they reuse it. */
function entityTagHeaders(tag: string): Record<string, string> {
  return { ETag: tag, 'Cache-Control': 'private, no-cache' }
}

/** Creates a 304 response, which reports that the representation has not changed. */
export function respondNotModified(tag: string): Response {
  return new Response(null, { status: 304, headers: { ...EMPTY_HEADERS, ...entityTagHeaders(tag) } })
}

/** Creates a 204 response, which has no document. */
export function respondNoContent(): Response {
  return new Response(null, { status: 204, headers: EMPTY_HEADERS })
}
