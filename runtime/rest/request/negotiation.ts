import { isJsonType } from '../../http/body.js'
import { CACHE_CONTROL } from '../../http/cache-control.js'
import { RequestError } from '../../errors/request-error.js'

/** The media type of JSON:API. */
export const MEDIA_TYPE = 'application/vnd.api+json'

/** Headers of every answer without a body. An answer may depend on `Accept`, if only in whether it is 406. */
export const EMPTY_HEADERS = { Vary: 'Accept', ...CACHE_CONTROL } as const

/** Headers of every answer with a body. */
export const RESPONSE_HEADERS = { 'Content-Type': MEDIA_TYPE, ...EMPTY_HEADERS } as const

/** A media type and its parameters. */
export interface MediaType {
  readonly name: string
  /** By their names, in lower case; values in quotes have them. */
  readonly parameters: ReadonlyMap<string, string>
}

/** The media types that a header names. */
export function parseMediaTypes(header: string): readonly MediaType[] {
  return splitOutsideQuotes(header, ',').map(parseMediaType)
}

/** The extensions that a media type of JSON:API names. */
export function getExtensions(parameters: MediaType['parameters']): readonly string[] {
  return listIn(parameters, 'ext')
}

/** The URIs in a parameter, which are separated by spaces. */
function listIn(parameters: MediaType['parameters'], name: string): readonly string[] {
  const text = parameters.get(name)?.replace(/^"|"$/g, '') ?? ''
  return text.split(' ').filter((uri) => uri !== '')
}

/**
 * Refuses a request whose `Accept` leaves no way to answer in JSON:API (JSON:API "Server Responsibilities"). Profiles are
 * ignored, as it says; there is no extension that we apply.
 * @throws RequestError 406
 */
export function checkAccept(accept: string | undefined | null): void {
  if (accept === undefined || accept === null || accept.trim() === '' || accept === MEDIA_TYPE || accept === '*/*')
    return
  const types = parseMediaTypes(accept)
  const ours = types.filter((type) => type.name === MEDIA_TYPE)
  const fits = ours.length > 0 ? ours.some(isPlain) : types.some(isWide)
  if (fits) return
  const detail = `Answers are ${MEDIA_TYPE}, without extensions and without parameters other than profile.`
  throw new RequestError({ code: 'not-acceptable', detail, source: { header: 'Accept' } })
}

/**
 * Whether `Accept` asks for JSON:API with a profile, which stands among others there.
 * @param spellings of the profile's URL
 */
export function acceptsProfile(accept: string | undefined, spellings: readonly string[]): boolean {
  if (!accept || !spellings.some((profile) => accept.includes(profile))) return false
  return parseMediaTypes(accept).some(({ name, parameters }) => {
    const profiles = listIn(parameters, 'profile')
    return (
      name === MEDIA_TYPE &&
      spellings.some((profile) => profiles.includes(profile)) &&
      Number(parameters.get('q') ?? 1) !== 0
    )
  })
}

/**
 * Refuses a body that is neither JSON:API nor plain JSON in UTF-8. Anything else, none at all included, a browser could send across
 * origins without asking first.
 * @throws RequestError 415
 */
export function checkContentType(contentType: string | undefined | null): void {
  if (contentType === MEDIA_TYPE || isJsonType(contentType ?? '')) return
  const type = parseMediaType(contentType ?? '')
  if (type.name === MEDIA_TYPE && isPlain(type) && !type.parameters.has('q')) return
  const detail = `The body must be ${MEDIA_TYPE}, without extensions and without parameters other than profile, or application/json in UTF-8.`
  throw new RequestError({ code: 'unsupported-media-type', detail, source: { header: 'Content-Type' } })
}

/** Without parameters other than `profile`; `q` weighs a media type and is no parameter of it. */
function isPlain(type: MediaType): boolean {
  return [...type.parameters.keys()].every((name) => name === 'profile' || name === 'q')
}

function isWide(type: MediaType): boolean {
  return ['*/*', 'application/*', 'application/json'].includes(type.name) && Number(type.parameters.get('q') ?? 1) !== 0
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
