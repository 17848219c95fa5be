import { RequestError } from '../../errors/request-error.js'
import { EMPTY_HEADERS } from '../../rest/document/respond.js'
import { getExtensions, isAccepted, MEDIA_TYPE, parseMediaTypes } from '../../rest/request/content-negotiation.js'

/** The URI of the Atomic Operations extension. */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic'

/** The media type of requests and responses that use the extension. */
export const ATOMIC_MEDIA_TYPE = `${MEDIA_TYPE};ext="${ATOMIC_EXTENSION}"`

/** Headers of responses that use the extension. */
export const ATOMIC_HEADERS = { 'Content-Type': ATOMIC_MEDIA_TYPE, ...EMPTY_HEADERS } as const

/**
 * Checks that the content type of a body names this extension and no other.
 * @throws RequestError 415 if it does not name exactly this extension
 */
export function checkAtomicContentType(contentType: string | undefined | null): void {
  const [type, ...others] = parseMediaTypes(contentType ?? '')
  if (type && others.length === 0 && type.name === MEDIA_TYPE && isAtomic(type.parameters)) return
  const detail = `Content-Type must be ${ATOMIC_MEDIA_TYPE}, without other parameters except profile.`
  throw new RequestError({ code: 'unsupported-media-type', detail, source: { header: 'Content-Type' } })
}

/**
 * Checks that `Accept` permits a response with this extension.
 * @throws RequestError 406 if it does not permit one
 */
export function checkAtomicAccept(accept: string | undefined | null): void {
  if (accept === undefined || accept === null || accept.trim() === '') return
  const types = parseMediaTypes(accept).filter(isAccepted)
  const isAcceptable = types.some(({ name, parameters }) => {
    return WIDE.includes(name) || (name === MEDIA_TYPE && isAtomic(parameters))
  })
  if (isAcceptable) return
  const detail = `Accept must allow ${ATOMIC_MEDIA_TYPE}.`
  throw new RequestError({ code: 'not-acceptable', detail, source: { header: 'Accept' } })
}

const WIDE: readonly string[] = ['*/*', 'application/*', 'application/json']

/** Whether the parameters name only this extension. The `ext` parameter is a list separated by spaces. */
function isAtomic(parameters: ReadonlyMap<string, string>): boolean {
  const extensions = getExtensions(parameters)
  const isAllowed = [...parameters.keys()].every((name) => name === 'ext' || name === 'profile' || name === 'q')
  return isAllowed && extensions.length > 0 && extensions.every((uri) => uri === ATOMIC_EXTENSION)
}

/** The name of the document member that contains the operations. */
export const OPERATIONS = 'atomic:operations'

/** The name of the response member that contains the results. */
export const RESULTS = 'atomic:results'
