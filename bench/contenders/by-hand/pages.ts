import { HTTPException } from 'hono/http-exception'

/** The parameters of a collection's request. */
export interface Asked {
  readonly offset: number
  readonly limit: number
  readonly include: readonly string[]
  readonly authorId: number | undefined
  readonly status: 'DRAFT' | 'PUBLISHED' | undefined
  readonly sort: string | undefined
  /** All of them as a query, for the document's own link. */
  readonly query: string
  /** Those that other pages of the collection keep. */
  readonly kept: string
}

const PAGE_SIZE = 100

/** Reads the parameters; what this API does not know is refused. */
export function readAsked(url: string): Asked {
  const start = url.indexOf('?')
  const asked = {
    offset: 0,
    limit: PAGE_SIZE,
    include: NONE,
    authorId: undefined as number | undefined,
    status: undefined as Asked['status'],
    sort: undefined as string | undefined,
    query: '',
    kept: '',
  }
  if (start < 0) return asked
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    const written = `${asked.query === '' ? '' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    asked.query += written
    if (name === 'page[offset]') asked.offset = integer(name, value, 0, 2 ** 31 - 1)
    else if (name === 'page[limit]') asked.limit = integer(name, value, 1, 1000)
    else {
      asked.kept += `${encodeURIComponent(name)}=${encodeURIComponent(value)}&`
      if (name === 'include') asked.include = value.split(',')
      else if (name === 'filter[authorId]') asked.authorId = integer(name, value, 0, 2 ** 31 - 1)
      else if (name === 'filter[status]' && (value === 'DRAFT' || value === 'PUBLISHED')) asked.status = value
      else if (name === 'sort' && (value === 'createdAt' || value === '-createdAt')) asked.sort = value
      else throw new HTTPException(400, { message: `The parameter ${name} is not understood.` })
    }
  }
  return asked
}

const NONE: readonly string[] = []

/** The links of a page, as JSON. */
export function pageLinks(url: string, { offset, limit, query, kept }: Asked, total: number): string {
  const last = total > 0 ? Math.floor((total - 1) / limit) * limit : 0
  const lastLimit = limit > PAGE_SIZE ? `&page%5Blimit%5D=${limit}` : ''
  const at = (to: number) => `"${url}?${kept}page%5Boffset%5D=${to}&page%5Blimit%5D=${limit}"`
  return (
    `{"self":"${url}${query === '' ? '' : `?${query}`}","first":"${url}?${kept}page%5Blimit%5D=${limit}"` +
    `,"last":"${url}?${kept}page%5Boffset%5D=${last}${lastLimit}"` +
    `,"prev":${offset > 0 ? at(offset > total ? last : Math.max(0, offset - limit)) : 'null'}` +
    `,"next":${offset + limit < total ? at(offset + limit) : 'null'}}`
  )
}

/** How many there are in all, where the page itself tells it. */
export function totalOf({ offset, limit }: Asked, rows: number): number | undefined {
  return rows < limit && (rows > 0 || offset === 0) ? offset + rows : undefined
}

function integer(name: string, value: string, least: number, most: number): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN
  if (number >= least && number <= most) return number
  throw new HTTPException(400, { message: `${name} must be an integer from ${least} to ${most}.` })
}
