import type { ApiHandler } from '../../runtime/handler.js'

/** What `echo` answers with. */
export interface Echo {
  readonly method: string
  /** Path and query below the prefix, as the handler got them. */
  readonly path: string
  readonly type: string | null
  readonly body: string
  /** What `getOrm` gave. */
  readonly user: string
}

/** A handler that answers with what reached it: the smallest there can be. */
export const echo: ApiHandler<string> = {
  async fetch(request, { getOrm, prefix = '' }) {
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
      case '/unread':
        return Response.json({ read: 0 }, { status: 413 })
      case '/stream':
        return new Response(slowly(['one ', 'two ', 'three']), { headers: { 'content-type': 'text/plain' } })
      case '/first-bytes': {
        const reader = request.body?.getReader()
        const read = (await reader?.read())?.value?.byteLength
        await reader?.cancel()
        return Response.json({ read }, { status: 413 })
      }
    }
    try {
      const [body, user] = [await request.text(), await getOrm()]
      const answer: Echo = { method: request.method, path, type: request.headers.get('content-type'), body, user }
      const response = Response.json(answer, { status: request.method === 'POST' ? 201 : 200 })
      return request.method === 'HEAD' ? new Response(null, response) : response
    } catch (error) {
      return Response.json({ error: String(error) }, { status: 503 })
    }
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
