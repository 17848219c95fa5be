import type { ErrorCode } from './error-codes.js'
import { RequestError } from './request-error.js'

/** The statuses that {@link httpError} accepts, with their error codes. */
export const HTTP_ERROR_STATUSES = {
  400: 'bad-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  422: 'invalid-value',
  429: 'too-many-requests',
} as const satisfies Readonly<Record<number, ErrorCode>>

/** Returns the error code of a status, or undefined if the status is not in {@link HTTP_ERROR_STATUSES}. */
export function codeForStatus(status: number): ErrorCode | undefined {
  return isHttpErrorStatus(status) ? HTTP_ERROR_STATUSES[status] : undefined
}

function isHttpErrorStatus(status: number): status is HttpErrorStatus {
  return Object.hasOwn(HTTP_ERROR_STATUSES, status)
}

/** A status that {@link httpError} accepts. */
export type HttpErrorStatus = keyof typeof HTTP_ERROR_STATUSES

/** Options for {@link httpError}. */
export interface HttpErrorOptions {
  /** The field or relation of the written row that caused the error. REST points to it in the body, RPC names it in `issues`. */
  readonly field?: string
  /** A custom code that clients can check, such as `already-closed`. Default: the code of the status. */
  readonly code?: string
}

/**
 * Creates an error that becomes an error response in the format of REST or RPC.
 * @param status the status of the response
 * @param detail what is wrong and how to fix it, for the person who sent the request
 * @throws Error if the status is not in {@link HTTP_ERROR_STATUSES}
 * @example
 * ```ts
 * import { httpError } from '@routewright/runtime'
 * import { defineHooks } from './routes/hooks.js'
 *
 * function assertNotPublished({ row }: { row: { status: string } }): void {
 *   if (row.status === 'PUBLISHED') throw httpError(409, 'Archive the post first.', { field: 'status' })
 * }
 *
 * export const hooks = defineHooks({ Post: { delete: { before: assertNotPublished } } })
 * ```
 * @see [Custom errors](docs/errors.md#custom-errors)
 */
export function httpError(status: HttpErrorStatus, detail: string, { field, code }: HttpErrorOptions = {}): Error {
  if (!isHttpErrorStatus(status))
    throw new Error(`httpError: status must be one of ${Object.keys(HTTP_ERROR_STATUSES).join(', ')}.`)
  return new RequestError({ code: HTTP_ERROR_STATUSES[status], detail, field, appCode: code })
}
