import { RequestError } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'

/**
 * Returns the error for a request that exceeds a limit. The message names the option that raises the limit.
 * @param detail the requested and the allowed amount
 * @param parameter the query parameter that exceeds the limit, if any
 */
export function limitError(limit: keyof Limits, detail: string, parameter?: string): RequestError {
  const source = parameter === undefined ? {} : { source: { parameter } }
  return new RequestError({ code: 'limit-exceeded', detail: limitMessage(limit, detail), ...source })
}
