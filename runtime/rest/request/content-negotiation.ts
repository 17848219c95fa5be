import { isJsonType } from '../../http/read-body.js'
import { RequestError } from '../../errors/request-error.js'

/** The media type of JSON:API. */
export const MEDIA_TYPE = 'application/vnd.api+json'

/** A media type and its parameters. */
export interface MediaType {
  readonly name: string
  /** The parameters by lower-case name. Quoted values include their quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Parses the media types in a header. */
export function parseMediaTypes(header: string): readonly MediaType[] {
  return splitOutsideQuotes(header, ',').map(parseMediaType)
}

/** Returns the extensions in the parameters of a JSON:API media type. */
export function getExtensions(parameters: MediaType['parameters']): readonly string[] {
  return splitParameter(parameters, 'ext')
}

/** Returns the URIs in a parameter, which are separated by spaces. */
function splitParameter(parameters: MediaType['parameters'], name: string): readonly string[] {
  const text = parameters.get(name)?.replace(/^"|"$/g, '') ?? ''
  return text.split(' ').filter((uri) => uri !== '')
}

/**
 * Checks that `Accept` permits a JSON:API response (JSON:API "Server Responsibilities"). JSON:API requires unknown profiles to be ignored.
 * Extensions are not supported.
 * @throws RequestError 406 if it does not
 */
export function checkAccept(accept: string | undefined | null): void {
  if (accept === undefined || accept === null || accept.trim() === '' || accept === MEDIA_TYPE || accept === '*/*')
    return
  const types = parseMediaTypes(accept)
  const jsonApiTypes = types.filter((type) => type.name === MEDIA_TYPE)
  const candidates = jsonApiTypes.length > 0 ? jsonApiTypes.filter(isPlain) : types.filter(isWildcard)
  if (candidates.some(isAccepted)) return
  const detail = `Accept must allow ${MEDIA_TYPE} without parameters except profile.`
  throw new RequestError({ code: 'not-acceptable', detail, source: { header: 'Accept' } })
}

/**
 * Whether `Accept` requests JSON:API with a profile.
 * @param spellings the accepted spellings of the profile's URL
 */
export function acceptsProfile(accept: string | undefined, spellings: readonly string[]): boolean {
  if (!accept || !spellings.some((profile) => accept.includes(profile))) return false
  return parseMediaTypes(accept).some((type) => {
    const profiles = splitParameter(type.parameters, 'profile')
    return type.name === MEDIA_TYPE && spellings.some((profile) => profiles.includes(profile)) && isAccepted(type)
  })
}

/**
 * Checks that a body is declared as JSON:API or as plain JSON in UTF-8. Browsers can send some other content types, or none, across origins
 * without a CORS preflight.
 * @throws RequestError 415 if the content type is not allowed
 */
export function checkContentType(contentType: string | undefined | null): void {
  if (contentType === MEDIA_TYPE || isJsonType(contentType ?? '')) return
  const type = parseMediaType(contentType ?? '')
  if (type.name === MEDIA_TYPE && isPlain(type) && !type.parameters.has('q')) return
  const detail = `Content-Type must be ${MEDIA_TYPE} without parameters except profile, or application/json in UTF-8.`
  throw new RequestError({ code: 'unsupported-media-type', detail, source: { header: 'Content-Type' } })
}

/** Whether a media type has no parameters except `profile`. `q` is a weight, not a parameter of the media type. */
function isPlain(type: MediaType): boolean {
  return [...type.parameters.keys()].every((name) => name === 'profile' || name === 'q')
}

function isWildcard({ name }: MediaType): boolean {
  return ['*/*', 'application/*', 'application/json'].includes(name)
}

/** Whether a media type in `Accept` has a weight other than 0, which excludes the type (RFC 9110, section 12.4.2). */
export function isAccepted({ parameters }: MediaType): boolean {
  return Number(parameters.get('q') ?? 1) !== 0
}

function parseMediaType(text: string): MediaType {
  const [name = '', ...rest] = splitOutsideQuotes(text, ';')
  const parameters = rest.map((part): [string, string] => {
    const at = part.indexOf('=')
    return at < 0
      ? [part.trim().toLowerCase(), '']
      : [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]
  })
  return { name: name.trim().toLowerCase(), parameters: new Map(parameters) }
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = []
  let quoted = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, text.slice(start)]
}
