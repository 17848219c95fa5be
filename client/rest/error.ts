import { ApiError, type ApiErrorDetails } from '../http/api-error.js'
import type { JsonApiError } from './document.js'

/** What a {@link RestError} tells beside its message. */
export interface RestErrorDetails extends ApiErrorDetails {
  /** The errors of the answer. */
  readonly errors?: readonly JsonApiError[]
}

/** An error in the value of one field. */
export interface RestFieldError {
  /** Message for a form to show next to the field. Contains the field name only if the server has no message without it. */
  readonly message: string
  /** The error's code: `invalid-value`, `missing-attribute`, `unique-violation`. */
  readonly code: string | undefined
  /** Zod's code of the broken rule: `too_small`. The rule's parameters are further members: `minimum`. */
  readonly rule?: string
  readonly [parameter: string]: unknown
}

/** A request of the REST style that failed. */
export class RestError extends ApiError {
  override readonly name = 'RestError'
  /** The errors, as the server sent them. Empty where something else than the API answered, or nothing did. */
  readonly errors: readonly JsonApiError[]
  /** Errors of written fields, by field: `error.fields.title?.[0]?.message`. */
  readonly fields: Readonly<Record<string, readonly RestFieldError[]>>
  /** Which of several changes it was that failed, by its index; undefined where there was one. */
  readonly operation: number | undefined
  /** Whether an access policy denied it and said so. Row-level security of the database is not told from other answers with 403. */
  readonly rejectedByPolicy: boolean

  constructor(message: string, { errors = [], ...details }: RestErrorDetails) {
    super(message, details)
    this.errors = errors
    this.fields = fieldsOf(errors)
    const [index] = placeOf(errors[0]?.source?.pointer)
    this.operation = index === undefined ? index : Number(index)
    this.rejectedByPolicy = errors.some(isOfPolicy)
  }
}

/** The error of an answer that tells what is wrong. */
export function restError(
  { status }: Response,
  errors: readonly JsonApiError[],
  retryAfter: number | undefined,
): RestError {
  const message = errors.map(({ detail, title }) => detail ?? title ?? 'Error').join(' ')
  return new RestError(message, { status, errors, code: errors[0]?.code, retryAfter })
}

// Other reasons for 403 have none: what is not offered, or is read-only.
function isOfPolicy({ status, meta }: JsonApiError): boolean {
  return Number(status) === 403 && meta?.['reason'] !== undefined
}

function fieldsOf(errors: readonly JsonApiError[]): Record<string, RestFieldError[]> {
  const fields: Record<string, RestFieldError[]> = Object.create(null)
  for (const { source, detail = '', code, meta } of errors) {
    const [, pointed] = placeOf(source?.pointer)
    for (const name of [pointed ?? meta?.['fields'] ?? []].flat()) {
      ;(fields[String(name)] ??= []).push({ message: detail, code, ...meta })
    }
  }
  return fields
}

/**
 * Where a pointer leads: to which of several changes, and to which field of it. `/data/attributes/title`, `/data/relationships/author/data`,
 * `/data/id`, each of them behind `/atomic:operations/2` or not.
 */
function placeOf(pointer = ''): readonly [operation: string | undefined, field: string | undefined] {
  const [, operation, name, id] =
    /^(?:\/atomic:operations\/(\d+))?(?:\/data\/(?:(?:attributes|relationships)\/([^/]+)|(id)$))?/.exec(pointer) ?? []
  return [operation, (name ?? id)?.replaceAll('~1', '/').replaceAll('~0', '~')]
}
