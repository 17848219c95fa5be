import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http'
import { connect, createServer as createHttp2, type Http2Server } from 'node:http2'
import { type AddressInfo, connect as connectTo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { nodeHandler } from '../../runtime/adapters/node.js'
import { ROOT } from '../../scripts/prepare-fixtures.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { gate, slowed } from './support/gate.js'

interface Got {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly body: string
}

/** Sends a request over an agent's kept-alive connection. The result identifies the connection. */
async function send(agent: Agent, url: string, body?: unknown): Promise<Got> {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }
  const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, connection: response.headers.connection, body: await text(response) }
}

const createAgent = () => new Agent({ keepAlive: true, maxSockets: 1 })

describeDatabases('operations: drain', (db) => {
  const ends: (() => void)[] = []
  beforeEach(async () => {
    await db.fill(seedBlog)
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })

  type Api = ReturnType<typeof db.routes.RestApiHandler>
  type GetOrm = () => typeof db.orm
  const servers: readonly (readonly [name: string, make: (handler: Api, getOrm: GetOrm) => Server])[] = [
    ['Node', (handler, getOrm) => createServer(nodeHandler({ handler, getOrm, prefix: '/api' }))],
    [
      'Hono on @hono/node-server',
      (handler, getOrm) => {
        const app = new Hono().route('/api', db.hono.createHonoHandler({ handler, getOrm }))
        return createAdaptorServer({ fetch: app.fetch }) as Server
      },
    ],
  ]

  it.each(servers)('%s: finishes running requests, closes connections, then responds with 503', async (_name, make) => {
    const barrier = gate()
    const { orm, waiting } = slowed(db.orm, 'findMany', barrier.opened)
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    const server = make(handler, () => orm)
    await new Promise<void>((resolve) => server.listen(0, () => resolve()))
    const url = `http://localhost:${(server.address() as AddressInfo).port}/api/tag`
    const [first, second] = [createAgent(), createAgent()]
    ends.push(() => {
      for (const agent of [first, second]) agent.destroy()
      server.closeAllConnections()
      server.close()
    })
    expect((await send(second, `${url}/none`)).connection).toBe('keep-alive')
    const slow = send(first, url)
    await waiting
    let isDrained = false
    const drained = handler.drain().then(() => (isDrained = true))
    // A kept-alive connection still gets a response.
    expect(await send(second, `${url}/none`)).toMatchObject({ status: 404, connection: 'close' })
    expect(isDrained).toBe(false)
    barrier.open()
    expect(await slow).toMatchObject({ status: 200, connection: 'close' })
    await drained
    const late = await send(second, url)
    expect(late).toMatchObject({ status: 503, connection: 'close' })
    expect(late.body).toContain('"code":"shutting-down"')
    expect(handler.drain()).toBe(handler.drain())
  })

  it('omits the Connection header in HTTP/2', async () => {
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    await handler.drain()
    const server: Http2Server = createHttp2(nodeHandler({ handler, getOrm: () => db.orm, prefix: '/api' }))
    await new Promise<void>((resolve) => server.listen(0, () => resolve()))
    const session = connect(`http://localhost:${(server.address() as AddressInfo).port}`)
    ends.push(() => {
      session.destroy()
      server.close()
    })
    const stream = session.request({ ':path': '/api/tag' })
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
    expect([headers[':status'], headers['connection']]).toEqual([503, undefined])
    expect(await text(stream)).toContain('shutting-down')
  })

  it('resolves immediately if no request is running', async () => {
    const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    const rpc = db.routes.RPCApiHandler()
    await Promise.all([rest.drain(), rpc.drain()])
    const rejected = await rpc.fetch(new Request('http://localhost/tag/findMany'), { getOrm: () => db.orm })
    expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([503, '1'])
  })

  it('closes the connection of a response that a custom route fetched', async () => {
    const handler = db.routes.RPCApiHandler({
      routes: db.routes.defineRpcRoutes((app) => {
        app.get('/fetched', () => fetch('data:text/plain,hello'))
      }),
    })
    const pending = handler.fetch(new Request('http://localhost/fetched'), { getOrm: () => db.orm })
    const drained = handler.drain()
    const response = await pending
    expect([response.status, response.headers.get('Connection'), await response.text()]).toEqual([
      200,
      'close',
      'hello',
    ])
    await drained
  })
})

describe('operations: SIGTERM', () => {
  it('finishes a running write and exits with 0', { timeout: 120_000 }, async () => {
    const script = join(ROOT, 'tests/operations/support/draining-app.ts')
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' }
    const app = spawn(process.execPath, ['--import', 'tsx', script], {
      cwd: ROOT,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const exited = once(app, 'exit')
    const lines = createInterface({ input: app.stdout })[Symbol.asyncIterator]()
    const line = async () => String((await lines.next()).value)
    const [writer, reader, newcomer] = [createAgent(), createAgent(), createAgent()]
    try {
      const url = `${await line()}/api/rest`
      const { hostname, port } = new URL(url)
      const half = connectTo(Number(port), hostname)
      expect((await send(reader, `${url}/health`)).status).toBe(200)
      const written = send(writer, `${url}/tag`, { data: { type: 'tag', attributes: { name: 'slow' } } })
      expect(await line()).toBe('waiting')
      // A partial request keeps the connection from being idle. Node closes idle connections.
      half.write(`GET /api/rest/tag HTTP/1.1\r\nHost: localhost\r\n`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      app.kill('SIGTERM')
      expect(await line()).toBe('stopping')
      half.write('\r\n')
      const rawResponse = await text(half)
      expect(rawResponse).toMatch(/^HTTP\/1.1 200/)
      expect(rawResponse).toMatch(/^connection: close\r$/im)
      await expect(send(newcomer, `${url}/tag`)).rejects.toThrow(/ECONNREFUSED/)
      app.stdin.write('go on\n')
      const response = await written
      expect(response).toMatchObject({ status: 201, connection: 'close' })
      expect(await line()).toBe('stored 1')
      expect(await exited).toEqual([0, null])
    } finally {
      app.kill('SIGKILL')
      for (const agent of [writer, reader, newcomer]) agent.destroy()
    }
  })
})
