import type { Shape } from './rows.js'

/** A request to the blog. */
export interface TestRequest {
  readonly style: 'rest' | 'rpc'
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
}

/** What came of it. */
export interface Cost {
  readonly status: number
  readonly ms: number
  /** Of these, the time that this process had the processor: with SQLite, what it would take on a machine that does nothing else. */
  readonly processorMs: number
  /** Memory that the process took at most, beyond what it had before. */
  readonly mebibytes: number
  /** The length of the answer. */
  readonly answer: number
  /** The start of the answer, where it is an error. */
  readonly error?: string
}

/** The database that a child asks. */
export interface DatabaseTarget {
  readonly provider: 'sqlite' | 'postgresql'
  readonly shape: Shape
  readonly url: string
}
