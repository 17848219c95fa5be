import { beforeEach, describe, expect, it } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { gate, slowed } from './support/gate.js'

describeDatabases('operations: more requests than may be at once', (db) => {
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

  it('REST: are answered with 503 before anything of them is read, until another one has ended', async () => {
    const held = gate()
    const { orm, waiting, begun } = slowed(db.orm, 'findMany', held.opened)
    const getting = { orm }
    const { get, post, send } = rest(getting, { maxInFlight: 1 })
    const first = get('/tag')
    await waiting
    const body = new ReadableStream({ pull: () => Promise.reject(new Error('It was read.')) }, { highWaterMark: 0 })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
    const unread = await send(new Request('http://localhost/api/nothing', init))
    expect(unread.status).toBe(503)
    const refused = await post('/tag', { nonsense: true })
    expect(refused.status).toBe(503)
    expect(refused.errors).toMatchObject([{ code: 'overloaded', title: 'Overloaded' }])
    expect(refused.headers.get('Retry-After')).toBe('1')
    held.open()
    expect((await first).status).toBe(200)
    expect((await get('/tag')).status).toBe(200)
    expect(begun).toEqual(['Tag.findMany', 'Tag.findMany'])
  })

  it('RPC: are answered with 503', async () => {
    const held = gate()
    const { orm, waiting } = slowed(db.orm, 'findMany', held.opened)
    const handler = db.routes.RPCApiHandler({ maxInFlight: 1 })
    const { call } = rpcClientOf(
      (request) => handler.fetch(request, { getOrm: () => orm, prefix: '/api' }),
      superjsonOf(db.client.Prisma),
    )
    const first = call('tag', 'findMany')
    await waiting
    const refused = await call('tag', 'findMany')
    expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('too many requests') } })
    expect(refused.headers.get('Retry-After')).toBe('1')
    held.open()
    expect((await first).status).toBe(200)
  })

  it('a place is free again after any end', async () => {
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

  it('a request whose time was over holds its place until its work has ended', async () => {
    const held = gate()
    const { orm } = slowed(db.orm, 'findMany', held.opened)
    const { get } = rest({ orm }, { maxInFlight: 1, timeout: 300 })
    expect((await get('/tag')).errors).toMatchObject([{ code: 'timeout' }])
    expect((await get('/tag')).errors).toMatchObject([{ code: 'overloaded' }])
    held.open()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await get('/tag')).status).toBe(200)
  })

  it.each([
    ['REST, in chunks', '/tag', {}],
    ['REST, of a known length', '/tag', { 'Content-Length': '100' }],
    ['a route of the app, which has asked for its client', '/own', {}],
    ['the same, of a known length', '/own', { 'Content-Length': '100' }],
  ])('a body that never ends holds no place when its time is over: %s', async (_what, path, headers) => {
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

describe('the option maxInFlight', () => {
  it.each([0, -1, 1.5, NaN, '5'])('is not %s', async (maxInFlight) => {
    const { RestApiHandler, RPCApiHandler } = await import('../../fixtures/blog/expected/index.js')
    const message = `maxInFlight must be a positive integer or Infinity, not ${typeof maxInFlight === 'string' ? `"${maxInFlight}"` : maxInFlight}.`
    expect(() => RestApiHandler({ endpoint: ENDPOINT, maxInFlight: maxInFlight as number })).toThrow(message)
    expect(() => RPCApiHandler({ maxInFlight: maxInFlight as number })).toThrow(message)
  })
})
