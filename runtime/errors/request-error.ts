import type { BrokenRule } from '../schema/resource.js'
import type { ErrorCode } from './codes.js'

/** One thing that is wrong with a request, or that went wrong while it was answered; said for the person who sent it. */
export interface ErrorDetail {
  readonly code: ErrorCode
  /** What was wrong and how to mend it. Never SQL, paths, stack traces or hidden names. */
  readonly detail: string
  /** The database's own message, which the handler option `databaseMessages` shows instead of `detail`. */
  readonly databaseMessage?: string
  /** Where in the request; at most one of the three. */
  readonly source?: {
    /** RFC 6901 pointer into the body. */
    readonly pointer?: string
    /** Name of the query parameter, as the request spelled it. */
    readonly parameter?: string
    /** Name of the header. */
    readonly header?: string
  }
  /** The fields that it is about, where that is known; for those who can say where the request gave them. */
  readonly about?: readonly string[]
  /** The field or relation of the written row that it is about, by its name in the schema: each style says where that is. */
  readonly field?: string
  /** A code that the app gave it, or a part of ours that not every app has, in place of that one. */
  readonly appCode?: string
  /** Where in the arguments of the RPC style. */
  readonly path?: readonly (string | number)[]
  /** Which of several operations it is about, where a message has to say it: `Operation 2`. */
  readonly operation?: string
  /** The error in a field's value, for the person who entered it. Does not name the field. */
  readonly message?: string
  /** The rule of the field that was not fulfilled: its code, and what it asks for. */
  readonly rule?: BrokenRule
  /** The URL of what kind of error it is, where a profile of JSON:API says so. */
  readonly type?: string
  /** What else a profile of JSON:API says of it. */
  readonly meta?: Readonly<Record<string, unknown>>
  /** The id under which the log has the failure. */
  readonly id?: string
  /** Prisma's own error code (`P2002`), where the fault comes from Prisma. */
  readonly ormCode?: string
  /** The fault comes from the ORM client, with or without a code (contract 7.4). */
  readonly orm?: true
  /** An access policy denied it (contract 7.4, design 6). */
  readonly rejectedByPolicy?: true
  /** `RESULT_NOT_READABLE`: written, but the result may not be read back (contract 7.4). */
  readonly reason?: string
}

/** Returns the detail that the caller receives: the database's own message if it exists and the app shows such messages. */
export function detailOf({ detail, databaseMessage = detail }: ErrorDetail, databaseMessages: boolean): string {
  return databaseMessages ? databaseMessage : detail
}

/** A request that is answered with an error. Each style renders its faults in its own format. */
export class RequestError extends Error {
  readonly faults: readonly [ErrorDetail, ...ErrorDetail[]]
  /** Headers that go with the answer, as `Allow` with 405. */
  readonly headers: Readonly<Record<string, string>>

  /** @param options what was thrown first, where this stands for it */
  constructor(
    faults: ErrorDetail | readonly [ErrorDetail, ...ErrorDetail[]],
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    const all: readonly [ErrorDetail, ...ErrorDetail[]] = 'code' in faults ? [faults] : faults
    super(all[0].detail, options)
    this.name = 'RequestError'
    this.faults = all
    this.headers = headers
  }
}

/** Throws an error with all faults if the list is not empty. */
export function throwErrors(faults: readonly ErrorDetail[]): void {
  const [first, ...others] = faults
  if (first) throw new RequestError([first, ...others])
}

/** Returns a copy of an error with changed faults and the same headers. */
export function mapFaults(
  { faults: [first, ...others], headers }: RequestError,
  change: (fault: ErrorDetail) => ErrorDetail,
  options?: ErrorOptions,
): RequestError {
  return new RequestError([change(first), ...others.map(change)], headers, options)
}
