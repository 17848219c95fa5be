import { RequestError } from '../../errors/request-error.js'
import { limitMessage, type Limits } from '../../limits.js'

/**
 * The error of a request that goes beyond a limit; it says which option raises it.
 * @param detail what it asked for, and how much it may ask for
 * @param parameter where it asked for it, if that is a parameter
 */
export function limitError(limit: keyof Limits, detail: string, parameter?: string): RequestError {
  const source = parameter === undefined ? {} : { source: { parameter } }
  return new RequestError({ code: 'limit-exceeded', detail: limitMessage(limit, detail), ...source })
}
