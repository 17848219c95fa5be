import { type ErrorDetail, RequestError } from './request-error.js'

/** What a refusal begins with where the change was made. */
const NOT_SHOWN = 'The change was made, but cannot be shown. '

/** Says that a change was made, where the answer to it was refused. Anything else is thrown as it came. */
function resultNotReadable(error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  const [fault] = error.faults
  const detail = NOT_SHOWN + fault.detail
  throw new RequestError({ ...fault, detail, reason: 'RESULT_NOT_READABLE' })
}

/**
 * What a fault says where nothing is done because its answer was refused, though alone the change would be made: as one of several that are
 * done together.
 */
export function rolledBackError(fault: ErrorDetail): ErrorDetail {
  const { reason, ...rest } = fault
  if (reason !== 'RESULT_NOT_READABLE') return fault
  const why = rest.code === 'limit-exceeded' ? rest.detail.replace(NOT_SHOWN, '') : 'Its result may not be read.'
  return { ...rest, detail: `${why} Nothing is done.` }
}

/** Returns the response to a write. If building it fails, the error states that the change was made. */
export function writeResponse(answer: () => Response): Response
export function writeResponse(answer: () => Response | Promise<Response>): Response | Promise<Response>
export function writeResponse(answer: () => Response | Promise<Response>): Response | Promise<Response> {
  try {
    const made = answer()
    return made instanceof Promise ? made.catch(resultNotReadable) : made
  } catch (error) {
    return resultNotReadable(error)
  }
}
