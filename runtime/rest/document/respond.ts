import { ERROR_STATUSES, errorTitle } from '../../errors/error-codes.js'
import { createOutageLog } from '../../errors/logging.js'
import { type RequestError, type ErrorDetail, detailOf } from '../../errors/request-error.js'
import { toRequestError } from '../../errors/to-request-error.js'
import type { ApiEnv, RenderError } from '../../http/handler-types.js'
import { CACHE_CONTROL } from '../../http/response-headers.js'
import { recordFailure } from '../../http/telemetry.js'
import type { Schema } from '../../schema/model.js'
import { exceedsByteLength } from '../../serialization/write-json.js'
import { MEDIA_TYPE } from '../request/content-negotiation.js'
import { limitError } from '../request/request-errors.js'
import { type RestModel, bodyFieldBySchemaName } from '../rest-model.js'
import type { Settings } from '../settings.js'

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

/** The implemented version of JSON:API, included in every document. */
export const JSONAPI = { version: '1.1' } as const

const JSONAPI_MEMBER = `"jsonapi":${JSON.stringify(JSONAPI)}`

/** Headers of every response without a body. All responses vary by `Accept`, because any request can cause a 406. */
export const EMPTY_HEADERS = { Vary: 'Accept', ...CACHE_CONTROL } as const

/** Headers of every response with a body. */
export const RESPONSE_HEADERS = { 'Content-Type': MEDIA_TYPE, ...EMPTY_HEADERS } as const

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

/** Adds the header that reports the applied preference to a minimal response (RFC 7240). */
export function withPreferenceApplied(response: Response): Response {
  response.headers.set('Preference-Applied', 'return=minimal')
  return response
}

/** Returns the response that reports a healthy handler. */
export function healthDocument(): Response {
  const body = JSON.stringify({ meta: { status: 'ok' }, jsonapi: JSONAPI })
  return new Response(body, { headers: RESPONSE_HEADERS })
}

/** Maximum number of errors in a response. */
const MAX_ERRORS = 100

/**
 * Creates the function that renders errors as JSON:API error documents (contract 7.2; JSON:API "Errors"). In strict mode, `status` is a
 * string and Prisma's code is in `meta.ormCode`.
 * @param byType the models by path name, which is the first segment of a request's path
 */
export function renderRestError(
  schema: Schema,
  { strict, databaseMessages }: Pick<Settings, 'strict' | 'databaseMessages'>,
  byType: ReadonlyMap<string, RestModel>,
): RenderError {
  const logOutage = createOutageLog()
  return (error, logContext, type = '') => {
    const { errors, headers } = toRequestError(error, schema, logContext, logOutage)
    recordFailure(logContext, error, errors)
    const model = byType.get(type)
    const errorObjects = errors
      .slice(0, MAX_ERRORS)
      .map((errorDetail) => errorObject(withPointer(errorDetail, model), strict, databaseMessages))
    const status = commonStatus(errors.map(({ code }) => ERROR_STATUSES[code]))
    const body = JSON.stringify({ errors: errorObjects, jsonapi: JSONAPI })
    return new Response(body, { status, headers: { ...RESPONSE_HEADERS, ...headers } })
  }
}

/** Adds a pointer to the field that an error thrown by the app names, if the model has that field. */
export function withPointer(error: ErrorDetail, model: RestModel | undefined): ErrorDetail {
  const { field, source } = error
  if (field === undefined || source || !model) return error
  if (field === 'id' && model.model.fields.has(field)) return { ...error, source: { pointer: '/data/id' } }
  const attribute = bodyFieldBySchemaName(model, field)
  const [member, name] = attribute ? ['attributes', attribute.wire] : ['relationships', field]
  if (!attribute && !model.relationships.has(field)) return error
  return { ...error, source: { pointer: `/data/${member}/${name}` } }
}

function errorObject(error: ErrorDetail, strict: boolean, databaseMessages: boolean): object {
  const { code, appCode, source, ormCode, reason, about, message, rule, id, type, meta: more } = error
  const status = ERROR_STATUSES[code]
  const meta = { ormCode: strict ? ormCode : undefined, reason, fields: about, message, ...rule, ...more }
  // JSON omits undefined members.
  return {
    id,
    links: type && { type },
    code: appCode ?? code,
    status: strict ? String(status) : status,
    title: errorTitle(code),
    detail: detailOf(error, databaseMessages),
    source,
    ormCode: strict ? undefined : ormCode,
    meta: Object.values(meta).some((value) => value !== undefined) ? meta : undefined,
  }
}

/** Returns the status that all errors share. If they differ, returns 500 if one of them is a server error, and 400 otherwise. */
function commonStatus(statuses: readonly number[]): number {
  const [first = 500, ...others] = new Set(statuses)
  if (others.length === 0) return first
  return statuses.some((status) => status >= 500) ? 500 : 400
}
