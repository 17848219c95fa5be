import { beforeEach, describe, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import type { ResponseTelemetry } from '../../runtime/http/telemetry.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { ENDPOINT, MEDIA_TYPE } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { gate } from './support/gate.js'

describeDatabases('operations: health check', (db) => {
  beforeEach(async () => {
    await db.fill(seedBlog)
  })
  const lines: string[] = []
  const log = (message: string) => void lines.push(message)
  const rest = (options: object) => db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options })
  type Api = ReturnType<typeof rest>
  const send = (handler: Api, path: string, orm: unknown = db.orm, init: RequestInit = {}) => {
    const getOrm = () => orm as typeof db.orm
    return handler.fetch(new Request(`http://localhost/api${path}`, init), { getOrm, prefix: '/api', log })
  }
  /** A client whose queries run `work` first, which may wait or fail. */
  const through = (work: () => Promise<unknown>) => {
    return db.orm.$extends({
      query: {
        async $allOperations({ args, query }) {
          await work()
          return query(args)
        },
      },
    })
  }

  it('responds with 200 and only the status in both styles', async () => {
    const first = await send(rest({ health: true }), '/health')
    expect([first.status, first.headers.get('Content-Type')]).toEqual([200, MEDIA_TYPE])
    expect(first.headers.get('Cache-Control')).toContain('no-store')
    expect(await first.json()).toEqual({ meta: { status: 'ok' }, jsonapi: { version: '1.1' } })
    const second = await send(db.routes.RPCApiHandler({ health: '/-/live' }), '/-/live')
    expect([second.status, await second.json()]).toEqual([200, { data: { status: 'ok' } }])
  })

  it('runs only SELECT 1', async () => {
    const queries = await db.queriesOf(() => send(rest({ health: true }), '/health'))
    expect(queries).toEqual(['SELECT 1'])
  })

  it('responds with 404 unless the option is set', async () => {
    expect((await send(rest({}), '/health')).status).toBe(404)
    expect((await send(rest({ health: false }), '/health')).status).toBe(404)
    expect((await send(rest({ health: '/-/live' }), '/health')).status).toBe(404)
  })

  it('responds to HEAD without a body and to other methods with 405', async () => {
    const handler = rest({ health: true })
    const head = await send(handler, '/health', db.orm, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await send(handler, '/health', db.orm, { method: 'POST' })
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('responds with 503 to a database error and logs once until recovery', async () => {
    const handler = rest({ health: true })
    const broken = through(() => Promise.reject(new Error('secret')))
    lines.length = 0
    for (let count = 0; count < 3; count++) {
      const response = await send(handler, '/health', broken)
      expect(response.status).toBe(503)
      expect(response.headers.get('Retry-After')).toBe('1')
      const text = await response.text()
      expect(text).toContain('"code":"database-unavailable"')
      expect(text).not.toContain('secret')
    }
    expect(lines).toEqual(['[routewright] the health check failed:'])
    expect((await send(handler, '/health')).status).toBe(200)
    expect((await send(handler, '/health', broken)).status).toBe(503)
    expect(lines).toHaveLength(2)
  })

  it('shares one query between concurrent checks and responds with 503 after the timeout', async () => {
    const handler = rest({ health: { timeout: 200 } })
    lines.length = 0
    const barrier = gate()
    let queries = 0
    const slow = through(() => {
      queries++
      return barrier.opened
    })
    const responses = await Promise.all([1, 2, 3].map(() => send(handler, '/health', slow)))
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503])
    expect((await send(handler, '/health', slow)).status).toBe(503)
    expect(queries).toBe(1)
    expect(lines).toEqual(['[routewright] the health check failed: the database did not respond within 200 ms'])
    barrier.open()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await send(handler, '/health', slow)).status).toBe(200)
    expect(queries).toBe(2)
  })

  it('ignores maxInFlight', async () => {
    const handler = rest({ health: true, maxInFlight: 1 })
    const barrier = gate()
    const busy = send(
      handler,
      '/post',
      through(() => barrier.opened),
    )
    expect((await send(handler, '/post')).status).toBe(503)
    expect((await send(handler, '/health')).status).toBe(200)
    barrier.open()
    expect((await busy).status).toBe(200)
  })

  it('passes its path as the route to onResponse', async () => {
    const routes: (string | undefined)[] = []
    const onResponse = ({ route }: ResponseTelemetry) => routes.push(route)
    for (const handler of [rest({ health: true }), db.routes.RPCApiHandler({ health: '/-/live' })])
      for (const path of ['health', '-/live', 'nothing']) {
        const request = new Request(`http://localhost/api/${path}`)
        await handler.fetch(request, { getOrm: () => db.orm, prefix: '/api', onResponse: onResponse })
      }
    expect(routes).toEqual(['/api/health', undefined, undefined, undefined, '/api/-/live', undefined])
  })

  it('responds with 503 without a query while the handler drains', async () => {
    const handler = db.routes.RPCApiHandler({ health: true })
    await handler.drain()
    const queries = await db.queriesOf(async () => {
      const response = await send(handler, '/health')
      expect([response.status, response.headers.get('Connection')]).toEqual([503, 'close'])
    })
    expect(queries).toEqual([])
  })

  it('uses health.getOrm instead of the getOrm of requests', async () => {
    const getOrm = () => {
      throw new Error('Who are you?')
    }
    const request = () => new Request('http://localhost/health')
    const handler = rest({ health: { path: '/health', getOrm: () => db.orm } })
    expect((await handler.fetch(request(), { getOrm })).status).toBe(200)
    expect((await rest({ health: true }).fetch(request(), { getOrm, log })).status).toBe(503)
  })

  it('loads a row if the client does not support SQL', async () => {
    const calls: unknown[] = []
    const findFirst = async (args: unknown) => void calls.push(args)
    const response = await send(rest({ health: true }), '/health', { category: { findFirst } })
    expect(response.status).toBe(200)
    expect(calls).toEqual([{ select: { id: true } }])
  })
})

describeDatabases(
  'operations: health check under policies',
  (db) => {
    it('responds with 200 regardless of the rules', async () => {
      await db.fill(fillTenants)
      const handler = db.routes.RPCApiHandler({ health: true })
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      expect((await handler.fetch(new Request('http://localhost/health'), { getOrm: () => orm })).status).toBe(200)
    })
  },
  { fixture: 'tenants' },
)

describe('health option', async () => {
  const { RestApiHandler, RPCApiHandler } = await import('../../fixtures/blog/expected/index.js')
  it.each([
    ['health', /health must be true, false, or a path below the prefix/],
    ['/health?x', /health must be true, false, or a path below the prefix/],
    ['/../x', /health must be true, false, or a path below the prefix/],
    ['', /health must be true, false, or a path below the prefix/],
    ['/', /health must be true, false, or a path below the prefix/],
    ['/post', 'health: "/post" is taken. Use another path: health: "/-/health".'],
    ['/Post/live', /"\/Post" is taken/],
    ['/live/..', /health must be true, false, or a path below the prefix/],
    [{ path: '/./live' }, /health must be true, false, or a path below the prefix/],
    [1, /health must be true, false, or a path below the prefix/],
    [{ paths: '/x' }, 'Unknown option of health "paths". Available: path, getOrm, timeout.'],
    [{ getOrm: 1 }, /health.getOrm must be a function/],
    [{ timeout: 0 }, /health.timeout must be a positive integer/],
  ])('%j: throws', (health, message) => {
    expect(() => RestApiHandler({ endpoint: ENDPOINT, health: health as string })).toThrow(message)
    expect(() => RPCApiHandler({ health: health as string })).toThrow(message)
  })
})
