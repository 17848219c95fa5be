import type { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { limitError } from '../request/limit-error.js'
import { exceedsByteLength } from '../../serialization/exceeds-byte-length.js'
import { JSONAPI } from './jsonapi-member.js'
import { EMPTY_HEADERS, MEDIA_TYPE, RESPONSE_HEADERS } from '../request/content-negotiation.js'
import { type CollectionExtent, type Page, pageLinks, type PageParameters } from '../request/parse-page.js'
import type { Settings } from '../parse-settings.js'
import { formatParameter, formatQuery, type Parameter, type Query } from '../request/parse-query.js'

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
  /** The entity tag. */
  readonly tag?: string | undefined
}

/** Receives the data and the members of `meta` as JSON, instead of a response being rendered. */
export type CaptureResult = ApiEnv['Bindings']['capture']

const JSONAPI_MEMBER = `"jsonapi":${JSON.stringify(JSONAPI)}`
const OK = { status: 200, headers: RESPONSE_HEADERS }

/**
 * Returns the error for a response that exceeds the size limit.
 * @param hint advice on how to get a smaller response
 */
export function responseTooLargeError(
  maxBytes: number,
  hint = 'Request fewer rows, or fewer fields with "fields".',
): RequestError {
  return limitError('responseBytes', `The response would exceed ${maxBytes} bytes. ${hint}`)
}

/**
 * Creates a response with a document (contract 2.3; JSON:API "Document Structure").
 * @param location URL of the created resource
 * @param capture receives the result if it is part of another response
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

/** Caches must revalidate a response with a tag before they reuse it. */
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

/**
 * Returns the links of a document with only `self`: its URL, including the query of the request.
 * @param url escaped for a JSON string; the query is percent-encoded and needs no escaping
 */
export function selfLink(url: string, query: Query): string {
  return `{"self":"${url}${formatQuery(query.parameters)}"}`
}

/**
 * Returns the links of a page of a collection (contract 2.3). They keep all other query parameters.
 * @param url as in {@link selfLink}
 */
export function collectionLinks(
  url: string,
  query: Query,
  {
    page,
    extent,
    settings,
  }: {
    readonly page: Pick<Page, 'offset' | 'limit'>
    readonly extent: CollectionExtent
    readonly settings: Pick<Settings, 'pageSize' | 'limits'>
  },
): string {
  // Builds both queries in one pass, because encoding the parameters is the most expensive part of this function.
  let fullQuery = ''
  let baseQuery = ''
  for (const parameter of query.parameters) {
    const text = formatParameter(parameter)
    fullQuery += fullQuery === '' ? `?${text}` : `&${text}`
    if (isSharedByPages(parameter)) baseQuery += baseQuery === '' ? `?${text}` : `&${text}`
  }
  const link = (to: PageParameters | null) => (to ? `"${url}${withPage(baseQuery, to)}"` : 'null')
  const { first, last, prev, next } = pageLinks(page, extent, settings)
  return `{"self":"${url}${fullQuery}","first":${link(first)},"last":${link(last)},"prev":${link(prev)},"next":${link(next)}}`
}

/** Whether a parameter applies to all pages of a list, not only to this page. */
function isSharedByPages({ family, path }: Parameter): boolean {
  return family !== 'page' || path[0] === 'total'
}

/**
 * Returns the JSON of a link to another page of a list.
 * @param url as in {@link selfLink}
 * @param to the encoded parameters of the page
 */
export function pagedLink(url: string, query: Query, to: string): string {
  const baseQuery = formatQuery(query.parameters.filter(isSharedByPages))
  return `"${url}${baseQuery === '' ? '?' : `${baseQuery}&`}${to}"`
}

function withPage(query: string, { offset, limit }: PageParameters): string {
  let text = query
  if (offset !== undefined) text += `${text === '' ? '?' : '&'}page%5Boffset%5D=${offset}`
  if (limit !== undefined) text += `${text === '' ? '?' : '&'}page%5Blimit%5D=${limit}`
  return text
}
