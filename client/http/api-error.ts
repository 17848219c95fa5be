/** What an {@link ApiError} tells beside its message. */
export interface ApiErrorDetails {
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  /** A code for programs. */
  readonly code?: string | undefined
  /** After how many seconds the server asks to try again. */
  readonly retryAfter?: number | undefined
  /** What the client was given, where that is an error. */
  readonly cause?: unknown
}

/** A request that failed: what the server refused, what is no answer of this API, or no answer at all. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number
  /**
   * A code for programs. The client's own are `network-error`, where there was no answer, and `malformed-answer`, where something else
   * than the API answered.
   */
  readonly code: string | undefined
  /** After how many seconds the server asks to try again, where it does. */
  readonly retryAfter: number | undefined

  constructor(message: string, { status, code, retryAfter, cause }: ApiErrorDetails) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** Makes the error of a style. */
export type MakeError = (message: string, details: ApiErrorDetails) => ApiError
