import { HTTPException } from 'hono/http-exception'

/** The query parameters of a collection. */
export interface CollectionQuery {
  readonly offset: number
  readonly limit: number
  readonly include: readonly string[]
  readonly authorId: number | undefined
  readonly status: 'DRAFT' | 'PUBLISHED' | undefined
  readonly sort: string | undefined
  /** The query string of the `self` link. */
  readonly query: string
  /** The part of the query string that links to other pages keep. */
  readonly retainedQuery: string
}

const PAGE_SIZE = 100

/** Parses the query parameters. Rejects unknown ones. */
export function parseCollectionQuery(url: string): CollectionQuery {
  const start = url.indexOf('?')
  const parsed = {
    offset: 0,
    limit: PAGE_SIZE,
    include: EMPTY,
    authorId: undefined as number | undefined,
    status: undefined as CollectionQuery['status'],
    sort: undefined as string | undefined,
    query: '',
    retainedQuery: '',
  }
  if (start < 0) return parsed
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const written = `${parsed.query === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    parsed.query += written
    if (name === 'page[offset]') parsed.offset = integer(name, value, 0, 2 ** 31 - 1)
    else if (name === 'page[limit]') parsed.limit = integer(name, value, 1, 1000)
    else {
      parsed.retainedQuery += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`
      if (name === 'include') parsed.include = value.split(',')
      else if (name === 'filter[authorId]') parsed.authorId = integer(name, value, 0, 2 ** 31 - 1)
      else if (name === 'filter[status]' && (value === 'DRAFT' || value === 'PUBLISHED')) parsed.status = value
      else if (name === 'sort' && (value === 'createdAt' || value === '-createdAt')) parsed.sort = value
      else throw new HTTPException(400, { message: `The parameter ${name} is not understood.` })
    }
  }
  return parsed
}

const EMPTY: readonly string[] = []

/** Returns the links of a page as JSON. */
export function pageLinks(
  url: string,
  { offset, limit, query, retainedQuery }: CollectionQuery,
  total: number,
): string {
  const last = total > 0 ? Math.floor((total - 1) / limit) * limit : 0
  const lastLimit = limit > PAGE_SIZE ? `&page%5Blimit%5D=${limit}` : ''
  const toLink = (to: number) => `"${url}?${retainedQuery}page%5Boffset%5D=${to}&page%5Blimit%5D=${limit}"`
  return (
    `{"self":"${url}${query === '' ? '' : `?${query}`}","first":"${url}?${retainedQuery}page%5Blimit%5D=${limit}"` +
    `,"last":"${url}?${retainedQuery}page%5Boffset%5D=${last}${lastLimit}"` +
    `,"prev":${offset > 0 ? toLink(offset > total ? last : Math.max(0, offset - limit)) : 'null'}` +
    `,"next":${offset + limit < total ? toLink(offset + limit) : 'null'}}`
  )
}

/** Returns the total if it follows from the page. */
export function inferTotal({ offset, limit }: CollectionQuery, rows: number): number | undefined {
  return rows < limit && (rows > 0 || offset === 0) ? offset + rows : undefined
}

function integer(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN
  if (number >= min && number <= max) return number
  throw new HTTPException(400, { message: `${name} must be an integer from ${min} to ${max}.` })
}
