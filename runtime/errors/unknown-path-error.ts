import { RequestError } from './request-error.js'

/** Creates the 404 for an unknown path. Lists alternatives for its last segment, if there are any. */
export function unknownPathError(alternatives: readonly string[]): RequestError {
  const possible = alternatives.length > 0 ? ` Available: ${[...alternatives].sort().join(', ')}.` : ''
  return new RequestError({ code: 'unknown-path', detail: `No route has this path.${possible}` })
}
