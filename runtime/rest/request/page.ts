import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { limitError } from './limit-error.js'
import { acceptsProfile } from './negotiation.js'
import { malformed, PAGE_PARAMETERS, parametersInFamily, type Parameter, type Query } from './query.js'
import type { Settings } from '../settings.js'

/** The profile of cursor pagination. Answers under it name it in their media type. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

/** How requests may spell it: its text says `http` and a slash at its end, the list of profiles says neither. */
const SPELLINGS = ['https', 'http'].flatMap((scheme) => {
  const url = CURSOR_PROFILE.replace('https', scheme)
  return [url, `${url}/`]
})

/** The part of a collection that a request asks for. */
export interface Page {
  readonly offset: number
  /** How many at most; Infinity for all. */
  readonly limit: number
  /** Whether the answer tells how many there are in all. */
  readonly total: Total
  /** Where the page lies, if it is given by cursors and not by `offset`. */
  readonly cursors?: Cursors
}

/**
 * Whether rows are counted: `exact` at the price of a query more where the page does not tell it; `estimated` where the database's own
 * number cannot be told.
 */
export type Total = 'exact' | 'none' | 'estimated'

/** The cursors that a page lies between, as the request gives them; an empty one is the end of the list on its side. */
export interface Cursors {
  readonly after?: string
  readonly before?: string
}

/** The last row that a page can begin at. */
export const MAX_OFFSET = 2 ** 31 - 1

const KEYS = ['offset', 'limit', 'number', 'size', 'after', 'before', 'total']

/**
 * Reads `page[offset]` and `page[limit]`, or `page[number]` (from 1) and `page[size]`, or `page[after]`, `page[before]` and `page[size]`:
 * cursors (their profile). And `page[total]`: whether to count.
 * @param accept the `Accept` header, which may ask for the profile
 * @throws RequestError 400 for anything that is not such a page; nothing is cut silently
 */
export function parsePage(query: Query, settings: Settings, accept?: string): Page {
  const given = new Map<string, Parameter>()
  for (const parameter of parametersInFamily(query, 'page')) {
    const [key = ''] = parameter.path
    if (!KEYS.includes(key)) throw malformed(parameter, PAGE_PARAMETERS)
    if (given.has(key)) throw malformed(parameter, 'It is given more than once.')
    given.set(key, parameter)
  }
  const total = readTotal(given.get('total'), settings)
  const byCursor = given.has('after') || given.has('before') || (settings.pagination === 'cursor' && !hasOffset(given))
  if (byCursor || (acceptsProfile(accept, SPELLINGS) && !hasOffset(given))) {
    return readCursorPage(given, total ?? 'none', settings)
  }
  const number = (key: string) => readNumber(given.get(key), key, settings)
  const [offset, limit, page, size] = [number('offset'), number('limit'), number('number'), number('size')]
  if ((page ?? size) !== undefined && (offset ?? limit) !== undefined) {
    throw malformed({ name: 'page' }, PAGE_PARAMETERS)
  }
  const length = limit ?? size ?? settings.pageSize
  const start = offset ?? ((page ?? 1) - 1) * (length === Infinity ? 0 : length)
  requireOffset(start, page === undefined ? 'page[offset]' : 'page[number]', settings.limits)
  return { offset: start, limit: length, total: total ?? settings.total }
}

function requireOffset(start: number, parameter: string, { offset }: Limits): void {
  if (start > Math.min(offset, MAX_OFFSET)) {
    const detail = `A page must not begin beyond offset ${offset}, and this one begins at ${start}. Use cursors to read on: page[after] and page[size].`
    throw limitError('offset', detail, parameter)
  }
}

/**
 * Reads the page of a route of the app's own, which knows offsets alone and counts by itself.
 * @throws RequestError 400
 */
export function parseOffsetPage(query: Query, settings: Settings): Page {
  const page = parsePage(query, { ...settings, pagination: 'offset', total: 'exact' })
  const unknown = parametersInFamily(query, 'page').find(({ path: [key = ''] }) =>
    ['after', 'before', 'total'].includes(key),
  )
  if (unknown) throw malformed(unknown, 'Pages are given by page[offset] and page[limit] here.')
  return page
}

function hasOffset(given: ReadonlyMap<string, Parameter>): boolean {
  return given.has('offset') || given.has('number') || given.has('limit')
}

function readCursorPage(given: ReadonlyMap<string, Parameter>, total: Total, settings: Settings): Page {
  for (const key of ['offset', 'limit', 'number']) {
    const parameter = given.get(key)
    if (parameter) {
      throw malformed(parameter, 'Pages by cursor take page[after], page[before] and page[size].')
    }
  }
  const after = given.get('after')?.value
  const before = given.get('before')?.value
  // Of a range, the profile wants as much as there may be.
  const usual = after !== undefined && before !== undefined ? settings.maxPageSize : settings.pageSize
  const size = given.get('size')
  if (size && /^\d{1,300}$/.test(size.value) && Number(size.value) > settings.maxPageSize)
    throw tooLarge(size, settings)
  const cursors = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
  return { offset: 0, limit: readNumber(size, 'size', settings) ?? usual, total, cursors }
}

function tooLarge({ name, value }: Parameter, { maxPageSize }: Settings): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `A page has at most ${maxPageSize} resources; ${value} are asked for.`,
    source: { parameter: name },
    type: `${CURSOR_PROFILE}/max-size-exceeded`,
    meta: { page: { maxSize: maxPageSize } },
  })
}

function readNumber(parameter: Parameter | undefined, key: string, { maxPageSize }: Settings): number | undefined {
  if (!parameter) return undefined
  const least = key === 'offset' ? 0 : 1
  const most = key === 'limit' || key === 'size' ? maxPageSize : MAX_OFFSET
  const number = /^\d{1,10}$/.test(parameter.value) ? Number(parameter.value) : NaN
  if (number >= least && number <= most) return number
  throw malformed(parameter, `It must be an integer from ${least} to ${Math.min(most, MAX_OFFSET)}.`)
}

function readTotal(parameter: Parameter | undefined, { estimates }: Settings): Total | undefined {
  if (!parameter) return undefined
  const { value } = parameter
  if (value === 'exact' || value === 'none' || (value === 'estimated' && estimates)) return value
  throw malformed(parameter, `It must be "exact"${estimates ? ', "estimated"' : ''} or "none".`)
}

/** Prisma's `skip` and `take` for a page: a row more where only that tells whether there is a next page. */
export function toSkipTake(page: Pick<Page, 'offset' | 'limit' | 'total'>): { skip?: number; take?: number } {
  return {
    ...(page.offset > 0 ? { skip: page.offset } : {}),
    ...(page.limit === Infinity ? {} : { take: page.limit + (page.total === 'exact' ? 0 : 1) }),
  }
}

/**
 * How many rows there are in all. A page that is not full tells it; otherwise they are counted.
 * @param rows how many are on the page
 */
export async function resolveTotal(
  { offset, limit }: Pick<Page, 'offset' | 'limit'>,
  rows: number,
  count: () => PromiseLike<unknown>,
): Promise<number> {
  if (rows < limit && (rows > 0 || offset === 0)) return offset + rows
  return Number(await count())
}

/** A total that is the database's own guess, as a member of `meta`, or of its `page` where cursors give the page. */
export function estimatedTotal(guess: number): string {
  return `"estimatedTotal":{"bestGuess":${guess}}`
}

/** The page parameters of a collection's links; null where there is no such page (contract 2.3), or where it is not known. */
export interface PageLinks {
  readonly first: PageParameters
  readonly last: PageParameters | null
  readonly prev: PageParameters | null
  readonly next: PageParameters | null
}

export interface PageParameters {
  readonly offset?: number
  readonly limit?: number
}

/** How far a collection goes on behind a page: how many there are in all, or whether there are more. */
export type CollectionExtent = { readonly total: number } | { readonly hasNext: boolean }

/**
 * Returns the pages around a page. `last` has a limit only if the default page would be too small for it (design 5), and is null if it begins
 * beyond `limits.offset`. `next` is not: a null there says that the collection ends.
 */
export function pageLinks(
  page: Pick<Page, 'offset' | 'limit'>,
  extent: CollectionExtent,
  { pageSize, limits }: Pick<Settings, 'pageSize' | 'limits'>,
): PageLinks {
  const { offset, limit } = page
  const total = 'total' in extent ? extent.total : undefined
  if (limit === Infinity) return { first: {}, last: {}, prev: null, next: null }
  const hasNext = 'hasNext' in extent ? extent.hasNext : offset + limit < extent.total
  const end = total === undefined ? undefined : total > 0 ? Math.floor((total - 1) / limit) * limit : 0
  const back = total !== undefined && end !== undefined && offset > total ? end : Math.max(0, offset - limit)
  return {
    first: { limit },
    last: end === undefined || end > limits.offset ? null : limit > pageSize ? { offset: end, limit } : { offset: end },
    prev: offset > 0 ? { offset: back, limit } : null,
    next: hasNext ? { offset: offset + limit, limit } : null,
  }
}
