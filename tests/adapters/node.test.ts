import { connect as connectHttp2, createServer, type Http2ServerRequest } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterEach, describe, expect, it } from 'vitest'

import { nodeHandler } from '../../runtime/adapters/node.js'
import { MAX_DISCARDED_BYTES } from '../../runtime/http/read-body.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { raw } from './suite/connections.js'
import { echo } from './suite/echo.js'
import { listen, type Running, userHeader } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'
import { answering } from './suite/answering.js'

const MOUNT = '/v1/api'

adapterSuite('node adapter', (mounts) => {
  const served = mounts.map(({ path, handler, getOrm, context }) => ({
    mount: new RegExp(`^${path.replace(':tenant', '[^/]+')}/`),
    serve: nodeHandler({
      handler,
      context: (req) => context(userHeader(req)),
      getOrm: (req, requestContext) => getOrm(userHeader(req), requestContext),
      prefix: path,
    }),
  }))
  const [first] = served
  // Requests outside all mount paths go to one of the handlers, which must reject them.
  return listen((req, res) => (served.find(({ mount }) => mount.test(req.url ?? '')) ?? first)?.serve(req, res))
})

let server: Running | undefined
afterEach(() => server?.close())

async function serve(handler: ApiHandler<unknown> = echo): Promise<Running> {
  server = await listen(nodeHandler({ handler, getOrm: () => 'ada', prefix: MOUNT }))
  return server
}

describe('node adapter: request line', () => {
  it.each([
    ['absolute form', `http://evil.test${MOUNT}/post`],
    ['foreign authority with credentials', `https://user:secret@evil.test:99${MOUNT}/post`],
  ])('%s: uses only the path', async (_what, target) => {
    const { port } = await serve()
    const response = await raw(port, [`GET ${target} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`])
    expect(response).toContain('"path":"/post"')
    expect(response).not.toContain('evil')
  })

  it.each(['*', '//evil.test/x', '/\\evil.test', '/%', '/%ff%00', `${MOUNT}/../../post`])(
    '%s: responds with 404',
    async (target) => {
      const { port } = await serve()
      const response = await raw(port, [`OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
      expect(response).toMatch(/^HTTP\/1.1 404/)
    },
  )

  it('rejects TRACE with 405', async () => {
    const { port } = await serve()
    const response = await raw(port, [`TRACE ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
    expect(response).toMatch(/^HTTP\/1.1 405/)
  })
})

describe('node adapter: body above the limit', () => {
  const head = (length: string) => `POST ${MOUNT}/post HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`
  const rejectingHandler = answering<unknown>(async () => new Response('too large', { status: 413 }))

  it.each([
    ['Content-Length', 'Content-Length: 1000000000000', 'x'.repeat(65_536)],
    ['chunked', 'Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(65_536)}\r\n`],
  ])('%s: reads a bounded part so that the client receives the response', async (_what, length, chunk) => {
    const { port } = await serve(rejectingHandler)
    let sent = 0
    const response = await new Promise<string>((resolve) => {
      const socket = connect(port ?? 0, 'localhost')
      let text = ''
      const send = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length
      }
      socket.on('data', (data) => (text += data)).on('drain', send)
      // The server closes the connection while this client is still writing.
      socket.on('error', () => {}).on('close', () => resolve(text))
      socket.write(head(length))
      send()
    })
    expect(response).toMatch(/^HTTP\/1.1 413[^]*too large/)
    expect(sent).toBeLessThan(10 * MAX_DISCARDED_BYTES)
  })
})

describe('node adapter: response', () => {
  it('sends Content-Length only if the body is complete', async () => {
    const { fetch } = await serve()
    const response = await fetch(`${MOUNT}/post`)
    expect(Number(response.headers.get('content-length'))).toBe((await response.arrayBuffer()).byteLength)
    expect((await fetch(`${MOUNT}/stream`)).headers.get('content-length')).toBeNull()
  })

  it("aborts if the handler's stream fails", async () => {
    const { fetch } = await serve({
      drain: async () => undefined,
      async fetch() {
        let pulls = 0
        const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
          await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
          if (pulls++ > 1) controller.error(new Error('broken'))
          else controller.enqueue(new Uint8Array(10))
        }
        return new Response(new ReadableStream({ pull }))
      },
    })
    const response = await fetch(`${MOUNT}/post`)
    await expect(response.arrayBuffer()).rejects.toThrow()
  })
})

describe('node adapter: HTTP/2', () => {
  it('passes method, path, headers and a body of unknown length', async () => {
    const http2 = createServer(
      nodeHandler({ handler: echo, getOrm: (req: Http2ServerRequest) => req.headers[':method'] ?? '', prefix: '/api' }),
    )
    await new Promise<void>((resolve) => http2.listen(0, resolve))
    const address = http2.address()
    const client = connectHttp2(`http://localhost:${typeof address === 'object' ? address?.port : ''}`)
    try {
      const stream = client.request({
        ':method': 'PATCH',
        ':path': '/api/post/a%2Fb?x=1',
        'content-type': 'text/plain',
      })
      stream.end('{"a":1}')
      expect(JSON.parse(await text(stream))).toEqual({
        prefix: '/api',
        method: 'PATCH',
        path: '/post/a%2Fb?x=1',
        type: 'text/plain',
        body: '{"a":1}',
        user: 'PATCH',
      })
    } finally {
      client.destroy()
      http2.close()
    }
  })
})
