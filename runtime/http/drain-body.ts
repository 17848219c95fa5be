/** Maximum number of bytes that are read only to be discarded. The connection is closed if a client sends more. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/** A request whose body is always read to its end, unless it is far too large. */
export interface DrainedRequest {
  readonly request: Request
  /** Reads and discards the rest of the body, so that the connection can be reused. */
  readonly release: () => void
}

/**
 * Wraps a request for servers that wait until the body is read before they reuse the connection, even if the response (such as a 413) is
 * available earlier. The handler receives a separate stream, which it may abandon or cancel.
 */
export function drainBody(request: Request): DrainedRequest {
  // The handler reports bodies that were already consumed.
  if (!request.body || request.bodyUsed) return { request, release: () => {} }
  const reader = request.body.getReader()
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read()
    if (done) controller.close()
    else controller.enqueue(value)
  }
  const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 })
  const { url, method, headers, signal } = request
  const init: RequestInit & { readonly duplex: 'half' } = { method, headers, signal, body, duplex: 'half' }
  return { request: new Request(url, init), release: () => void discard(reader) }
}

async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    let left = MAX_DISCARDED_BYTES
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      left -= read.value.byteLength
      if (left < 0) return await reader.cancel()
    }
  } catch {
    // The client disconnected.
  }
}
