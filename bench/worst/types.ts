import type { Shape } from './rows.js'

/** A request to the blog. */
export interface TestRequest {
  readonly style: 'rest' | 'rpc'
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: string
}

/** The cost of a request. */
export interface Cost {
  readonly status: number
  readonly ms: number
  /** CPU time of this process within `ms`. With SQLite, this is the duration on an idle machine. */
  readonly processorMs: number
  /** Peak memory of the process, beyond its memory before the request. */
  readonly mebibytes: number
  /** Length of the response. */
  readonly responseLength: number
  /** The start of the response if it is an error. */
  readonly error?: string
}

/** The database that a child process uses. */
export interface DatabaseTarget {
  readonly provider: 'sqlite' | 'postgresql'
  readonly shape: Shape
  readonly url: string
}
