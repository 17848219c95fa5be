import { RequestError } from '../errors/request-error.js'

/**
 * Reads the bytes of a request's body, no further than shows that there are too many.
 * @param most how many there may be
 * @throws RequestError 413
 */
export async function readBytes(
  request: Pick<Request, 'headers' | 'body' | 'arrayBuffer'>,
  most: number,
): Promise<Uint8Array> {
  const { headers } = request
  const tooLarge = () =>
    new RequestError({ code: 'body-too-large', detail: `The body must not be larger than ${most} bytes.` })
  const length = headers.get('Content-Length')
  if (Number(length ?? 0) > most) throw tooLarge()
  if (isOfKnownLength(length, headers)) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.byteLength > most) throw tooLarge()
    return bytes
  }
  const chunks: Uint8Array[] = []
  let total = 0
  const reader = request.body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    total += read.value.byteLength
    if (total > most) {
      await reader?.cancel()
      throw tooLarge()
    }
    chunks.push(read.value)
  }
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a body.
 * @throws TypeError where it is not UTF-8
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes)
}

/**
 * Whether a body is as long as its headers say: servers see to that, where nothing unpacks it on the way. Then it can be read at
 * once, for which servers like `@hono/node-server` need make no stream.
 */
function isOfKnownLength(length: string | null, headers: Headers): boolean {
  if (length === null || !/^\d+$/.test(length)) return false
  return !headers.has('Content-Encoding') && !headers.has('Transfer-Encoding')
}
