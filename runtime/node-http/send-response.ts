type HeaderValue = number | string | readonly string[] | undefined

/** A response of Node's `http`, `https` and `http2` servers. */
export interface NodeResponse {
  statusCode: number
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writableEnded: boolean
  /** Only in HTTP/2. */
  readonly stream?: unknown
  getHeader(name: string): HeaderValue
  setHeader(name: string, value: number | string | readonly string[]): unknown
  write(chunk: Uint8Array): boolean
  end(): unknown
  end(chunk: Uint8Array): unknown
  destroy(error?: Error): unknown
  once(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
}

/** The parts of Fastify's reply that are needed to send a response. */
export interface NodeReply {
  code(status: number): unknown
  getHeader(name: string): HeaderValue
  header(name: string, value: string | string[]): unknown
  send(payload?: unknown): unknown
}

/**
 * Sends a web response with a Node response. Stops without an error if the client disconnects.
 * @param isHead whether the request is HEAD, so that no body is sent
 */
export async function sendResponse(response: Response, res: NodeResponse, isHead: boolean): Promise<void> {
  const body = await toBody(response, isHead)
  if (res.destroyed || res.writableEnded) return cancel(body)
  res.statusCode = response.status
  for (const [name, value] of toHeaders(response, res)) {
    // HTTP/2 does not have this header, and Node logs a warning for it.
    if (name === 'connection' && res.stream !== undefined) continue
    const cookies = Array.isArray(value) ? [res.getHeader(name) ?? [], value].flat().map(String) : value
    res.setHeader(name, cookies)
  }
  if (body instanceof Uint8Array) res.setHeader('content-length', body.byteLength)
  if (body instanceof ReadableStream) return pipe(body, res)
  if (body) res.end(body)
  else res.end()
}

/** Sends a web response with Fastify's reply, so that Fastify's hooks run as usual. */
export async function sendReply(response: Response, reply: NodeReply, isHead: boolean): Promise<void> {
  const body = await toBody(response, isHead)
  reply.code(response.status)
  // Fastify appends cookies to those that were set before.
  for (const [name, value] of toHeaders(response, reply)) reply.header(name, value)
  reply.send(body ?? undefined)
}

type Body = Uint8Array | ReadableStream<Uint8Array> | null

/** Returns the body in one piece if it is already complete, so that its length is known. Otherwise returns a stream. */
async function toBody(response: Response, isHead: boolean): Promise<Body> {
  if (isHead) await cancel(response.body)
  if (isHead || !response.body) return null
  const reader = response.body.getReader()
  const first = await reader.read()
  if (first.done) return null
  const next = reader.read()
  const second = await Promise.race([next, afterMicrotasks()])
  if (second?.done) return first.value
  const chunks = [Promise.resolve(first), next]
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const chunk = await (chunks.shift() ?? reader.read())
    if (chunk.done) controller.close()
    else controller.enqueue(chunk.value)
  }
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 })
}

/** Returns the headers of a response, each once. `set-cookie` is a list. */
function* toHeaders(
  { headers }: Response,
  before: Pick<NodeResponse, 'getHeader'>,
): Iterable<[name: string, value: string | string[]]> {
  for (const name of new Set(headers.keys())) {
    const value = headers.get(name) ?? ''
    // `Vary` is merged with an earlier value, for example from CORS middleware.
    const earlier = name === 'vary' ? before.getHeader(name) : undefined
    yield [name, name === 'set-cookie' ? headers.getSetCookie() : [earlier ?? [], value].flat().join(', ')]
  }
}

async function pipe(body: ReadableStream<Uint8Array>, res: NodeResponse): Promise<void> {
  const reader = body.getReader()
  const onClose = () => void reader.cancel().catch(ignore)
  res.once('close', onClose)
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (!res.write(chunk.value)) await writable(res)
    }
    res.end()
  } catch {
    // The status was already sent, so the only way to signal an incomplete body is to close the connection.
    res.destroy()
  } finally {
    res.off('close', onClose)
  }
}

function writable(res: NodeResponse): Promise<void> {
  if (res.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done)
      res.off('close', done)
      resolve()
    }
    res.once('drain', done)
    res.once('close', done)
  })
}

function afterMicrotasks(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => resolve(undefined)))
}

async function cancel(body: Body): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel().catch(ignore)
}

function ignore(): void {}
