import type { Parameter } from './parse-query.js'

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
