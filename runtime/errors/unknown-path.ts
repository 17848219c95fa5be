import { RequestError } from './request-error.js'

/** A 404 about a path: says what could stand in place of its last segment, where there is such. */
export function unknownPathError(alternatives: readonly string[]): RequestError {
  const possible = alternatives.length > 0 ? ` There is: ${[...alternatives].sort().join(', ')}.` : ''
  return new RequestError({ code: 'unknown-path', detail: `Nothing is served at this path.${possible}` })
}
