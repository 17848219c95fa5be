/** How many bytes of a body are read only to be discarded. A client that sends more finds its connection closed. */
export const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/** A request whose body is read to its end in any case, unless it is far too large. */
export interface DrainedRequest {
  readonly request: Request
  /** Reads and discards what was not read, so that the connection can take its next request. */
  readonly release: () => void
}

/**
 * For servers that wait for a body to be read before they answer anything else on its connection, also where the answer, as
 * 413, is there before. Between them and the handler stands a stream that may be left or cancelled.
 */
export function drainBody(request: Request): DrainedRequest {
  // A body that was read before is left to the handler, which says so.
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
    // The client is gone, and its connection with it.
  }
}
