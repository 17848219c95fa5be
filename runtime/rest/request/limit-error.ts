import { RequestError } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'

/**
 * Returns the error for a request that exceeds a limit. The message names the option that raises the limit.
 * @param detail the message, which states the allowed amount
 * @param parameter the query parameter that exceeds the limit, if any
 */
export function limitError(limit: keyof Limits, detail: string, parameter?: string): RequestError {
  const source = parameter === undefined ? {} : { source: { parameter } }
  return new RequestError({ code: 'limit-exceeded', detail: limitMessage(limit, detail), ...source })
}

/** Returns the error for a response whose limited lists would require too many queries. */
export function tooManyListsError(max: number): RequestError {
  return limitError('includedLists', `Included lists with a limit can require at most ${max} queries.`, 'includePage')
}

/** Returns the error for a response that would include too many resources. */
export function tooManyIncludedError(max: number): RequestError {
  return limitError('includedRows', `More than ${max} resources would be included.`, 'include')
}
