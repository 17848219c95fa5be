import { pagedLink } from '../document/respond.js'
import { isObject } from '../../values/is-object.js'
import type { Row } from '../orm/row.js'
import type { Limits } from '../../limits.js'
import { limitError } from '../request/limit-error.js'
import { CURSOR_PROFILE, type Cursors, estimatedTotal, MAX_OFFSET } from '../request/page.js'
import { formatQuery, malformed, parametersInFamily } from '../request/query.js'
import type { ListQuery } from '../request/list-query.js'
import type { OrderBy } from '../request/sort.js'
import { createCursorEncoder, listFingerprint, decodeCursor } from './cursor.js'
import { mergeWhere, whereBeyond, type KeysetPosition } from './keyset.js'
import type { Paginator, Paging } from './paging.js'
import { type SortKey, sortKeys, unsupportedSort, keyValue, selectKey } from './sort-keys.js'

/**
 * Pages by cursors, as their profile has it. A cursor holds the values that its row is ordered by, so that it survives the row, and the
 * database begins to read where it stands.
 * @throws RequestError 400 for a cursor that is none of this list, and for an order that no cursor can stand in
 */
export function cursorPaging(paged: Paginator, cursors: Cursors): Paging {
  const { model, listed, page, context } = paged
  const keys = sortKeys(model, listed.orderBy)
  const list = listOf(paged)
  const write = createCursorEncoder(keys, list)
  const after = placeOf('after', cursors, keys, list)
  const before = placeOf('before', cursors, keys, list)
  const backwards = cursors.before !== undefined && cursors.after === undefined
  // Read from the other end, which is the same to the database. Access policies order rows by related ones that the caller may not all
  // read in a way of their own, in which no cursor can stand; so asked, they refuse.
  const isThrough = keys.some(({ path }) => path.length > 0)
  requireFewJoins(keys, Number(after !== undefined) + Number(before !== undefined), context.settings.limits)
  const bounds = [
    ...(after ? [whereBeyond(keys, after, 'after', context.dialect)] : []),
    ...(before ? [whereBeyond(keys, before, 'before', context.dialect)] : []),
  ]
  const wheres = [...(listed.where ? [listed.where] : []), ...bounds]
  const args: ListQuery = {
    ...(wheres.length > 0 && { where: mergeWhere(wheres) }),
    orderBy: backwards === isThrough ? listed.orderBy : listed.orderBy.map(reversed),
  }
  const take = Math.min(page.limit, MAX_OFFSET - 1) + 1
  return {
    args: isThrough ? { ...args, take: -take } : page.limit === Infinity ? args : { ...args, take },
    load: (selection) => keys.reduce(selectKey, selection),
    shown: async (loaded, count, estimate) => {
      const hasMore = loaded.length > page.limit
      const found = isThrough ? loaded.toReversed() : loaded
      const rows = hasMore ? found.slice(0, page.limit) : found
      const ordered = backwards ? rows.toReversed() : rows
      const marks = ordered.map((row) => write({ values: valuesIn(row, keys), inclusive: false }))
      const guess = page.total === 'estimated' ? await estimate?.() : undefined
      const isCounted = page.total !== 'none' && guess === undefined
      const total = isCounted ? [`"total":${await count()}`] : guess === undefined ? [] : [estimatedTotal(guess)]
      const isCut = hasMore && cursors.after !== undefined && cursors.before !== undefined
      const meta = [...total, ...(isCut ? ['"rangeTruncated":true'] : [])]
      const sides = neighbours({ cursors, after, before, hasMore, marks }, write)
      return {
        rows: ordered,
        meta: meta.length > 0 ? `"page":{${meta.join(',')}}` : '',
        links: (url) => linksOf(url, paged, sides),
        itemMeta: marks.map((mark) => `{"page":{"cursor":"${mark}"}}`),
        profile: CURSOR_PROFILE,
      }
    },
  }
}

/**
 * Refuses an order through so many relations that the database would not plan what lies beyond a cursor in time: each key is compared once
 * for itself, and once for each key behind it.
 * @param sides how many cursors the page lies between
 */
function requireFewJoins(keys: readonly SortKey[], sides: number, { filterRelations }: Limits): void {
  const joins = keys.reduce((sum, { path }, index) => sum + path.length * (keys.length - index), 0)
  if (joins * sides <= filterRelations) return
  const detail = `A page between cursors may reach into relations ${filterRelations} times, and this order does ${joins * sides} times. Order by fewer of their fields, or page by offset.`
  throw limitError('filterRelations', detail, 'sort')
}

/** What makes a list this one: its order, its filter and what it is searched for. */
function listOf({ model, query, listed }: Paginator): string {
  const filters = [...parametersInFamily(query, 'filter'), ...parametersInFamily(query, 'fullText')].map(
    ({ name, value }) => `${name}=${value}`,
  )
  return listFingerprint(JSON.stringify([model.type, listed.orderBy, filters.sort()]))
}

function placeOf(
  side: keyof Cursors,
  cursors: Cursors,
  keys: readonly SortKey[],
  list: string,
): KeysetPosition | undefined {
  const cursor = cursors[side]
  if (!cursor) return undefined
  const place = decodeCursor(keys, cursor, list)
  if (typeof place === 'string') throw malformed({ name: `page[${side}]` }, place)
  return place
}

function valuesIn(row: Row, keys: readonly SortKey[]): readonly unknown[] {
  return keys.map((key) => {
    const value = keyValue(row, key)
    // Access policies have taken it away, or a client extension.
    if (value === undefined) throw unsupportedSort(`Not every row shows the "${key.name}" that it is ordered by.`)
    return value
  })
}

interface Shown {
  readonly cursors: Cursors
  readonly after: KeysetPosition | undefined
  readonly before: KeysetPosition | undefined
  readonly hasMore: boolean
  /** The cursors of the rows on the page. */
  readonly marks: readonly string[]
}

/** The cursors that the pages before and behind a page begin at; undefined where there is no such page. */
interface Neighbours {
  readonly prev: string | undefined
  readonly next: string | undefined
}

function neighbours(
  { cursors, after, before, hasMore, marks }: Shown,
  write: (place: KeysetPosition) => string,
): Neighbours {
  const backwards = cursors.after === undefined && cursors.before !== undefined
  const first = marks[0] ?? (after && write({ ...after, inclusive: !after.inclusive }))
  const last = marks.at(-1) ?? (before && write({ ...before, inclusive: !before.inclusive }))
  return {
    prev: backwards ? (hasMore ? first : undefined) : after && first,
    next: backwards ? before && last : hasMore || before ? last : undefined,
  }
}

function linksOf(url: string, { query, page }: Paginator, { prev, next }: Neighbours): string {
  const size = page.limit === Infinity ? '' : `&page%5Bsize%5D=${page.limit}`
  const link = (side: string, cursor: string | undefined) => {
    return cursor === undefined ? 'null' : pagedLink(url, query, `page%5B${side}%5D=${cursor}${size}`)
  }
  const self = `"${url}${formatQuery(query.parameters)}"`
  return `{"self":${self},"first":${link('after', '')},"last":${link('before', '')},"prev":${link('before', prev)},"next":${link('after', next)}}`
}

function reversed(entry: OrderBy): OrderBy {
  const turned = Object.entries(entry).map(([name, below]): [string, unknown] => {
    if (below === 'asc') return [name, 'desc']
    return [name, isObject(below) ? reversed(below) : 'asc']
  })
  return Object.fromEntries(turned)
}
