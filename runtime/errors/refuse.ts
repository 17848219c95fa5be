import type { ErrorCode } from './codes.js'
import { RequestError } from './request-error.js'

/** What each status is answered with that an app of its own accord refuses a request with. */
export const REFUSALS = {
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
export function refusalCode(status: number): ErrorCode | undefined {
  return isRefusal(status) ? REFUSALS[status] : undefined
}

function isRefusal(status: number): status is RefusalStatus {
  return Object.hasOwn(REFUSALS, status)
}

/** A status that {@link refuse} takes. */
export type RefusalStatus = keyof typeof REFUSALS

/** What a refusal says beside its status and its detail. */
export interface RefusalAt {
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
export function refuse(status: RefusalStatus, detail: string, { field, code }: RefusalAt = {}): Error {
  if (!isRefusal(status)) throw new Error(`refuse: the status must be one of ${Object.keys(REFUSALS).join(', ')}.`)
  return new RequestError({
    code: REFUSALS[status],
    detail,
    ...(field !== undefined && { field }),
    ...(code !== undefined && { appCode: code }),
  })
}
