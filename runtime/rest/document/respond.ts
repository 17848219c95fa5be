import type { RequestError } from '../../errors/request-error.js'
import type { ApiEnv } from '../../http/api-handler.js'
import { limitError } from '../request/limit-error.js'
import { exceedsByteLength } from '../../serialization/byte-length.js'
import { JSONAPI } from './document.js'
import { EMPTY_HEADERS, MEDIA_TYPE, RESPONSE_HEADERS } from '../request/negotiation.js'
import { type CollectionExtent, type Page, pageLinks, type PageParameters } from '../request/page.js'
import type { Settings } from '../settings.js'
import { formatParameter, formatQuery, type Parameter, type Query } from '../request/query.js'

/** What a document is made of, each as JSON text. */
export interface DocumentParts {
  readonly data: string
  readonly links: string
  /** The elements of `included`; absent where nothing was to be included. */
  readonly included?: string | undefined
  /** The members of `meta` but for `serialization`; empty or absent for none. */
  readonly meta?: string
  /** The members of `meta.serialization.values`. */
  readonly notes?: string | undefined
  /** How many bytes it may have. Absent where it holds no more than a page of linkage. */
  readonly responseBytes?: number
  /** The profile of JSON:API that it follows; absent for none. */
  readonly profile?: string | undefined
  /** Its entity tag; absent for none. */
  readonly tag?: string | undefined
}

/** Takes the data and the members of `meta` of an answer, as JSON, in place of a response. */
export type CaptureResult = ApiEnv['Bindings']['keep']

const JSONAPI_MEMBER = `"jsonapi":${JSON.stringify(JSONAPI)}`
const OK = { status: 200, headers: RESPONSE_HEADERS }

/**
 * The error of an answer that would be longer than it may.
 * @param instead what to ask for in its place
 */
export function responseTooLargeError(
  most: number,
  instead = 'Ask for fewer rows, or with "fields" for fewer of their fields.',
): RequestError {
  return limitError('responseBytes', `The response would exceed ${most} bytes. ${instead}`)
}

/**
 * An answer with a document (contract 2.3; JSON:API "Document Structure").
 * @param location URL of what was made
 * @param keep takes what it says, where it is a part of another answer
 * @throws RequestError 400 where it is too long
 */
export function respond(answer: DocumentParts, status = 200, location?: string, keep?: CaptureResult): Response {
  const { data, links, included, meta: told = '', notes = '', responseBytes = Infinity, profile, tag } = answer
  const serialization = notes === '' ? '' : `"serialization":{"values":{${notes}},"v":1}`
  const meta = told === '' || serialization === '' ? told + serialization : `${told},${serialization}`
  if (keep) return keep(data, meta)
  const text =
    `{${meta === '' ? '' : `"meta":{${meta}},`}"data":${data}` +
    `${included === undefined ? '' : `,"included":[${included}]`},${JSONAPI_MEMBER},"links":${links}}`
  if (exceedsByteLength(responseBytes, text)) throw responseTooLargeError(responseBytes)
  if (profile) return new Response(text, { status, headers: profileHeaders(profile) })
  if (status === 200 && tag === undefined) return new Response(text, OK)
  const headers = {
    ...RESPONSE_HEADERS,
    ...(tag !== undefined && tagged(tag)),
    ...(location !== undefined && { Location: location }),
  }
  return new Response(text, { status, headers })
}

function profileHeaders(profile: string): Record<string, string> {
  return { ...RESPONSE_HEADERS, 'Content-Type': `${MEDIA_TYPE};profile="${profile}"` }
}

/** What goes with a tag: whoever keeps the answer has to ask whether it still is the same. */
function tagged(tag: string): Record<string, string> {
  return { ETag: tag, 'Cache-Control': 'private, no-cache' }
}

/** An answer that says that nothing has changed: 304. */
export function respondNotModified(tag: string): Response {
  return new Response(null, { status: 304, headers: { ...EMPTY_HEADERS, ...tagged(tag) } })
}

/** An answer without a document: 204. */
export function respondNoContent(): Response {
  return new Response(null, { status: 204, headers: EMPTY_HEADERS })
}

/**
 * The links of a document that has only `self`: its URL, with the query that it was asked with.
 * @param url escaped as inside a JSON string; a query that we write needs no escapes
 */
export function selfLink(url: string, query: Query): string {
  return `{"self":"${url}${formatQuery(query.parameters)}"}`
}

/**
 * The links of a page of a collection (contract 2.3). They keep what else the query asked for.
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
  // In one pass: to encode a parameter takes longer than all else here.
  let asked = ''
  let kept = ''
  for (const parameter of query.parameters) {
    const text = formatParameter(parameter)
    asked += asked === '' ? `?${text}` : `&${text}`
    if (isKept(parameter)) kept += kept === '' ? `?${text}` : `&${text}`
  }
  const link = (to: PageParameters | null) => (to ? `"${url}${withPage(kept, to)}"` : 'null')
  const { first, last, prev, next } = pageLinks(page, extent, settings)
  return `{"self":"${url}${asked}","first":${link(first)},"last":${link(last)},"prev":${link(prev)},"next":${link(next)}}`
}

/** Whether all pages of a list are asked for with a parameter, and not this one alone. */
function isKept({ family, path }: Parameter): boolean {
  return family !== 'page' || path[0] === 'total'
}

/**
 * A link to another page of a list, as JSON.
 * @param url as in {@link selfLink}
 * @param to the parameters of the page, encoded
 */
export function pagedLink(url: string, query: Query, to: string): string {
  const kept = formatQuery(query.parameters.filter(isKept))
  return `"${url}${kept === '' ? '?' : `${kept}&`}${to}"`
}

function withPage(query: string, { offset, limit }: PageParameters): string {
  let text = query
  if (offset !== undefined) text += `${text === '' ? '?' : '&'}page%5Boffset%5D=${offset}`
  if (limit !== undefined) text += `${text === '' ? '?' : '&'}page%5Blimit%5D=${limit}`
  return text
}
