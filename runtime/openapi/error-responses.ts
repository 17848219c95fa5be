import { ERROR_STATUSES, type ErrorCode } from '../errors/codes.js'
import { HTTP_ERROR_STATUSES, type HttpErrorStatus } from '../errors/http-error.js'
import type { ResponseObject } from './document.js'
import type { OpenApiOptions } from './options.js'

/** Which errors an operation can be answered with: status, or `5XX` → its codes, each sorted. */
export type ErrorCodesByStatus = ReadonlyMap<string, readonly ErrorCode[]>

/** What is known of an app's own refusals. */
export interface AppErrors {
  /** The statuses that it refuses requests with. */
  readonly statuses: readonly HttpErrorStatus[]
  /** Whether it may give them codes of its own. */
  readonly ownCodes: boolean
}

/** What an app refuses requests with: what its options say, or what is usual. */
export function resolveAppErrors({ appErrors, securitySchemes }: OpenApiOptions, hasHooks: boolean): AppErrors {
  const usual: readonly HttpErrorStatus[] = securitySchemes ? [401, 403] : [403]
  return { statuses: appErrors ?? (hasHooks ? ALL_REFUSALS : usual), ownCodes: hasHooks || appErrors !== undefined }
}

const ALL_REFUSALS: readonly HttpErrorStatus[] = Object.values(HTTP_ERROR_STATUSES).map((code) => ERROR_STATUSES[code])

/** Whether an answer of a status may have a code that the app gave it. */
export function mayHaveOwnCode(status: string, { ownCodes, statuses }: AppErrors): boolean {
  return ownCodes && statuses.some((one) => String(one) === status)
}

/** The headers of an error answer: with what may be better later, when to try again. */
export function errorHeaders(status: string): Pick<ResponseObject, 'headers'> {
  return ['409', '429', '5XX'].includes(status) ? { headers: { 'Retry-After': RETRY_AFTER } } : {}
}

const RETRY_AFTER = { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 0 } }

/** What may go wrong with every request that reaches the database. */
const ALWAYS: readonly ErrorCode[] = Object.keys(ERROR_STATUSES)
  .filter(isErrorCode)
  .filter((code) => ERROR_STATUSES[code] >= 500)

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code)
}

/**
 * Returns the error codes of an operation.
 * @param codes the codes of the operation's own rules
 * @param appErrors the errors that the app itself throws
 */
export function errorCodes(codes: readonly ErrorCode[], { statuses }: AppErrors): ErrorCodesByStatus {
  const byStatus = new Map<string, Set<ErrorCode>>()
  const refused = statuses.map((status) => HTTP_ERROR_STATUSES[status])
  for (const code of [...codes, ...refused, ...ALWAYS]) {
    const status = statusOf(code)
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const sorted = [...byStatus].sort(([one], [other]) => (one < other ? -1 : 1))
  return new Map(sorted.map(([status, all]) => [status, [...all].sort()]))
}

/** What goes wrong here and not with the request means the same to a client, whichever of the 5xx it is. */
function statusOf(code: ErrorCode): string {
  const status = ERROR_STATUSES[code]
  return status >= 500 ? '5XX' : String(status)
}
