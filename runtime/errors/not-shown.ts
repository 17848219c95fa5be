import { RequestError } from './request-error.js'

/** What a refusal begins with where the change was made. */
export const NOT_SHOWN = 'The change was made, but cannot be shown. '

/** Says that a change was made, where the answer to it was refused. Anything else is thrown as it came. */
export function notShown(error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  const [fault] = error.faults
  const detail = NOT_SHOWN + fault.detail
  throw new RequestError({ ...fault, detail, reason: 'RESULT_NOT_READABLE' })
}
