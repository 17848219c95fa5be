/** The headers that say what is asked, beside the body. */
const ASKING = ['content-type', 'prefer', 'if-match', 'if-none-match']

/** What a key is kept under: nothing in it tells the caller or the key. */
export function keyDigest(scope: string, key: string): Promise<string> {
  return sha256(encode([scope, key]))
}

/** What tells requests with one key apart that do not ask for the same. */
export async function requestFingerprint({ method, url, headers }: Request, body: Uint8Array): Promise<string> {
  const { pathname, search } = new URL(url)
  const head = encode([method, pathname, search, ...ASKING.map((name) => headers.get(name))])
  const all = new Uint8Array(head.length + body.length)
  all.set(head)
  all.set(body, head.length)
  return sha256(all)
}

/** Values, so that no two lists have the same bytes, whatever follows them. */
function encode(values: readonly unknown[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${JSON.stringify(values)}\n`)
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
