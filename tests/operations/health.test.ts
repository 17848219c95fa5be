import { beforeEach, describe, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import type { ResponseTelemetry } from '../../runtime/http/telemetry.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { ENDPOINT, MEDIA_TYPE } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { gate } from './support/gate.js'

describeDatabases('operations: whether all is well', (db) => {
  beforeEach(async () => {
    await db.fill(seedBlog)
  })
  const lines: string[] = []
  const log = (message: string) => void lines.push(message)
  const rest = (options: object) => db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options })
  type Api = ReturnType<typeof rest>
  const ask = (handler: Api, path: string, orm: unknown = db.orm, init: RequestInit = {}) => {
    const getOrm = () => orm as typeof db.orm
    return handler.fetch(new Request(`http://localhost/api${path}`, init), { getOrm, prefix: '/api', log })
  }
  /** A client whose queries wait, or fail. */
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

  it('is told in each style, without a word more', async () => {
    const first = await ask(rest({ health: true }), '/health')
    expect([first.status, first.headers.get('Content-Type')]).toEqual([200, MEDIA_TYPE])
    expect(first.headers.get('Cache-Control')).toContain('no-store')
    expect(await first.json()).toEqual({ meta: { status: 'ok' }, jsonapi: { version: '1.1' } })
    const second = await ask(db.routes.RPCApiHandler({ health: '/-/live' }), '/-/live')
    expect([second.status, await second.json()]).toEqual([200, { data: { status: 'ok' } }])
  })

  it('is one cheap query', async () => {
    const queries = await db.queriesOf(() => ask(rest({ health: true }), '/health'))
    expect(queries).toEqual(['SELECT 1'])
  })

  it('is not told unless the option is given', async () => {
    expect((await ask(rest({}), '/health')).status).toBe(404)
    expect((await ask(rest({ health: false }), '/health')).status).toBe(404)
    expect((await ask(rest({ health: '/-/live' }), '/health')).status).toBe(404)
  })

  it('HEAD is answered without a body, other methods with 405', async () => {
    const handler = rest({ health: true })
    const head = await ask(handler, '/health', db.orm, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const post = await ask(handler, '/health', db.orm, { method: 'POST' })
    expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('a database that fails is 503 without detail, and one line in the log until it is well again', async () => {
    const handler = rest({ health: true })
    const broken = through(() => Promise.reject(new Error('secret')))
    lines.length = 0
    for (let count = 0; count < 3; count++) {
      const answer = await ask(handler, '/health', broken)
      expect(answer.status).toBe(503)
      expect(answer.headers.get('Retry-After')).toBe('1')
      const text = await answer.text()
      expect(text).toContain('"code":"database-unavailable"')
      expect(text).not.toContain('secret')
    }
    expect(lines).toEqual(['[routewright] the health check failed:'])
    expect((await ask(handler, '/health')).status).toBe(200)
    expect((await ask(handler, '/health', broken)).status).toBe(503)
    expect(lines).toHaveLength(2)
  })

  it('however many ask, there is one query at a time; who has waited long enough gets 503', async () => {
    const handler = rest({ health: { timeout: 200 } })
    lines.length = 0
    const held = gate()
    let queries = 0
    const slow = through(() => {
      queries++
      return held.opened
    })
    const answers = await Promise.all([1, 2, 3].map(() => ask(handler, '/health', slow)))
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
    expect((await ask(handler, '/health', slow)).status).toBe(503)
    expect(queries).toBe(1)
    expect(lines).toEqual(['[routewright] the health check failed: the database did not answer within 200 ms'])
    held.open()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await ask(handler, '/health', slow)).status).toBe(200)
    expect(queries).toBe(2)
  })

  it('is answered where no other request is any more, and counts as none', async () => {
    const handler = rest({ health: true, maxInFlight: 1 })
    const held = gate()
    const busy = ask(
      handler,
      '/post',
      through(() => held.opened),
    )
    expect((await ask(handler, '/post')).status).toBe(503)
    expect((await ask(handler, '/health')).status).toBe(200)
    held.open()
    expect((await busy).status).toBe(200)
  })

  it('has its path as the route of what is told of it', async () => {
    const routes: (string | undefined)[] = []
    const onResponse = ({ route }: ResponseTelemetry) => routes.push(route)
    for (const handler of [rest({ health: true }), db.routes.RPCApiHandler({ health: '/-/live' })])
      for (const path of ['health', '-/live', 'nothing']) {
        const request = new Request(`http://localhost/api/${path}`)
        await handler.fetch(request, { getOrm: () => db.orm, prefix: '/api', onResponse: onResponse })
      }
    expect(routes).toEqual(['/api/health', undefined, undefined, undefined, '/api/-/live', undefined])
  })

  it('is 503 while the handler drains, without a query', async () => {
    const handler = db.routes.RPCApiHandler({ health: true })
    await handler.drain()
    const queries = await db.queriesOf(async () => {
      const answer = await ask(handler, '/health')
      expect([answer.status, answer.headers.get('Connection')]).toEqual([503, 'close'])
    })
    expect(queries).toEqual([])
  })

  it('asks a client of its own where getOrm needs to know who asks', async () => {
    const getOrm = () => {
      throw new Error('Who are you?')
    }
    const request = () => new Request('http://localhost/health')
    const own = rest({ health: { path: '/health', getOrm: () => db.orm } })
    expect((await own.fetch(request(), { getOrm })).status).toBe(200)
    expect((await rest({ health: true }).fetch(request(), { getOrm, log })).status).toBe(503)
  })

  it('asks for a row where a client has no SQL', async () => {
    const asked: unknown[] = []
    const findFirst = async (args: unknown) => void asked.push(args)
    const answer = await ask(rest({ health: true }), '/health', { category: { findFirst } })
    expect(answer.status).toBe(200)
    expect(asked).toEqual([{ select: { id: true } }])
  })
})

describeDatabases(
  'operations: whether all is well, under policies',
  (db) => {
    it('is told to who may read nothing', async () => {
      await db.fill(fillTenants)
      const handler = db.routes.RPCApiHandler({ health: true })
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      expect((await handler.fetch(new Request('http://localhost/health'), { getOrm: () => orm })).status).toBe(200)
    })
  },
  { fixture: 'tenants' },
)

describe('the option health', async () => {
  const { RestApiHandler, RPCApiHandler } = await import('../../fixtures/blog/expected/index.js')
  it.each([
    ['health', /health must be true, false, or a path below the prefix/],
    ['/health?x', /health must be true, false, or a path below the prefix/],
    ['/../x', /health must be true, false, or a path below the prefix/],
    ['', /health must be true, false, or a path below the prefix/],
    ['/', /health must be true, false, or a path below the prefix/],
    ['/post', 'health: "/post" is taken. Give another path: health: "/-/health".'],
    ['/Post/live', /"\/Post" is taken/],
    ['/live/..', /health must be true, false, or a path below the prefix/],
    [{ path: '/./live' }, /health must be true, false, or a path below the prefix/],
    [1, /health must be true, false, or a path below the prefix/],
    [{ paths: '/x' }, 'There is no option of health "paths". There are: path, getOrm, timeout.'],
    [{ getOrm: 1 }, /health.getOrm must be a function/],
    [{ timeout: 0 }, /health.timeout must be a positive integer/],
  ])('is not %j', (health, message) => {
    expect(() => RestApiHandler({ endpoint: ENDPOINT, health: health as string })).toThrow(message)
    expect(() => RPCApiHandler({ health: health as string })).toThrow(message)
  })
})
