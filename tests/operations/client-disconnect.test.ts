import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { nodeHandler } from '../../runtime/adapters/node.js'
import { fillBlog } from '../rest/support/blog.js'
import { ENDPOINT, MEDIA_TYPE } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { gate, slowed } from './support/gate.js'

const POST = { method: 'POST', headers: { 'Content-Type': MEDIA_TYPE } }
const tag = { data: { type: 'tag', attributes: { name: 'nobody waits' } } }

describeDatabases('operations: disconnected client', (db) => {
  const servers: Server[] = []
  beforeEach(async () => {
    await db.fill(fillBlog)
  })
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })

  type Api = ReturnType<typeof db.routes.RestApiHandler>
  type GetOrm = () => Promise<typeof db.orm>
  const adapters: readonly (readonly [name: string, serve: (handler: Api, getOrm: GetOrm) => Server])[] = [
    ['Node', (handler, getOrm) => createServer(nodeHandler({ handler, getOrm, prefix: '/api' }))],
    [
      'Hono on @hono/node-server',
      (handler, getOrm) => {
        const app = new Hono().route('/api', db.hono.createHonoHandler({ handler, getOrm }))
        return createAdaptorServer({ fetch: app.fetch }) as Server
      },
    ],
  ]

  describe.each(adapters)('%s', (_name, serve) => {
    /** Sends a request and disconnects while a query is running. Returns the queries of the request after all work has ended. */
    async function leave(
      handler: Api,
      {
        path,
        init = {},
        getOrm,
        when,
        letGo,
      }: {
        readonly path: string
        readonly init?: RequestInit
        readonly getOrm: GetOrm
        readonly when: Promise<void>
        readonly letGo: () => void
      },
    ): Promise<readonly unknown[][]> {
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
      const server = serve(handler, getOrm)
      servers.push(server)
      const closed = new Promise<void>((resolve) => {
        server.on('connection', (socket) => socket.on('close', () => setImmediate(resolve)))
      })
      await new Promise<void>((resolve) => server.listen(0, () => resolve()))
      const { port } = server.address() as AddressInfo
      const abort = new AbortController()
      const sent = fetch(`http://localhost:${port}/api${path}`, { ...init, signal: abort.signal })
      sent.catch(() => undefined)
      await when
      abort.abort()
      await closed
      letGo()
      await handler.drain()
      await new Promise((resolve) => setImmediate(resolve))
      const { calls } = log.mock
      log.mockRestore()
      return calls
    }

    const included = encodeURIComponent(JSON.stringify({ include: { tags: true } }))
    it.each([
      ['a read', 'rest', '/post', {}],
      ['a write', 'rest', '/tag', { ...POST, body: JSON.stringify(tag) }],
      ['a count before a read', 'rpc', `/post/findMany?q=${included}`, {}],
    ] as const)('%s: starts no query and logs nothing', async (_what, style, path, init) => {
      const barrier = gate()
      const requested = gate()
      const { orm, startedQueries } = slowed(db.orm, '*', Promise.resolve())
      const getOrm = async () => {
        requested.open()
        await barrier.opened
        return orm
      }
      const { RestApiHandler, RPCApiHandler } = db.routes
      const handler = style === 'rest' ? RestApiHandler({ endpoint: ENDPOINT }) : RPCApiHandler()
      const logged = await leave(handler, { path, init, getOrm, when: requested.opened, letGo: barrier.open })
      expect(startedQueries).toEqual([])
      expect(logged).toEqual([])
    })

    it('starts no second query', async () => {
      const barrier = gate()
      const { orm, startedQueries, waiting } = slowed(db.orm, 'findMany', barrier.opened)
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      const getOrm = async () => orm
      // The page is full, so the total is counted after the rows are loaded.
      const path = '/post?page[limit]=1'
      const logged = await leave(handler, { path, getOrm, when: waiting, letGo: barrier.open })
      expect(startedQueries).toEqual(['Post.findMany'])
      expect(logged).toEqual([])
    })

    it('completes a running write', async () => {
      const barrier = gate()
      const { orm, startedQueries, waiting } = slowed(db.orm, 'create', barrier.opened)
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      const init = { ...POST, body: JSON.stringify(tag) }
      const logged = await leave(handler, {
        path: '/tag',
        init,
        getOrm: async () => orm,
        when: waiting,
        letGo: barrier.open,
      })
      expect(startedQueries).toEqual(['Tag.create'])
      expect(logged).toEqual([])
      expect(await db.orm.tag.count({ where: { name: 'nobody waits' } })).toBe(1)
    })
  })

  it('responds with 499', async () => {
    const abort = new AbortController()
    const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    const rpc = db.routes.RPCApiHandler()
    const getOrm = () => {
      abort.abort()
      return Promise.resolve(db.orm)
    }
    const { signal } = abort
    const first = await rest.fetch(new Request('http://localhost/post', { signal }), { getOrm })
    const second = await rpc.fetch(new Request('http://localhost/post/findMany', { signal }), { getOrm })
    expect([first.status, second.status]).toEqual([499, 499])
  })

  it('responds with 500 and logs an error thrown after the disconnect', async () => {
    const abort = new AbortController()
    const orm = db.orm.$extends({
      query: {
        tag: {
          create: async () => {
            abort.abort()
            throw new Error('broken')
          },
        },
      },
    })
    const logged: unknown[] = []
    const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    const request = new Request('http://localhost/tag', { ...POST, body: JSON.stringify(tag), signal: abort.signal })
    const log = (_message: string, error: unknown) => void logged.push(error)
    const response = await rest.fetch(request, { getOrm: () => orm as unknown as typeof db.orm, log })
    expect(response.status).toBe(500)
    expect(logged).toMatchObject([{ message: 'broken' }])
  })
})
