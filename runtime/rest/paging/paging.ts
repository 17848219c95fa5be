import type { Row } from '../orm/row.js'
import type { SelectionArgs } from '../orm/selection.js'
import type { Query, Parameter } from '../request/query/parse-query.js'
import type { FilterAndSort } from '../request/query/parse-sort.js'
import type { RestModel } from '../rest-model.js'

/** The paging of a collection. */
export interface Paging {
  /** The arguments that load the page. Includes an extra row if it is needed to detect a next page. */
  readonly args: FilterAndSort & { readonly skip?: number; readonly take?: number }
  /** Extends the arguments with the fields that the page's links require. */
  readonly load: (args: SelectionArgs) => SelectionArgs
  /**
   * Creates a page from the loaded rows.
   * @param count counts all rows; called if the response includes the total and it cannot be derived from the page
   */
  readonly createPage: (rows: readonly Row[], count: Count) => Promise<PageResult>
}

/** Counts all rows of a list. */
export type Count = () => PromiseLike<number>

/** A page of a collection. */
export interface PageResult {
  readonly rows: readonly Row[]
  /** The members of the document's `meta`, as JSON. Empty if there are none. */
  readonly meta: string
  /**
   * Returns the JSON of the document's links.
   * @param url escaped for a JSON string
   */
  readonly links: (url: string) => string
  /** The JSON of each row's own `meta`. Undefined if the rows have none. */
  readonly itemMeta?: readonly string[]
  /** The JSON:API profile that the response follows. */
  readonly profile?: string
}

/** The collection to page. */
export interface PagedCollection {
  readonly query: Query
  readonly model: RestModel
  readonly listQuery: FilterAndSort
  readonly page: Page
}

/** Whether the response contains the total. `exact` requires an additional query if the page does not determine the total. */
export type Total = 'exact' | 'none'

/** The requested page of a collection. */
export interface Page {
  readonly offset: number
  /** Maximum number of rows. Infinity for all. */
  readonly limit: number
  /** Whether the response contains the total. */
  readonly total: Total
  /** The cursors of the page. Undefined with offset pagination. */
  readonly cursors?: Cursors
}

/** The cursors in the request, between which the page lies. An empty cursor is the start (`after`) or end (`before`) of the list. */
export interface Cursors {
  readonly after?: string
  readonly before?: string
}

/** The page parameters of a request, by the name in brackets. */
export type RequestedPageParameters = ReadonlyMap<string, Parameter>
