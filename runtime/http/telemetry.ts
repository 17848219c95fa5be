import { type ErrorDetail, RequestError } from '../errors/request-error.js'

/** The style of an API: REST or RPC. */
export type Style = 'rest' | 'rpc'

/** Telemetry of a request. */
export interface RequestTelemetry {
  /**
   * The framework's request id, or the value of the header `X-Request-Id`: up to 255 letters, digits and `-_.:=+/@~`. A client may have
   * chosen it.
   */
  readonly requestId: string | undefined
  readonly style: Style
  /** The HTTP method. */
  readonly method: string
  /** The pattern of the path, including the mount point: `/api/post/:id`. Undefined if no route matched. */
  readonly route: string | undefined
  /** The model's name in the schema. Undefined in custom routes. */
  readonly model: string | undefined
  /**
   * REST: `list`, `create` (including upserts), `get`, `update`, `delete`, `related`, `linkage`, `add`, `replace`, `remove`. RPC: the name
   * of the client method, such as `findMany`. Undefined in custom routes.
   */
  readonly operation: string | undefined
  /** The status of the response. */
  readonly status: number
}

/** The telemetry that `onError` receives with the error. */
export interface ErrorTelemetry extends RequestTelemetry {
  /** The error id in the response and the log. Undefined if the response itself states the cause, such as a timeout. */
  readonly id: string | undefined
}

/** The telemetry that `onResponse` receives. */
export interface ResponseTelemetry extends ErrorTelemetry {
  /**
   * Number of rows that the client call returned or changed. Undefined if the call returned no rows (for example `count`) or if there was
   * no call.
   */
  readonly rows: number | undefined
  /** Time to create the response, in milliseconds. */
  readonly duration: number
  /** The error that was thrown, if the response is an error. */
  readonly error: unknown
}

/** Called for every server error. The return value is ignored; if it is a promise that rejects, the rejection is logged. */
export type OnError = (error: unknown, telemetry: ErrorTelemetry) => unknown

/** Called for every response. The return value is treated as for {@link OnError}. */
export type OnResponse = (telemetry: ResponseTelemetry) => unknown

/** Data collected while a request is handled, for `onError` and `onResponse`. */
export interface RequestOutcome {
  /** The last error that was rendered as a response. */
  failure?: { readonly error: unknown; readonly id: string | undefined; readonly reason?: string | undefined }
  rows?: number | undefined
  /** Whether custom routes delegated the request to the REST or RPC routes. */
  isDelegated?: boolean
}

/** Returns the number of rows in the result of a client call. */
export function countRows(result: unknown): number | undefined {
  if (Array.isArray(result)) return result.length
  if (result === null) return 0
  if (typeof result !== 'object') return undefined
  // Only bulk calls return an object of this shape.
  if ('count' in result && typeof result.count === 'number' && Object.keys(result).length === 1) return result.count
  return 1
}

/** Records the error of a response for telemetry. */
export function recordFailure(
  { outcome }: { readonly outcome?: RequestOutcome | undefined },
  error: unknown,
  [{ id, reason }]: readonly [ErrorDetail, ...ErrorDetail[]],
): void {
  if (outcome) outcome.failure = { error: error instanceof RequestError ? (error.cause ?? error) : error, id, reason }
}
