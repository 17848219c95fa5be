import { connect as connectHttp2, createServer, type Http2ServerRequest } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import express from 'express'
import fastify from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'

import { expressHandler } from '../../runtime/adapters/express.js'
import { fastifyHandler } from '../../runtime/adapters/fastify.js'
import { nodeHandler } from '../../runtime/adapters/node.js'
import type { ApiHandler } from '../../runtime/handler.js'
import { echo, type Echo } from './echo.js'
import { listen, MOUNT, type Running, SERVERS } from './servers.js'

let server: Running | undefined
afterEach(() => server?.close())

async function serve(name: string, handler: ApiHandler<string> = echo): Promise<Running> {
  const start = SERVERS[name]
  if (!start) throw new Error(`There is no server ${name}.`)
  server = await start({ handler, getOrm: () => 'ada' })
  return server
}

/** Writes to a connection as it is, and reads all that comes until it ends or `enough` has come. */
function raw(port: number | undefined, parts: readonly string[], enough = /$^/): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port ?? 0, 'localhost')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      if (enough.test(answer)) socket.end()
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
    for (const part of parts) socket.write(part)
  })
}

const STREAMING = [
  'node',
  'express 5',
  'express 4, parsed',
  'fastify',
  'next, pages directory, without body parser',
  'nuxt, h3 1',
  'nest, Express, middleware',
  'nest, Fastify, middleware',
]

describe.each(STREAMING)('%s', (name) => {
  it('refuses a large body that the handler does not read, and keeps the connection', async () => {
    const { fetch, port } = await serve(name)
    for (const path of ['/unread', '/first-bytes']) {
      const init = { method: 'POST', body: 'x'.repeat(8_000_000), headers: { 'content-type': 'text/plain' } }
      const response = await fetch(`${MOUNT}${path}`, init)
      expect(response.status).toBe(413)
      const { read } = (await response.json()) as { readonly read: number }
      expect(read).toBeLessThan(1_000_000)
    }
    const post = `POST ${MOUNT}/unread HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 500000\r\n\r\n`
    const get = `GET ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
    const answers = await raw(port, [post, 'x'.repeat(500_000), get])
    expect(answers.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it('tells the handler where the client goes away before the body ends', async () => {
    let failed: (error: unknown) => void = () => {}
    const failure = new Promise((resolve) => (failed = resolve))
    const { port, fetch } = await serve(name, {
      async fetch(request) {
        const text = await request.text().catch(failed)
        return new Response(text ?? null)
      },
    })
    const head = `POST ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\n`
    const socket = connect(port ?? 0, 'localhost', () =>
      socket.write(`${head}half`, () => setImmediate(() => socket.destroy())),
    )
    expect(await failure).toMatchObject({ name: 'RequestError', message: 'The connection ended before the body did.' })
    const next = await fetch(`${MOUNT}/post`, { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } })
    expect(await next.text()).toBe('x')
  })

  // h3 1 sends answers itself, and to the end.
  it.skipIf(name === 'nuxt, h3 1')('stops an answer where the client goes away', async () => {
    let cancelled = false
    let onCancel: () => void = () => {}
    const cancellation = new Promise<void>((resolve) => (onCancel = resolve))
    const { fetch } = await serve(name, {
      async fetch() {
        const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
          new Promise<void>((resolve) => {
            setImmediate(() => {
              if (!cancelled) controller.enqueue(new Uint8Array(100_000))
              resolve()
            })
          })
        const cancel = () => {
          cancelled = true
          onCancel()
        }
        return new Response(new ReadableStream({ pull, cancel }))
      },
    })
    const abort = new AbortController()
    const response = await fetch(`${MOUNT}/post`, { signal: abort.signal })
    await response.body?.getReader().read()
    abort.abort()
    await cancellation
  })

  it('takes a chunked body', async () => {
    const { port } = await serve(name)
    const head = `POST ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
    const answer = await raw(port, [head, '3\r\nabc\r\n', '2\r\nde\r\n', '0\r\n\r\n'])
    expect(answer).toMatch(/^HTTP\/1.1 201/)
    expect(answer).toContain('"body":"abcde"')
  })
})

describe('the request line', () => {
  it.each([
    ['an absolute form', `http://evil.test${MOUNT}/post`],
    ['an authority of someone else', `https://user:secret@evil.test:99${MOUNT}/post`],
  ])('may have %s: only its path counts', async (_what, target) => {
    const { port } = await serve('node')
    const answer = await raw(port, [`GET ${target} HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n`])
    expect(answer).toContain('"path":"/post"')
    expect(answer).not.toContain('evil')
  })

  it.each(['*', '//evil.test/x', '/\\evil.test', '/%', '/%ff%00', `${MOUNT}/../../post`])(
    '%s is answered',
    async (target) => {
      const { port } = await serve('node')
      const answer = await raw(port, [`OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
      expect(answer).toMatch(/^HTTP\/1.1 404/)
    },
  )

  it.each(['node', 'express 5', 'nuxt, h3 1'])('TRACE is refused: %s', async (name) => {
    const { port } = await serve(name)
    const answer = await raw(port, [`TRACE ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
    expect(answer).toMatch(/^HTTP\/1.1 405/)
  })
})

describe('the answer', () => {
  it('tells its length where it is all there', async () => {
    const { fetch } = await serve('node')
    const response = await fetch(`${MOUNT}/post`)
    expect(Number(response.headers.get('content-length'))).toBe((await response.arrayBuffer()).byteLength)
    expect((await fetch(`${MOUNT}/stream`)).headers.get('content-length')).toBeNull()
  })

  it('has no body for HEAD, whatever the handler gives', async () => {
    for (const name of ['node', 'express 5', 'fastify', 'nest, Fastify, controller']) {
      const { port, close } = await serve(name, { fetch: async () => new Response('a body') })
      const answer = await raw(port, [`HEAD ${MOUNT}/post HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`])
      expect(answer).toMatch(/^HTTP\/1.1 200[^]*\r\n\r\n$/)
      await close()
    }
  })

  it('keeps the cookies and the Vary of middleware before it', async () => {
    const before = express().use((_req, res, next) => {
      res.setHeader('set-cookie', 'session=1')
      res.setHeader('vary', 'Origin')
      next()
    })
    server = await listen(before.use('/api', expressHandler({ handler: echo, getOrm: () => 'ada' })))
    const { headers } = await server.fetch('/api/cookies')
    expect(headers.getSetCookie()).toEqual(['session=1', 'a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2065 07:28:00 GMT'])
    expect(headers.get('vary')).toBe('Origin, accept')
  })

  it('breaks off where the handler breaks off', async () => {
    const { fetch } = await serve('node', {
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

  it('is 500 where a handler breaks its word', async () => {
    const broken: ApiHandler<string> = { fetch: () => Promise.reject(new Error('secret')) }
    const names = ['node', 'next, pages directory', 'fastify', 'nest, Express, controller', 'nest, Express, middleware']
    for (const name of names) {
      const { fetch, close } = await serve(name, broken)
      expect((await fetch(`${MOUNT}/post`)).status, name).toBe(500)
      await close()
    }
  })
})

describe('Express', () => {
  it('hands what is not below the prefix to the next middleware', async () => {
    const api = expressHandler({ handler: echo, getOrm: () => 'ada', prefix: '/data' })
    server = await listen(
      express()
        .use('/api', api)
        .use((_req, res) => void res.send('next')),
    )
    expect(await (await server.fetch('/api/other')).text()).toBe('next')
    expect(((await (await server.fetch('/api/data/post')).json()) as Echo).path).toBe('/post')
  })

  it('knows the mount points of routers within routers, with their parameters', async () => {
    const users: string[] = []
    const router = express.Router({ mergeParams: true })
    router.use(
      '/api',
      expressHandler({ handler: echo, getOrm: (req) => String(users.push(String(req.params['tenant']))) }),
    )
    server = await listen(express().use('/:tenant', router))
    expect(((await (await server.fetch('/a%20b/api/post')).json()) as Echo).path).toBe('/post')
    expect(users).toEqual(['a b'])
  })
})

describe('Fastify', () => {
  it('can have the root, beside routes of its own and the one that CORS plugins have there', async () => {
    const app = fastify()
    app.options('*', (_request, reply) => reply.code(204).send())
    app.post('/other', (request) => request.body)
    await app.register(fastifyHandler({ handler: echo, getOrm: () => 'ada' }))
    const init = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } } as const
    expect((await app.inject({ ...init, url: '/post' })).json()).toMatchObject({ path: '/post', body: '{"a":1}' })
    expect((await app.inject({ ...init, url: '/other' })).json()).toEqual({ a: 1 })
    expect((await app.inject({ method: 'OPTIONS', url: '/post' })).statusCode).toBe(204)
    await app.close()
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
