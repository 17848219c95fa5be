import type { RestContext } from '../context.js'
import type { RestModel } from '../model.js'
import type { SelectionArgs } from '../orm/selection.js'
import type { Row } from '../orm/row.js'
import type { Page } from '../request/page.js'
import type { Query } from '../request/query.js'
import type { ListQuery } from '../request/list-query.js'
import { cursorPaging } from './cursor-paging.js'
import { offsetPaging } from './offset-paging.js'

/** How a collection is paged. */
export interface Paging {
  /** Which rows are on the page, and in which order: a row more where that tells whether there is a next page. */
  readonly args: ListQuery & { readonly skip?: number; readonly take?: number }
  /** Adds to what is loaded of each row what the page's links need. */
  readonly load: (args: SelectionArgs) => SelectionArgs
  /**
   * Makes a page of what was loaded.
   * @param count counts all rows; asked where the page does not tell and the answer says how many there are
   * @param estimate tells about how many there are, if anything does; asked before where the request wants no more. Default: nothing does
   */
  readonly shown: (rows: readonly Row[], count: Count, estimate?: Estimate | undefined) => Promise<PageResult>
}

export type Count = () => PromiseLike<number>
export type Estimate = () => PromiseLike<number | undefined> | undefined

/** A page of a collection. */
export interface PageResult {
  readonly rows: readonly Row[]
  /** The members of the document's `meta`, as JSON; empty for none. */
  readonly meta: string
  /**
   * The document's links, as JSON.
   * @param url escaped as inside a JSON string
   */
  readonly links: (url: string) => string
  /** The JSON of each row's own `meta`; absent where they have none. */
  readonly itemMeta?: readonly string[]
  /** The profile that the answer follows. */
  readonly profile?: string
}

/** What pages a collection. */
export interface Paginator {
  readonly query: Query
  readonly model: RestModel
  readonly listed: ListQuery
  readonly page: Page
  readonly context: RestContext
}

/**
 * Pages a collection as a request asks.
 * @throws RequestError 400 for a cursor that is none of this collection, and for an order that no cursor can stand in
 */
export function createPaging(paged: Paginator): Paging {
  const { cursors } = paged.page
  return cursors ? cursorPaging(paged, cursors) : offsetPaging(paged)
}
