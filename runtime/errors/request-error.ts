import type { BrokenRule } from '../schema/resource.js'
import type { ErrorCode } from './error-codes.js'

/** One error of a request, described for the person who sent it. */
export interface ErrorDetail {
  readonly code: ErrorCode
  /** Describes the error and how to fix it. Never contains SQL, paths, stack traces or hidden names. */
  readonly detail: string
  /** The database's own message, which the handler option `databaseMessages` shows instead of `detail`. */
  readonly databaseMessage?: string
  /** The location in the request. At most one of the three properties is set. */
  readonly source?: {
    /** RFC 6901 pointer into the body. */
    readonly pointer?: string
    /** Name of the query parameter, as the request spelled it. */
    readonly parameter?: string
    /** Name of the header. */
    readonly header?: string
  }
  /** The fields that caused the error, if known. Used to find their location in the request. */
  readonly about?: readonly string[]
  /**
   * The field or relation of the written row that caused the error, by its name in the schema. REST and RPC convert it to a location in the
   * request.
   */
  readonly field?: string | undefined
  /** A code that replaces `code` in the response. Set by the app or by an optional part of the runtime. */
  readonly appCode?: string | undefined
  /** The location in the arguments of an RPC call. */
  readonly path?: readonly (string | number)[] | undefined
  /** The operation of a bulk request that caused the error, for messages: `Operation 2`. */
  readonly operation?: string
  /** The error in a field's value, for the person who entered it. Does not name the field. */
  readonly message?: string
  /** The validation rule that the value broke: its code and parameters. */
  readonly rule?: BrokenRule
  /** The URL of the error type, if a JSON:API profile defines one. */
  readonly type?: string
  /** Additional members defined by a JSON:API profile. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** The id of the error in the log. */
  readonly id?: string
  /** Prisma's own error code (`P2002`), if the error comes from Prisma. */
  readonly ormCode?: string
  /** Whether the error comes from the Prisma client, with or without a code (contract 7.4). */
  readonly orm?: true
  /** Whether an access policy denied the request (contract 7.4, design 6). */
  readonly rejectedByPolicy?: true
  /** `RESULT_NOT_READABLE`: the change was made, but the result may not be read (contract 7.4). */
  readonly reason?: string
}

/** Returns the detail that the caller receives: the database's own message if it exists and the app shows such messages. */
export function detailOf({ detail, databaseMessage = detail }: ErrorDetail, databaseMessages: boolean): string {
  return databaseMessages ? databaseMessage : detail
}

/** An error that ends a request with an error response. REST and RPC render its details in their own format. */
export class RequestError extends Error {
  readonly errors: readonly [ErrorDetail, ...ErrorDetail[]]
  /** Headers of the response, for example `Allow` with 405. */
  readonly headers: Readonly<Record<string, string>>

  /** @param options the original error as `cause`, if this error replaces it */
  constructor(
    errors: ErrorDetail | readonly [ErrorDetail, ...ErrorDetail[]],
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    const all: readonly [ErrorDetail, ...ErrorDetail[]] = 'code' in errors ? [errors] : errors
    super(all[0].detail, options)
    this.name = 'RequestError'
    this.errors = all
    this.headers = headers
  }
}

/** Throws an error with all details if the list is not empty. */
export function throwErrors(errors: readonly ErrorDetail[]): void {
  const [first, ...others] = errors
  if (first) throw new RequestError([first, ...others])
}

/** Returns a copy of an error with changed details and the same headers. */
export function mapErrors(
  { errors: [first, ...others], headers }: RequestError,
  change: (errorDetail: ErrorDetail) => ErrorDetail,
  options?: ErrorOptions,
): RequestError {
  return new RequestError([change(first), ...others.map(change)], headers, options)
}

/** Creates the 404 for an unknown path. Lists alternatives for its last segment, if there are any. */
export function unknownPathError(alternatives: readonly string[]): RequestError {
  const possible = alternatives.length > 0 ? ` Available: ${[...alternatives].sort().join(', ')}.` : ''
  return new RequestError({ code: 'unknown-path', detail: `No route has this path.${possible}` })
}
