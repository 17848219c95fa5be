import type { ApiHandler } from '../../../runtime/http/handler-types.js'

/** The response of `echo`. */
export interface Echo {
  readonly method: string
  /** Path and query relative to the prefix, as the handler received them. */
  readonly path: string
  /** The mount path that the adapter passed. */
  readonly prefix: string
  readonly type: string | null
  readonly body: string
  /** The return value of `getOrm`. */
  readonly user: unknown
}

/** Response headers that no framework may change. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/vnd.api+json',
  'cache-control': 'private, no-store',
  etag: 'W/"123"',
  'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT',
  link: '<https://example.com/?a=1&b=2>; rel="next"',
  location: 'https://example.com/post/a%2Fb',
  'x-custom': 'one, two',
}

/** More than a megabyte that contains every byte. */
export const BYTES: Uint8Array<ArrayBuffer> = Uint8Array.from({ length: 1_234_567 }, (_, index) => (index * 7) % 256)

/** A minimal handler that returns the request that it received. */
export const echo: ApiHandler<unknown> = {
  drain: async () => undefined,
  async fetch(request, { context, getOrm, prefix = '' }) {
    const whole = request.url.slice(new URL(request.url).origin.length)
    if (!whole.startsWith(`${prefix}/`)) return Response.json({ error: 'outside' }, { status: 404 })
    const path = whole.slice(prefix.length)
    switch (path) {
      case '/cookies': {
        const headers = new Headers({ vary: 'accept' })
        headers.append('set-cookie', 'a=1; Path=/')
        headers.append('set-cookie', 'b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT')
        return new Response('', { headers })
      }
      case '/empty':
        return new Response(null, { status: 204 })
      case '/headers':
        return new Response('{ }', { status: 201, headers: HEADERS })
      case '/bytes':
        return new Response(BYTES, { headers: { 'content-type': 'application/octet-stream' } })
      case '/stream':
        return new Response(slowly(['one ', 'two ', 'three']), { headers: { 'content-type': 'text/plain' } })
    }
    const [body, user] = [await request.text(), await getOrm(await context?.())]
    const echoed: Echo = { method: request.method, path, prefix, type: request.headers.get('content-type'), body, user }
    const response = Response.json(echoed, { status: request.method === 'POST' ? 201 : 200 })
    return request.method === 'HEAD' ? new Response(null, response) : response
  },
}

function slowly(texts: readonly string[]): ReadableStream<Uint8Array> {
  const left = [...texts]
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      const text = left.shift()
      if (text === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(text))
    },
  })
}
