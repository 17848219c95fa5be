import type { RequestError } from '../../errors/request-error.js'
import { beyondLimit } from '../request/beyond-limit.js'
import { isLongerThan } from '../../serialization/byte-length.js'
import { JSONAPI } from './document.js'
import { EMPTY_HEADERS, RESPONSE_HEADERS } from '../request/negotiation.js'
import { type Page, pageLinks, type PageParameters } from '../request/page.js'
import { formatParameter, formatQuery, type Query } from '../request/query.js'

/** What a document is made of, each as JSON text. */
export interface Answer {
  readonly data: string
  readonly links: string
  /** The elements of `included`; absent where nothing was to be included. */
  readonly included?: string | undefined
  readonly total?: number
  /** The members of `meta.serialization.values`. */
  readonly notes?: string | undefined
  /** How many bytes it may have. Absent where it holds no more than a page of linkage. */
  readonly answerBytes?: number
}

const JSONAPI_MEMBER = `"jsonapi":${JSON.stringify(JSONAPI)}`
const OK = { status: 200, headers: RESPONSE_HEADERS }

/** The error of an answer that would be longer than it may. */
export function tooLong(most: number): RequestError {
  const detail = `The answer would have more than ${most} bytes. Ask for fewer rows, or with "fields" for fewer of their fields.`
  return beyondLimit('answerBytes', detail)
}

/**
 * An answer with a document (contract 2.3; JSON:API "Document Structure").
 * @param location URL of what was made
 * @throws RequestError 400 where it is too long
 */
export function respond(answer: Answer, status = 200, location?: string): Response {
  const { data, links, included, total, notes = '', answerBytes = Infinity } = answer
  const serialization = notes === '' ? '' : `"serialization":{"values":{${notes}},"v":1}`
  const count = total === undefined ? '' : `"total":${total}`
  const meta = count === '' || serialization === '' ? count + serialization : `${count},${serialization}`
  const text =
    `{${meta === '' ? '' : `"meta":{${meta}},`}"data":${data}` +
    `${included === undefined ? '' : `,"included":[${included}]`},${JSONAPI_MEMBER},"links":${links}}`
  if (isLongerThan(answerBytes, text)) throw tooLong(answerBytes)
  if (status === 200) return new Response(text, OK)
  const headers = location === undefined ? RESPONSE_HEADERS : { ...RESPONSE_HEADERS, Location: location }
  return new Response(text, { status, headers })
}

/** An answer without a document: 204. */
export function respondNothing(): Response {
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
  { page, total, pageSize }: { readonly page: Page; readonly total: number; readonly pageSize: number },
): string {
  // In one pass: to encode a parameter takes longer than all else here.
  let asked = ''
  let kept = ''
  for (const parameter of query.parameters) {
    const text = formatParameter(parameter)
    asked += asked === '' ? `?${text}` : `&${text}`
    if (parameter.family !== 'page') kept += kept === '' ? `?${text}` : `&${text}`
  }
  const link = (to: PageParameters | null) => (to ? `"${url}${withPage(kept, to)}"` : 'null')
  const { first, last, prev, next } = pageLinks(page, total, pageSize)
  return `{"self":"${url}${asked}","first":${link(first)},"last":${link(last)},"prev":${link(prev)},"next":${link(next)}}`
}

function withPage(query: string, { offset, limit }: PageParameters): string {
  let text = query
  if (offset !== undefined) text += `${text === '' ? '?' : '&'}page%5Boffset%5D=${offset}`
  if (limit !== undefined) text += `${text === '' ? '?' : '&'}page%5Blimit%5D=${limit}`
  return text
}
