import type { ErrorCode } from './codes.js'
import { RequestError } from './request-error.js'

/** What each status is answered with that an app of its own accord refuses a request with. */
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

/** What a status is answered with that is one of {@link REFUSALS}. */
export function codeForStatus(status: number): ErrorCode | undefined {
  return isRefusal(status) ? HTTP_ERROR_STATUSES[status] : undefined
}

function isRefusal(status: number): status is HttpErrorStatus {
  return Object.hasOwn(HTTP_ERROR_STATUSES, status)
}

/** A status that {@link refuse} takes. */
export type HttpErrorStatus = keyof typeof HTTP_ERROR_STATUSES

/** What a refusal says beside its status and its detail. */
export interface HttpErrorOptions {
  /** The field or relation of the written row that it is about. REST points at it in the body, RPC names it in `issues`. */
  readonly field?: string
  /** A code of your own, for programs: `already-closed`. Default: that of the status. */
  readonly code?: string
}

/**
 * Makes an error that a request is answered with, in the style's own format: `throw refuse(409, 'It is closed already.')`.
 * @param status of the answer
 * @param detail what is wrong and how to mend it, for the person who sent the request
 * @param at what it is about
 */
export function httpError(status: HttpErrorStatus, detail: string, { field, code }: HttpErrorOptions = {}): Error {
  if (!isRefusal(status))
    throw new Error(`refuse: the status must be one of ${Object.keys(HTTP_ERROR_STATUSES).join(', ')}.`)
  return new RequestError({
    code: HTTP_ERROR_STATUSES[status],
    detail,
    ...(field !== undefined && { field }),
    ...(code !== undefined && { appCode: code }),
  })
}
