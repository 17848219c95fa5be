import { ApiError, type ApiErrorDetails } from '../http/api-error.js'
import type { JsonApiError } from './document.js'

/** The details of a {@link RestError}. */
export interface RestErrorDetails extends ApiErrorDetails {
  /** The errors in the response. */
  readonly errors?: readonly JsonApiError[]
}

/** An error in the value of one field. */
export interface RestFieldError {
  /** Message for a form to show next to the field. Contains the field name only if the server has no message without it. */
  readonly message: string
  /** The error's code: `invalid-value`, `missing-attribute`, `unique-violation`. */
  readonly code: string | undefined
  /** The code of the broken rule: `required`, or zod's `too_small`. The rule's parameters are additional properties: `minimum`. */
  readonly rule?: string
  readonly [parameter: string]: unknown
}

/**
 * A failed REST request.
 * @example
 * ```ts
 * import { createRestClient, RestError } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * const rest = createRestClient<Api>({ url: '/api/rest' })
 * await rest.tag.create({ name: 'news' }).catch((error: unknown) => {
 *   if (!(error instanceof RestError) || !error.fields['name']) throw error
 * })
 * ```
 * @see [Errors of the REST client](docs/rest-client.md#errors)
 */
export class RestError extends ApiError {
  override readonly name = 'RestError'
  /** The errors as sent by the server. Empty if there was no response or it was not from this API. */
  readonly errors: readonly JsonApiError[]
  /** Errors of written fields, by field: `error.fields.title?.[0]?.message`. */
  readonly fields: Readonly<Record<string, readonly RestFieldError[]>>
  /** The index of the failed operation. Undefined for a single request. */
  readonly operation: number | undefined
  /**
   * Whether an access policy rejected the request. False if the database's row-level security rejected it, because that 403 cannot be
   * distinguished from others.
   */
  readonly rejectedByPolicy: boolean
  /**
   * True if the request was to a declared custom route. The pointers of its errors then begin with a property of its body. Not set
   * for `$operations`, whose pointers begin with the operation.
   */
  // `declare` keeps the property out of bundles without custom routes.
  declare readonly isCustomRoute?: true

  constructor(message: string, { errors = [], ...details }: RestErrorDetails) {
    super(message, details)
    this.errors = errors
    this.fields = groupByField(errors)
    const [index] = parsePointer(errors[0]?.source?.pointer)
    this.operation = index === undefined ? index : Number(index)
    this.rejectedByPolicy = errors.some(isPolicyError)
  }
}

/** Creates the error for a response with JSON:API errors. */
export function restError(status: number, errors: readonly JsonApiError[], retryAfter: number | undefined): RestError {
  const message = errors.map(({ detail, title }) => detail ?? title ?? 'Error').join(' ')
  return new RestError(message, { status, errors, code: errors[0]?.code, retryAfter })
}

// Only policy errors have a `reason`. Other causes of a 403, such as a read-only field or a disallowed operation, do not.
function isPolicyError({ status, meta }: JsonApiError): boolean {
  return Number(status) === 403 && meta?.['reason'] !== undefined
}

function groupByField(errors: readonly JsonApiError[]): Record<string, RestFieldError[]> {
  const fields: Record<string, RestFieldError[]> = Object.create(null)
  for (const { source, detail = '', code, meta } of errors) {
    const [, pointedName] = parsePointer(source?.pointer)
    for (const name of [pointedName ?? meta?.['fields'] ?? []].flat()) {
      ;(fields[String(name)] ??= []).push({ message: detail, code, ...meta })
    }
  }
  return fields
}

/**
 * Parses a pointer into the index of an operation and the name of a field. Supports `/data/attributes/title`,
 * `/data/relationships/author/data` and `/data/id`, each with an optional prefix `/atomic:operations/2`.
 */
function parsePointer(pointer = ''): readonly [operation: string | undefined, field: string | undefined] {
  const [, operation, name, id] =
    /^(?:\/atomic:operations\/(\d+))?(?:\/data\/(?:(?:attributes|relationships)\/([^/]+)|(id)$))?/.exec(pointer) ?? []
  return [operation, (name ?? id)?.replaceAll('~1', '/').replaceAll('~0', '~')]
}
