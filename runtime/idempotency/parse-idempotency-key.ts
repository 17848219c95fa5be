import { RequestError } from '../errors/request-error.js'

/** The header with the key. */
export const KEY_HEADER = 'Idempotency-Key'

/** Maximum length of a key in characters. */
const LONGEST = 255

/** Maximum length of the header. A longer one is rejected before it is parsed. */
const LONGEST_HEADER = 1024

const TEXT = String.raw`"((?:[ !#-[\]-~]|\\["\\])*)"`
/** A structured-field string (RFC 9651, section 3.3.3). Its parameters are ignored. */
const STRING = new RegExp(`^ *${TEXT}(?:; *[a-z*][\\w.*-]*(?:=(?:${TEXT}|[\\w:/.*?+@=-]*))?)* *$`)

/**
 * Parses a key, which is a structured-field string (draft-ietf-httpapi-idempotency-key-header-07, section 2.1).
 * @param header null if a required header is missing
 * @throws RequestError 400 if the key is missing or invalid
 */
export function parseIdempotencyKey(header: string | null): string {
  if (header === null) {
    throw badKey('is required: a string in double quotes, different for each change.')
  }
  const quoted = header.length > LONGEST_HEADER ? undefined : STRING.exec(header)?.[1]
  if (quoted === undefined) {
    throw badKey(
      'must be one string of ASCII characters in double quotes, such as "8e03978e-40d5-43dd-bc93-6894a57f9324".',
    )
  }
  const key = quoted.replace(/\\(.)/g, '$1')
  if (key === '' || key.length > LONGEST) throw badKey(`must have 1 to ${LONGEST} characters.`)
  return key
}

function badKey(what: string): RequestError {
  const source = { header: KEY_HEADER }
  return new RequestError({ code: 'bad-request', detail: `The header ${KEY_HEADER} ${what}`, source })
}

/** The headers that affect the meaning of a request. */
const FINGERPRINT_HEADERS = ['content-type', 'prefer', 'if-match', 'if-none-match']

/** Returns the id under which a key is stored. It reveals neither the caller nor the key. */
export function keyDigest(scope: string, key: string): Promise<string> {
  return sha256(encode([scope, key]))
}

/** Returns a hash that differs between requests with different content, to detect a reused key. */
export async function requestFingerprint({ method, url, headers }: Request, body: Uint8Array): Promise<string> {
  const { pathname, search } = new URL(url)
  const head = encode([method, pathname, search, ...FINGERPRINT_HEADERS.map((name) => headers.get(name))])
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return sha256(all)
}

/** Encodes values unambiguously: different lists never have the same bytes, even if other bytes follow. */
function encode(values: readonly unknown[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(values)}\n`)
}

/** Node's synchronous hash takes a tenth of the time of Web Crypto, which uses another thread. Undefined on runtimes without it. */
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto')

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (nodeCrypto) return nodeCrypto.createHash('sha256').update(bytes).digest('hex')
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
