import { RequestError } from '../errors/request-error.js'

/** The header that has the key. */
export const KEY_HEADER = 'Idempotency-Key'

/** How many characters a key may have. */
const LONGEST = 255

/** A header beyond this is not looked at. */
const LONGEST_HEADER = 1024

const TEXT = String.raw`"((?:[ !#-[\]-~]|\\["\\])*)"`
/** A string of structured fields (RFC 9651, section 3.3.3), with parameters, which mean nothing here. */
const STRING = new RegExp(`^ *${TEXT}(?:; *[a-z*][\\w.*-]*(?:=(?:${TEXT}|[\\w:/.*?+@=-]*))?)* *$`)

/**
 * Reads a key: a string of structured fields, as the draft has it (draft-ietf-httpapi-idempotency-key-header-07, section 2.1).
 * @param header null where there is none, and must be one
 * @throws RequestError 400
 */
export function parseIdempotencyKey(header: string | null): string {
  if (header === null) {
    throw badKey('must be sent with this request: a text in double quotes, another one for each new change.')
  }
  const quoted = header.length > LONGEST_HEADER ? undefined : STRING.exec(header)?.[1]
  if (quoted === undefined) {
    throw badKey('must be one text in double quotes, of ASCII characters, as "8e03978e-40d5-43dd-bc93-6894a57f9324".')
  }
  const key = quoted.replace(/\\(.)/g, '$1')
  if (key === '' || key.length > LONGEST) throw badKey(`must have 1 to ${LONGEST} characters.`)
  return key
}

function badKey(what: string): RequestError {
  const source = { header: KEY_HEADER }
  return new RequestError({ code: 'bad-request', detail: `The header ${KEY_HEADER} ${what}`, source })
}
