/** The details of an {@link ApiError}. */
export interface ApiErrorDetails {
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /** A machine-readable code. */
  readonly code?: string | undefined
  /** The delay in seconds after which the server allows a retry. */
  readonly retryAfter?: number | undefined
  /** The underlying error, for example from `fetch`. */
  readonly cause?: unknown
}

/**
 * A failed request: the server rejected it, the response was not from this API, or there was no response.
 * @example
 * ```ts
 * import { ApiError } from '@routewright/client'
 *
 * export function describeFailure(error: unknown): string {
 *   if (!(error instanceof ApiError)) throw error
 *   return error.status === 0 ? 'The server cannot be reached.' : error.message
 * }
 * ```
 * @see [Errors of the RPC client](docs/rpc-client.md#errors)
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /**
   * A machine-readable code. The client sets `network-error` if there was no response, and `malformed-response` if the response was not from
   * this API.
   */
  readonly code: string | undefined
  /** The delay in seconds after which the server allows a retry, if it sent `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(message: string, { status, code, retryAfter, cause }: ApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** Creates a `RestError` or an `RpcError`, depending on the API. */
export type MakeError = (message: string, details: ApiErrorDetails) => ApiError
