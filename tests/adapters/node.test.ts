import { connect as connectHttp2, createServer, type Http2ServerRequest } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { afterEach, describe, expect, it } from 'vitest'

import { nodeHandler } from '../../runtime/adapters/node.js'
import { MAX_DISCARDED_BYTES } from '../../runtime/http/drain-body.js'
import type { ApiHandler } from '../../runtime/http/api-handler.js'
import { raw } from './suite/connections.js'
import { echo } from './suite/echo.js'
import { listen, type Running, userHeader } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'
import { answering } from './suite/answering.js'

const MOUNT = '/v1/api'

adapterSuite('node', (mounts) => {
  const served = mounts.map(({ path, handler, getOrm, context }) => ({
    mount: new RegExp(`^${path.replace(':tenant', '[^/]+')}/`),
    serve: nodeHandler({
      handler,
      context: (req) => context(userHeader(req)),
      getOrm: (req, said) => getOrm(userHeader(req), said),
      prefix: path,
    }),
  }))
  const [first] = served
  // What is nobody's goes to one of them, which has to refuse it.
  return listen((req, res) => (served.find(({ mount }) => mount.test(req.url ?? '')) ?? first)?.serve(req, res))
})

let server: Running | undefined
afterEach(() => server?.close())

async function serve(handler: ApiHandler<unknown> = echo): Promise<Running> {
  server = await listen(nodeHandler({ handler, getOrm: () => 'ada', prefix: MOUNT }))
  return server
}

describe('the request line', () => {
  it.each([
    ['an absolute form', `http://evil.test${MOUNT}/post`],
    ['an authority of someone else', `https://user:secret@evil.test:99${MOUNT}/post`],
  ])('may have %s: only its path counts', async (_what, target) => {
    const { port } = await serve()
    const answer = await raw(port, [`GET ${target} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`])
    expect(answer).toContain('"path":"/post"')
    expect(answer).not.toContain('evil')
  })

  it.each(['*', '//evil.test/x', '/\\evil.test', '/%', '/%ff%00', `${MOUNT}/../../post`])(
    '%s is answered',
    async (target) => {
      const { port } = await serve()
      const answer = await raw(port, [`OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
      expect(answer).toMatch(/^HTTP\/1.1 404/)
    },
  )

  it('may not ask for TRACE', async () => {
    const { port } = await serve()
    const answer = await raw(port, [`TRACE ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
    expect(answer).toMatch(/^HTTP\/1.1 405/)
  })
})

describe('a body that is too large', () => {
  const head = (length: string) => `POST ${MOUNT}/post HTTP/1.1\r\nHost: x\r\n${length}\r\n\r\n`
  const refused = answering<unknown>(async () => new Response('too large', { status: 413 }))

  it.each([
    ['announced', 'Content-Length: 1000000000000', 'x'.repeat(65_536)],
    ['in chunks', 'Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(65_536)}\r\n`],
  ])('is not read for ever, but long enough for the client to read the answer: %s', async (_what, length, chunk) => {
    const { port } = await serve(refused)
    let sent = 0
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port ?? 0, 'localhost')
      let text = ''
      const send = () => {
        while (!socket.destroyed && socket.write(chunk)) sent += chunk.length
      }
      socket.on('data', (data) => (text += data)).on('drain', send)
      // The server is gone while this client still writes.
      socket.on('error', () => {}).on('close', () => resolve(text))
      socket.write(head(length))
      send()
    })
    expect(answer).toMatch(/^HTTP\/1.1 413[^]*too large/)
    expect(sent).toBeLessThan(10 * MAX_DISCARDED_BYTES)
  })
})

describe('the answer', () => {
  it('tells its length where it is all there', async () => {
    const { fetch } = await serve()
    const response = await fetch(`${MOUNT}/post`)
    expect(Number(response.headers.get('content-length'))).toBe((await response.arrayBuffer()).byteLength)
    expect((await fetch(`${MOUNT}/stream`)).headers.get('content-length')).toBeNull()
  })

  it('breaks off where the handler breaks off', async () => {
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

describe('HTTP/2', () => {
  it('is served as HTTP/1 is, with bodies of unknown length', async () => {
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
