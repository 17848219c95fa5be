import { ERROR_STATUSES, type ErrorCode } from '../errors/error-codes.js'
import { HTTP_ERROR_STATUSES, type HttpErrorStatus } from '../errors/http-error.js'
import type { IdempotencyInfo } from '../http/idempotency-types.js'
import type { ComponentCollector } from './component-collector.js'
import type { ResponseObject, HttpMethod, Reference } from './document-types.js'
import type { OpenApiOptions } from './openapi-options.js'

/** The possible error codes of an operation, by status. */
export type ErrorCodesByStatus = ReadonlyMap<string, readonly ErrorCode[]>

/** The errors that the app itself responds with. */
export interface AppErrors {
  /** The statuses of these errors. */
  readonly statuses: readonly HttpErrorStatus[]
  /** Whether they may have custom codes. */
  readonly hasCustomCodes: boolean
}

/** Returns the app's errors from the options, or the default ones. */
export function resolveAppErrors({ appErrors, securitySchemes }: OpenApiOptions, hooks: unknown): AppErrors {
  const usual: readonly HttpErrorStatus[] = securitySchemes ? [401, 403] : [403]
  return {
    statuses: appErrors ?? (hooks ? ALL_HTTP_ERROR_STATUSES : usual),
    hasCustomCodes: Boolean(hooks ?? appErrors),
  }
}

const ALL_HTTP_ERROR_STATUSES: readonly HttpErrorStatus[] = Object.values(HTTP_ERROR_STATUSES).map(
  (code) => ERROR_STATUSES[code],
)

/** Whether a response with this status may have a custom code. */
export function mayHaveCustomCode(status: string, { hasCustomCodes, statuses }: AppErrors): boolean {
  return hasCustomCodes && statuses.some((candidate) => String(candidate) === status)
}

/** Returns the headers of an error response with any of these statuses. Errors that a retry may resolve have `Retry-After`. */
export function errorHeaders(statuses: readonly string[]): Pick<ResponseObject, 'headers'> {
  return ['409', '429', '5XX'].some((status) => statuses.includes(status))
    ? { headers: { 'Retry-After': RETRY_AFTER } }
    : {}
}

const RETRY_AFTER = { description: 'Seconds to wait before a retry.', schema: { type: 'integer', minimum: 0 } }

/** The description of the response to server errors. */
export const SERVER_ERROR =
  'Server error. 500: the server log contains the error under its id. 503 or 504: the database is unavailable or too slow. The request can be retried.'

/** The meaning of each status, for both API styles. */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'the request is invalid or exceeds a limit',
  401: 'authentication is required',
  403: 'the operation is not allowed for this caller, or for any caller',
  404: 'the requested or related data was not found',
  409: 'the request conflicts with existing data',
  410: 'the data no longer exists',
  412: 'the data does not have the version that the request requires',
  413: 'the body is too large',
  415: 'the media type of the body is not supported',
  422: 'a value is invalid or violates a validation rule',
  428: 'the request must contain the version of the data that it changes',
  429: 'too many requests',
}

/**
 * Lists the meaning of each status.
 * @param details additional sentences, by status
 */
export function listStatuses(details: Readonly<Record<number, string>>): string {
  return Object.keys({ ...STATUSES, ...details })
    .map((status) => `- ${status}: ${[STATUSES[+status], details[+status]].filter(Boolean).join('. ')}`)
    .join('\n')
}

/** The errors that any request to the database may cause. */
export const SERVER_ERRORS: readonly ErrorCode[] = Object.keys(ERROR_STATUSES)
  .filter(isErrorCode)
  .filter((code) => ERROR_STATUSES[code] >= 500)
  .sort()

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_STATUSES, code)
}

/**
 * Returns the codes of an operation's client errors, by status. Statuses and codes are sorted.
 * @param codes the codes of the operation itself
 */
export function clientErrorCodes(codes: readonly ErrorCode[], { statuses }: AppErrors): ErrorCodesByStatus {
  const appCodes = statuses.map((status) => HTTP_ERROR_STATUSES[status])
  const all = [...new Set([...codes, ...appCodes])].filter((code) => ERROR_STATUSES[code] < 500).sort()
  const listed = [...new Set(all.map((code) => String(ERROR_STATUSES[code])))].sort()
  return new Map(listed.map((status) => [status, all.filter((code) => String(ERROR_STATUSES[code]) === status)]))
}

/** The additional error codes of a write with an idempotency key. */
export const KEY_ERRORS: readonly ErrorCode[] = ['bad-request', 'write-conflict', 'invalid-value']

/** The custom codes of errors about a key, by status. */
export const KEY_CODES: Readonly<Record<string, readonly string[]>> = {
  409: ['idempotency-key-in-use', 'idempotency-response-lost'],
  422: ['idempotency-key-reused'],
}

/** The parts of a document context that this module needs. */
interface Keyed {
  readonly components: ComponentCollector
  /** Undefined if the handler does not support keys. */
  readonly keys: IdempotencyInfo | undefined
}

const PATTERN = String.raw`^"([ !#-\[\]-~]|\\["\\]){1,255}"$`

const DESCRIPTION =
  'A quoted string of 1 to 255 characters. Use a new key for each change. A retry with the same key and request returns the first ' +
  'response, with the header `Idempotent-Replayed: true`. Failed requests are executed again.'

/** Returns the header parameter for the key of a write, or an empty list if the handler does not support keys. */
export function keyParameters({ components, keys }: Keyed, method: HttpMethod): readonly Reference[] {
  if (!keys) return []
  const required = keys.required && method !== 'delete'
  return [
    components.parameter(required ? 'requiredIdempotencyKey' : 'idempotencyKey', () => ({
      name: 'Idempotency-Key',
      in: 'header',
      ...(required && { required }),
      description: DESCRIPTION,
      schema: { type: 'string', pattern: PATTERN, examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'] },
    })),
  ]
}
