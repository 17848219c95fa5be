import type { Document, Links, Primary, ResourceObject, Serialization } from './document.js'
import { JSONAPI } from './document.js'
import { EMPTY_HEADERS, RESPONSE_HEADERS } from './negotiation.js'
import { type Page, pageLinks, type PageParameters } from './page.js'
import { formatQuery, type Query } from './query.js'

/** What a document is made of. */
export interface Answer {
  readonly data: Primary
  readonly links: Links
  /** Present where `include` was. */
  readonly included?: readonly ResourceObject[] | undefined
  readonly total?: number
  readonly serialization?: Serialization | undefined
}

/** An answer with a document. */
export function respond(answer: Answer, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const { data, links, included, total, serialization } = answer
  const meta = {
    ...(total === undefined ? {} : { total }),
    ...(serialization ? { serialization } : {}),
  }
  const document: Document = {
    ...(Object.keys(meta).length > 0 ? { meta } : {}),
    data,
    ...(included ? { included } : {}),
    jsonapi: JSONAPI,
    links,
  }
  return new Response(JSON.stringify(document), { status, headers: { ...RESPONSE_HEADERS, ...headers } })
}

/** An answer without a document: 204. */
export function respondNothing(): Response {
  return new Response(null, { status: 204, headers: EMPTY_HEADERS })
}

/** `self` of a document: its URL, with the query that it was asked with. */
export function selfLink(url: string, query: Query): string {
  return `${url}${formatQuery(query.parameters.map(({ name, value }) => [name, value]))}`
}

/** The links of a page of a collection (contract 2.3). They keep what else the query asked for. */
export function collectionLinks(
  url: string,
  query: Query,
  { page, total, pageSize }: { readonly page: Page; readonly total: number; readonly pageSize: number },
): Links {
  const kept = query.parameters
    .filter(({ family }) => family !== 'page')
    .map(({ name, value }) => [name, value] as const)
  const link = (to: PageParameters | null) => {
    if (!to) return null
    const parameters = Object.entries(to).map(([name, value]) => [`page[${name}]`, String(value)] as const)
    return `${url}${formatQuery([...kept, ...parameters])}`
  }
  const { first, last, prev, next } = pageLinks(page, total, pageSize)
  return { self: selfLink(url, query), first: link(first), last: link(last), prev: link(prev), next: link(next) }
}
