import { type ErrorDetail, RequestError } from './request-error.js'

/** The start of the error message if the change was made. */
const NOT_READABLE_PREFIX = 'The change was made, but not returned. '

/** Rethrows an error with the information that the change was made. Values that are not a RequestError are rethrown unchanged. */
function resultNotReadable(error: unknown): never {
  if (!(error instanceof RequestError)) throw error
  const [errorDetail] = error.errors
  const detail = NOT_READABLE_PREFIX + errorDetail.detail
  throw new RequestError({ ...errorDetail, detail, reason: 'RESULT_NOT_READABLE' })
}

/**
 * Adjusts an error about an unreadable result, whose message states that the change was made. This is not true if the change was part of a
 * transaction that was rolled back.
 */
export function rolledBackError(errorDetail: ErrorDetail): ErrorDetail {
  const { reason, ...rest } = errorDetail
  if (reason !== 'RESULT_NOT_READABLE') return errorDetail
  const why =
    rest.code === 'limit-exceeded' ? rest.detail.replace(NOT_READABLE_PREFIX, '') : 'Its result is not readable.'
  return { ...rest, detail: `${why} Nothing was changed.` }
}

/** Returns the response to a write. If building it fails, the error states that the change was made. */
export function respondToWrite(buildResponse: () => Response): Response
export function respondToWrite(buildResponse: () => Response | Promise<Response>): Response | Promise<Response>
export function respondToWrite(buildResponse: () => Response | Promise<Response>): Response | Promise<Response> {
  try {
    const response = buildResponse()
    return response instanceof Promise ? response.catch(resultNotReadable) : response
  } catch (error) {
    return resultNotReadable(error)
  }
}
