import { beforeEach, describe, expect, it } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { gate, slowed } from './support/gate.js'

describeDatabases('operations: maxInFlight', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })
  type Getting = { orm: unknown }
  const rest = (getting: Getting, options: object) => {
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options })
    const getOrm = () => getting.orm as typeof db.orm
    const send = (request: Request) => handler.fetch(request, { getOrm, prefix: '/api', log: () => undefined })
    return { ...clientOf(send), handler, send }
  }

  it('REST: responds with 503 before it reads the body, until a request ends', async () => {
    const barrier = gate()
    const { orm, waiting, startedQueries } = slowed(db.orm, 'findMany', barrier.opened)
    const getting = { orm }
    const { get, post, send } = rest(getting, { maxInFlight: 1 })
    const first = get('/tag')
    await waiting
    const body = new ReadableStream({ pull: () => Promise.reject(new Error('It was read.')) }, { highWaterMark: 0 })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const unread = await send(new Request('http://localhost/api/nothing', init))
    expect(unread.status).toBe(503)
    const rejected = await post('/tag', { nonsense: true })
    expect(rejected.status).toBe(503)
    expect(rejected.errors).toMatchObject([{ code: 'overloaded', title: 'Overloaded' }])
    expect(rejected.headers.get('Retry-After')).toBe('1')
    barrier.open()
    expect((await first).status).toBe(200)
    expect((await get('/tag')).status).toBe(200)
    expect(startedQueries).toEqual(['Tag.findMany', 'Tag.findMany'])
  })

  it('RPC: responds with 503', async () => {
    const barrier = gate()
    const { orm, waiting } = slowed(db.orm, 'findMany', barrier.opened)
    const handler = db.routes.RPCApiHandler({ maxInFlight: 1 })
    const { call } = rpcClientOf(
      (request) => handler.fetch(request, { getOrm: () => orm, prefix: '/api' }),
      superjsonOf(db.client.Prisma),
    )
    const first = call('tag', 'findMany')
    await waiting
    const rejected = await call('tag', 'findMany')
    expect(rejected).toMatchObject({ status: 503, body: { message: expect.stringContaining('too many requests') } })
    expect(rejected.headers.get('Retry-After')).toBe('1')
    barrier.open()
    expect((await first).status).toBe(200)
  })

  it('accepts a request again after each kind of outcome', async () => {
    const getting: Getting = { orm: db.orm }
    const { get, send } = rest(getting, { maxInFlight: 1 })
    expect((await get('/nothing')).status).toBe(404)
    expect((await get('/post?filter[none]=1')).status).toBe(400)
    getting.orm = undefined
    expect((await get('/post')).status).toBe(500)
    getting.orm = db.orm.$extends({
      query: {
        $allOperations: () => {
          throw new Error('broken')
        },
      },
    })
    expect((await get('/post')).status).toBe(500)
    const abort = new AbortController()
    abort.abort()
    expect((await send(new Request('http://localhost/api/post', { signal: abort.signal }))).status).toBe(499)
    getting.orm = db.orm
    expect((await get('/post')).status).toBe(200)
  })

  it('counts a timed-out request until its work ends', async () => {
    const barrier = gate()
    const { orm } = slowed(db.orm, 'findMany', barrier.opened)
    const { get } = rest({ orm }, { maxInFlight: 1, timeout: 300 })
    expect((await get('/tag')).errors).toMatchObject([{ code: 'timeout' }])
    expect((await get('/tag')).errors).toMatchObject([{ code: 'overloaded' }])
    barrier.open()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await get('/tag')).status).toBe(200)
  })

  it.each([
    ['chunked REST body', '/tag', {}],
    ['REST body with Content-Length', '/tag', { 'Content-Length': '100' }],
    ['chunked body of a custom route', '/own', {}],
    ['custom route body with Content-Length', '/own', { 'Content-Length': '100' }],
  ])('%s: responds to an endless body with 504 and stops counting it', async (_what, path, headers) => {
    const routes = db.routes.defineRestRoutes((app, api) => {
      app.post('/own', async (c) => {
        await api.orm(c)
        return c.json(await c.req.json())
      })
    })
    const { get, send, handler } = rest({ orm: db.orm }, { maxInFlight: 1, timeout: 50, routes })
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
    const init: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json', ...headers },
      body,
      duplex: 'half',
    }
    const late = await send(new Request(`http://localhost/api${path}`, init))
    expect(late.status).toBe(504)
    expect(await late.text()).toContain('Nothing was changed.')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await get('/nothing')).status).toBe(404)
    await handler.drain()
  })
})

describe('maxInFlight option', () => {
  it.each([0, -1, 1.5, NaN, '5'])('%s: throws', async (maxInFlight) => {
    const { RestApiHandler, RPCApiHandler } = await import('../../fixtures/blog/expected/index.js')
    const message = `maxInFlight must be a positive integer or Infinity, but is ${typeof maxInFlight === 'string' ? `"${maxInFlight}"` : maxInFlight}.`
    expect(() => RestApiHandler({ endpoint: ENDPOINT, maxInFlight: maxInFlight as number })).toThrow(message)
    expect(() => RPCApiHandler({ maxInFlight: maxInFlight as number })).toThrow(message)
  })
})
