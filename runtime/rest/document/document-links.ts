import type { Row } from '../orm/row.js'
import { formatParameter, formatQuery, type Parameter } from '../request/query/parse-query.js'
import type { Page } from '../paging/paging.js'
import { rowId } from '../request/resource-id.js'
import type { RestModel } from '../rest-model.js'
import type { Settings } from '../settings.js'

/** The query of a link. */
export interface LinkQuery {
  readonly parameters: readonly Pick<Parameter, 'name' | 'value'>[]
}

/**
 * Returns the links of a document that has only `self`: its URL, including the query of the request.
 * @param url the URL, escaped for a JSON string; the query is percent-encoded and needs no escaping
 */
export function selfLink(url: string, query: LinkQuery): string {
  return `{"self":"${url}${formatQuery(query.parameters)}"}`
}

/**
 * Returns the links of a page of a collection (contract 2.3). The links keep all other query parameters.
 * @param url as in {@link selfLink}
 */
export function collectionLinks(
  url: string,
  query: LinkQuery,
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
  // Both queries are built in one pass, because encoding the parameters is the most expensive part of this function.
  let fullQuery = ''
  let baseQuery = ''
  for (const parameter of query.parameters) {
    const text = formatParameter(parameter)
    fullQuery += fullQuery === '' ? `?${text}` : `&${text}`
    if (isSharedByPages(parameter)) baseQuery += baseQuery === '' ? `?${text}` : `&${text}`
  }
  const link = (to: PageParameters | null) => (to ? `"${url}${withPage(baseQuery, to)}"` : 'null')
  const { first, last, prev, next } = offsetPageLinks(page, extent, settings)
  return `{"self":"${url}${fullQuery}","first":${link(first)},"last":${link(last)},"prev":${link(prev)},"next":${link(next)}}`
}

/** Whether a parameter applies to all pages of a list, not only to this page. */
function isSharedByPages({ name }: Pick<Parameter, 'name'>): boolean {
  return !name.startsWith('page[') || name === 'page[total]'
}

/**
 * Returns the JSON of a link to a page of a list.
 * @param url as in {@link selfLink}
 * @param to the encoded parameters of the page
 */
export function pagedLink(url: string, query: LinkQuery, to: string): string {
  const baseQuery = formatQuery(query.parameters.filter(isSharedByPages))
  return `"${url}${baseQuery === '' ? '?' : `${baseQuery}&`}${to}"`
}

function withPage(query: string, { offset, limit }: PageParameters): string {
  let text = query
  if (offset !== undefined) text += `${text === '' ? '?' : '&'}page%5Boffset%5D=${offset}`
  if (limit !== undefined) text += `${text === '' ? '?' : '&'}page%5Blimit%5D=${limit}`
  return text
}

/** Returns the URL of a resource. */
export function resourceUrl(model: RestModel, row: Row): string {
  return `${model.url}/${encodeURIComponent(rowId(model.id, row))}`
}

/** Returns the URL of a resource, escaped for a JSON string. */
export function resourceLink(model: RestModel, row: Row): string {
  return `${model.json.url}/${encodeURIComponent(rowId(model.id, row))}`
}

/** The page parameters of a collection's links. Null if there is no such page (contract 2.3) or if it is unknown. */
interface PageLinks {
  readonly first: PageParameters
  readonly last: PageParameters | null
  readonly prev: PageParameters | null
  readonly next: PageParameters | null
}

/** The values of `page[offset]` and `page[limit]` in a link. */
interface PageParameters {
  readonly offset?: number
  readonly limit?: number
}

/** The extent of a collection beyond a page: the total, or whether there are more rows. */
export type CollectionExtent = { readonly total: number } | { readonly hasNext: boolean }

/**
 * Returns the pages around a page. `last` omits the limit if a page of the default size reaches the end. It is null if it starts beyond
 * `limits.offset`. `next` ignores `limits.offset`, because a null `next` means that the collection ends.
 */
function offsetPageLinks(
  page: Pick<Page, 'offset' | 'limit'>,
  extent: CollectionExtent,
  { pageSize, limits }: Pick<Settings, 'pageSize' | 'limits'>,
): PageLinks {
  const { offset, limit } = page
  const total = 'total' in extent ? extent.total : undefined
  if (limit === Infinity) return { first: {}, last: {}, prev: null, next: null }
  const hasNext = 'hasNext' in extent ? extent.hasNext : offset + limit < extent.total
  const end = total === undefined ? undefined : total > 0 ? Math.floor((total - 1) / limit) * limit : 0
  const prevOffset = total !== undefined && end !== undefined && offset > total ? end : Math.max(0, offset - limit)
  return {
    first: { limit },
    last: end === undefined || end > limits.offset ? null : limit > pageSize ? { offset: end, limit } : { offset: end },
    prev: offset > 0 ? { offset: prevOffset, limit } : null,
    next: hasNext ? { offset: offset + limit, limit } : null,
  }
}
