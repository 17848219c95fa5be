import { RequestError } from './errors/request-error.js'

/**
 * Reads the bytes of a request's body, no further than shows that there are too many.
 * @param most how many there may be
 * @throws RequestError 413
 */
export async function readBytes(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  most: number,
): Promise<Uint8Array> {
  const tooLarge = () =>
    new RequestError({ code: 'body-too-large', detail: `The body must not be larger than ${most} bytes.` })
  if (Number(headers.get('Content-Length') ?? 0) > most) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.byteLength
    if (length > most) {
      await reader?.cancel()
      throw tooLarge()
    }
    chunks.push(read.value)
  }
  const [only] = chunks
  if (only && chunks.length === 1) return only
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
