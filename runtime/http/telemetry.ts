import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import type { LogContext } from './api-handler.js'
import type { Style } from './hooks-mount.js'

/** What is known of a request that was answered. */
export interface RequestTelemetry {
  /**
   * The id that the framework has for it, or that its header `X-Request-Id` gave: up to 255 letters, digits and `-_.:=+/@~`. A client may have
   * chosen it.
   */
  readonly requestId: string | undefined
  readonly style: Style
  /** The HTTP method. */
  readonly method: string
  /** The pattern of the path with the mount point: `/api/post/:id`. Undefined where no route was found. */
  readonly route: string | undefined
  /** The model's name in the schema. Undefined in routes of your own. */
  readonly model: string | undefined
  /**
   * REST: `list`, `create` (upserts too), `get`, `update`, `delete`, `related`, `linkage`, `add`, `replace`, `remove`. RPC: `findMany` and so
   * on. Undefined in routes of your own.
   */
  readonly operation: string | undefined
  /** The status of the answer. */
  readonly status: number
}

/** What `onError` is told beside the error. */
export interface ErrorTelemetry extends RequestTelemetry {
  /** What the answer and the log call the failure. Undefined where the answer says what happened, as that a time limit was reached. */
  readonly id: string | undefined
}

/** The telemetry that `onResponse` receives. */
export interface ResponseTelemetry extends ErrorTelemetry {
  /** How many rows the call of the client gave or changed. Undefined where it gave none, as with `count`, or was not made. */
  readonly rows: number | undefined
  /** How long it took to make the answer, in milliseconds. */
  readonly duration: number
  /** What was thrown, where the answer is an error. */
  readonly error: unknown
}

/** Is told of a failure. What it gives is not used; where it is a promise, its failure is logged. */
export type OnError = (error: unknown, facts: ErrorTelemetry) => unknown

/** Is told of an answer, as {@link OnError} is of a failure. */
export type OnResponse = (facts: ResponseTelemetry) => unknown

/** What is noted of a request while it is answered. */
export interface RequestOutcome {
  /** What was answered with an error last. */
  failure?: { readonly error: unknown; readonly id: string | undefined; readonly reason?: string | undefined }
  rows?: number | undefined
  /** Whether routes of the user's own have left it to those of the style. */
  isPassedOn?: boolean
}

/** Where a request was answered. */
export interface RouteMatch {
  /** The pattern of the path below the mount point. */
  readonly route: string
  readonly model?: string | undefined
  readonly operation?: string | undefined
}

/** How many rows there are in what a call of the client gave. */
export function countRows(result: unknown): number | undefined {
  if (Array.isArray(result)) return result.length
  if (result === null) return 0
  if (typeof result !== 'object') return undefined
  // What the calls for many rows give, and nothing else.
  if ('count' in result && typeof result.count === 'number' && Object.keys(result).length === 1) return result.count
  return 1
}

/** Keeps what was answered with an error, for who is told of the answer. */
export function recordFailure(
  { seen }: LogContext,
  error: unknown,
  [{ id, reason }]: readonly [ErrorDetail, ...ErrorDetail[]],
): void {
  if (seen) seen.failure = { error: error instanceof RequestError ? (error.cause ?? error) : error, id, reason }
}
