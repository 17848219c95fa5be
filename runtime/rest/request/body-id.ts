import type { ErrorDetail } from '../../errors/request-error.js'
import { errorAt } from './document-errors.js'

/** Returns the text of an id in a body, which is a string or a JSON number. Undefined for other types. */
export function idString(id: unknown): string | undefined {
  if (typeof id === 'string') return id
  return typeof id === 'number' ? String(id) : undefined
}

/** Whether an id is a number that JSON may have rounded, so that it could be the id of another row. */
export function isUnsafeInteger(id: unknown): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}

/** Returns the error for such an id. See {@link isUnsafeInteger}. */
export function unsafeIdError(pointer: string): ErrorDetail {
  return errorAt('invalid-value', pointer, 'A number would be inexact. It must be a string.')
}
