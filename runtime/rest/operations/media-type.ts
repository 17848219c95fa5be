import { RequestError } from '../../errors/request-error.js'
import { EMPTY_HEADERS, getExtensions, MEDIA_TYPE, parseMediaTypes } from '../request/negotiation.js'

/** The extension of atomic operations. */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic'

/** The media type of what is asked and answered with it. */
export const ATOMIC_MEDIA_TYPE = `${MEDIA_TYPE};ext="${ATOMIC_EXTENSION}"`

/** Headers of answers with it. */
export const ATOMIC_HEADERS = { 'Content-Type': ATOMIC_MEDIA_TYPE, ...EMPTY_HEADERS } as const

/**
 * Refuses a body that does not say that it has this extension, or that has others.
 * @throws RequestError 415
 */
export function checkAtomicContentType(contentType: string | undefined | null): void {
  const [type, ...others] = parseMediaTypes(contentType ?? '')
  if (type && others.length === 0 && type.name === MEDIA_TYPE && isAtomic(type.parameters)) return
  const detail = `The body must be ${ATOMIC_MEDIA_TYPE}, without other extensions and without parameters other than profile.`
  throw new RequestError({ code: 'unsupported-media-type', detail, source: { header: 'Content-Type' } })
}

/**
 * Refuses a request whose `Accept` leaves no way to answer with this extension.
 * @throws RequestError 406
 */
export function checkAtomicAccept(accept: string | undefined | null): void {
  if (accept === undefined || accept === null || accept.trim() === '') return
  const types = parseMediaTypes(accept).filter(({ parameters }) => Number(parameters.get('q') ?? 1) !== 0)
  const fits = types.some(({ name, parameters }) => {
    return WIDE.includes(name) || (name === MEDIA_TYPE && isAtomic(parameters))
  })
  if (fits) return
  const detail = `Answers are ${ATOMIC_MEDIA_TYPE}.`
  throw new RequestError({ code: 'not-acceptable', detail, source: { header: 'Accept' } })
}

const WIDE: readonly string[] = ['*/*', 'application/*', 'application/json']

/** Whether parameters name this extension alone. Several are separated by spaces, in any order. */
function isAtomic(parameters: ReadonlyMap<string, string>): boolean {
  const extensions = getExtensions(parameters)
  const isKnown = [...parameters.keys()].every((name) => name === 'ext' || name === 'profile' || name === 'q')
  return isKnown && extensions.length > 0 && extensions.every((uri) => uri === ATOMIC_EXTENSION)
}
