import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { pagedLink } from '../../rest/document/document-links.js'
import type { Row } from '../../rest/orm/row.js'
import type {
  PagedCollection,
  Paging,
  Cursors,
  Page,
  RequestedPageParameters,
  Total,
} from '../../rest/paging/paging.js'
import { acceptsProfile } from '../../rest/request/content-negotiation.js'
import type { FilterAndSort, OrderBy } from '../../rest/request/query/parse-sort.js'
import {
  formatQuery,
  malformedParameter,
  parametersInFamily,
  type Parameter,
} from '../../rest/request/query/parse-query.js'
import { limitError } from '../../rest/request/request-errors.js'
import { MAX_OFFSET, parsePageNumber } from '../../rest/request/query/parse-page.js'
import type { QueryContext, Settings } from '../../rest/settings.js'
import { isObject } from '../../values/is-object.js'
import {
  createCursorEncoder,
  listFingerprint,
  decodeCursor,
  mergeWhere,
  whereBeyond,
  type KeysetPosition,
} from './keyset.js'
import { CURSOR_PROFILE, type SortKey, sortKeys, unsupportedSort, keyValue, selectKey } from './sort-keys.js'

/**
 * Enables cursor pagination, as defined by the cursor pagination profile: `page[after]` and `page[before]`.
 * Called by the emitted `index.ts`.
 */
export function cursorPagination(): Feature<'cursors'> {
  return restFeature('cursors', {
    keys: ['after', 'before'],
    kinds: 'page[offset] and page[limit], page[number] and page[size], or page[after], page[before] and page[size]',
    hint: ' Use cursors to read further: page[after] and page[size].',
    parse: parseCursorPage,
    createPaging: cursorPaging,
  })
}

/**
 * Pages a collection by cursors, as defined by the cursor pagination profile. A cursor contains its row's sort values.
 * It therefore stays valid after the row is deleted, and the database can start reading at its position.
 * @throws RequestError 400 if a cursor belongs to a different list, or if the sort order does not support cursors
 */
function cursorPaging(paged: PagedCollection, cursors: Cursors, context: QueryContext): Paging {
  const { model, listQuery, page } = paged
  const keys = sortKeys(model, listQuery.orderBy)
  const list = queryFingerprint(paged)
  const write = createCursorEncoder(keys, list)
  const after = parsePosition('after', cursors, keys, list)
  const before = parsePosition('before', cursors, keys, list)
  const backwards = cursors.before !== undefined && cursors.after === undefined
  // Lists that are sorted by related rows are read from the other end, with a negative `take`. For the database, this makes no difference.
  // If the caller may not read all related rows, access policies sort rows in a way that cursors do not support. Policies reject such a
  // query because of its negative `take`.
  const sortsByRelation = keys.some(({ path }) => path.length > 0)
  assertJoins(keys, Number(after !== undefined) + Number(before !== undefined), context.settings.limits)
  const bounds = [
    ...(after ? [whereBeyond(keys, after, 'after', context.dialect)] : []),
    ...(before ? [whereBeyond(keys, before, 'before', context.dialect)] : []),
  ]
  const wheres = [...(listQuery.where ? [listQuery.where] : []), ...bounds]
  const args: FilterAndSort = {
    ...(wheres.length > 0 && { where: mergeWhere(wheres) }),
    orderBy: backwards === sortsByRelation ? listQuery.orderBy : listQuery.orderBy.map(reverseOrder),
  }
  const take = Math.min(page.limit, MAX_OFFSET - 1) + 1
  return {
    args: sortsByRelation ? { ...args, take: -take } : page.limit === Infinity ? args : { ...args, take },
    load: (selection) => keys.reduce(selectKey, selection),
    createPage: async (loaded, count) => {
      const hasMore = loaded.length > page.limit
      const found = sortsByRelation ? loaded.toReversed() : loaded
      const rows = hasMore ? found.slice(0, page.limit) : found
      const ordered = backwards ? rows.toReversed() : rows
      const rowCursors = ordered.map((row) => write({ values: readKeyValues(row, keys), inclusive: false }))
      const total = page.total === 'none' ? [] : [`"total":${await count()}`]
      const isTruncated = hasMore && cursors.after !== undefined && cursors.before !== undefined
      const meta = [...total, ...(isTruncated ? ['"rangeTruncated":true'] : [])]
      const neighbours = findNeighbours({ cursors, after, before, hasMore, tokens: rowCursors }, write)
      return {
        rows: ordered,
        meta: meta.length > 0 ? `"page":{${meta.join(',')}}` : '',
        links: (url) => formatLinks(url, paged, neighbours),
        itemMeta: rowCursors.map((mark) => `{"page":{"cursor":"${mark}"}}`),
        profile: CURSOR_PROFILE,
      }
    },
  }
}

/**
 * Checks that the sort order does not use so many relations that the database would take too long to plan the cursor's filter. The filter
 * repeats the comparison of each key for every key that follows it.
 * @param sides the number of cursors that limit the page
 * @throws RequestError 400 if it uses too many relations
 */
function assertJoins(keys: readonly SortKey[], sides: number, { filterRelations }: Limits): void {
  const joins = keys.reduce((sum, { path }, index) => sum + path.length * (keys.length - index), 0)
  if (joins * sides <= filterRelations) return
  const detail = `A cursor can follow at most ${filterRelations} relationships, but this sort order needs ${joins * sides}. Use page[offset].`
  throw limitError('filterRelations', detail, 'sort')
}

/** Returns the fingerprint of a list, which depends on its sort order, filter and full-text search. */
function queryFingerprint({ model, query, listQuery }: PagedCollection): string {
  const filters = [...parametersInFamily(query, 'filter'), ...parametersInFamily(query, 'fullText')].map(
    ({ name, value }) => `${name}=${value}`,
  )
  return listFingerprint(JSON.stringify([model.type, listQuery.orderBy, filters.sort()]))
}

function parsePosition(
  side: keyof Cursors,
  cursors: Cursors,
  keys: readonly SortKey[],
  list: string,
): KeysetPosition | undefined {
  const cursor = cursors[side]
  if (!cursor) return undefined
  const position = decodeCursor(keys, cursor, list)
  if (typeof position === 'string') throw malformedParameter({ name: `page[${side}]` }, position)
  return position
}

function readKeyValues(row: Row, keys: readonly SortKey[]): readonly unknown[] {
  return keys.map((key) => {
    const value = keyValue(row, key)
    // Access policies or a client extension have removed the value.
    if (value === undefined) throw unsupportedSort(`The sort field "${key.name}" is not readable in every row.`)
    return value
  })
}

interface PageBounds {
  readonly cursors: Cursors
  readonly after: KeysetPosition | undefined
  readonly before: KeysetPosition | undefined
  readonly hasMore: boolean
  /** The cursors of the rows on the page. */
  readonly tokens: readonly string[]
}

/** The cursors at which the previous and next pages start. Undefined if there is no such page. */
interface Neighbours {
  readonly prev: string | undefined
  readonly next: string | undefined
}

function findNeighbours(
  { cursors, after, before, hasMore, tokens }: PageBounds,
  write: (position: KeysetPosition) => string,
): Neighbours {
  const backwards = cursors.after === undefined && cursors.before !== undefined
  const first = tokens[0] ?? (after && write({ ...after, inclusive: !after.inclusive }))
  const end = tokens.at(-1) ?? (before && write({ ...before, inclusive: !before.inclusive }))
  return {
    prev: backwards ? (hasMore ? first : undefined) : after && first,
    next: backwards ? before && end : hasMore || before ? end : undefined,
  }
}

function formatLinks(url: string, { query, page }: PagedCollection, { prev, next }: Neighbours): string {
  const size = page.limit === Infinity ? '' : `&page%5Bsize%5D=${page.limit}`
  const link = (side: string, cursor: string | undefined) => {
    return cursor === undefined ? 'null' : pagedLink(url, query, `page%5B${side}%5D=${cursor}${size}`)
  }
  const self = `"${url}${formatQuery(query.parameters)}"`
  return `{"self":${self},"first":${link('after', '')},"last":${link('before', '')},"prev":${link('before', prev)},"next":${link('after', next)}}`
}

function reverseOrder(entry: OrderBy): OrderBy {
  const reversed = Object.entries(entry).map(([name, order]): [string, unknown] => {
    if (order === 'asc') return [name, 'desc']
    return [name, isObject(order) ? reverseOrder(order) : 'asc']
  })
  return Object.fromEntries(reversed)
}

/** The accepted spellings of the URI. The profile's text uses `http` and a trailing slash. The list of profiles uses `https` and no slash. */
const SPELLINGS = ['https', 'http'].flatMap((scheme) => {
  const url = CURSOR_PROFILE.replace('https', scheme)
  return [url, `${url}/`]
})

const OFFSET_KEYS = ['offset', 'limit', 'number']

/**
 * Parses `page[after]`, `page[before]` and `page[size]` of the cursor pagination profile. A request also uses cursors if it requests the
 * profile in `Accept`, or if they are the default. Requests with `page[offset]`, `page[limit]` or `page[number]` do not.
 * @returns undefined if the request does not use cursors
 * @throws RequestError 400 if the parameters are invalid
 */
function parseCursorPage(
  parameters: RequestedPageParameters,
  total: Total | undefined,
  settings: Settings,
  accept: string | undefined,
): Page | undefined {
  const after = parameters.get('after')?.value
  const before = parameters.get('before')?.value
  const offset = OFFSET_KEYS.map((key) => parameters.get(key)).find((parameter) => parameter !== undefined)
  if (after === undefined && before === undefined) {
    if (offset || (settings.pagination !== 'cursor' && !acceptsProfile(accept, SPELLINGS))) return undefined
  }
  if (offset) throw malformedParameter(offset, 'Cursor pagination supports page[after], page[before] and page[size].')
  // For a range between two cursors, the profile requires the maximum page size as the default.
  const defaultSize = after !== undefined && before !== undefined ? settings.maxPageSize : settings.pageSize
  const size = parameters.get('size')
  if (size && /^\d{1,300}$/.test(size.value) && Number(size.value) > settings.maxPageSize)
    throw pageTooLargeError(size, settings)
  const cursors = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
  const limit = parsePageNumber(size, 'size', settings) ?? defaultSize
  return { offset: 0, limit, total: total ?? 'none', cursors }
}

function pageTooLargeError({ name, value }: Parameter, { maxPageSize }: Settings): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `A page can contain at most ${maxPageSize} resources, but ${value} were requested.`,
    source: { parameter: name },
    type: `${CURSOR_PROFILE}/max-size-exceeded`,
    meta: { page: { maxSize: maxPageSize } },
  })
}
