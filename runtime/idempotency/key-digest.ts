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

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
