import { RequestError } from './request-error.js'

/** Says that a change was made, where the answer to it was refused. Anything else is thrown as it came. */
export function notShown(error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  const [fault] = error.faults
  const detail = `The change was made, but cannot be shown. ${fault.detail}`
  throw new RequestError({ ...fault, detail, reason: 'RESULT_NOT_READABLE' })
}
