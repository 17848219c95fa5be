import type { ErrorDetail } from '../../errors/request-error.js'
import { errorAt } from './document-errors.js'

/** Returns an id in a body as a string, or undefined if the id is neither a string nor a number. */
export function idString(id: unknown): string | undefined {
  if (typeof id === 'string') return id
  return typeof id === 'number' ? String(id) : undefined
}

/** Whether an id is a number that JSON may have rounded, so that it could be the id of another row. */
export function isUnsafeInteger(id: unknown): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id)
}

/** Returns the error for an id that JSON may have rounded. See {@link isUnsafeInteger}. */
export function unsafeIdError(pointer: string): ErrorDetail {
  return errorAt('invalid-value', pointer, 'This number may be rounded. Send the id as a string.')
}
