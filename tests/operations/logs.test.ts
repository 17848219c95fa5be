import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import { beforeEach, describe, expect, it, vi } from 'vitest'

import { findDriverError } from '../../runtime/errors/database/driver-error.js'
import { throttle, outageLogMessage } from '../../runtime/errors/logging.js'
import type { ResponseTelemetry, ErrorTelemetry } from '../../runtime/http/telemetry.js'
import type { ApiHandler, RequestContext } from '../../runtime/http/handler-types.js'
import { ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'

describe('throttle', () => {
  it('counts suppressed lines and returns the count with the next', () => {
    let now = 0
    const pass = throttle(1000, () => now)
    const at = (time: number) => {
      now = time
      return pass()
    }
    expect([at(0), at(1), at(999), at(1000), at(1001), at(5000), at(6000)]).toEqual([
      0,
      undefined,
      undefined,
      2,
      undefined,
      1,
      0,
    ])
  })
})

describe('describeOutage', () => {
  it.each([
    [
      'multi-line message',
      new Error("\nInvalid `prisma.tag.findMany()` invocation in\n/srv/app.ts:3:4\n\nCan't reach it"),
      "Can't reach it",
    ],
    [
      'nested cause',
      new Error('outer', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
      'connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      'message with a statement',
      new Error("(conn:3) Connection was killed\nsql: SELECT 'secret' - parameters:['secret']"),
      '(conn:3) Connection was killed',
    ],
    ['error with only a code', Object.assign(new Error(''), { code: 'ECONNRESET' }), 'ECONNRESET'],
    ['a text instead of an error', 'a text', 'no reason given'],
  ])('%s: returns a reason in one line', (_what, error, expected) => {
    expect(outageLogMessage(findDriverError(error))).toBe(expected)
  })
})

describeDatabases(
  'operations: logging and telemetry',
  (db) => {
    const lines: (readonly [line: string, error: unknown])[] = []
    const failures: (readonly [error: unknown, facts: ErrorTelemetry])[] = []
    const responses: ResponseTelemetry[] = []
    beforeEach(async () => {
      await db.reset()
      for (const list of [lines, failures, responses]) list.length = 0
    })
    const observers = {
      log: (line: string, error: unknown) => void lines.push([line, error]),
      onError: (error: unknown, telemetry: ErrorTelemetry): unknown => failures.push([error, telemetry]),
      onResponse: (telemetry: ResponseTelemetry): unknown => responses.push(telemetry),
    }
    const rest = () => db.routes.RestApiHandler({ endpoint: ENDPOINT }) as ApiHandler<unknown>
    const rpc = () => db.routes.RPCApiHandler() as ApiHandler<unknown>
    const send = (
      handler: ApiHandler<unknown>,
      path: string,
      context: Partial<RequestContext<unknown>> = {},
      init?: RequestInit,
    ) =>
      handler.fetch(new Request(`http://x/api${path}`, init), {
        getOrm: () => db.orm,
        prefix: '/api',
        ...observers,
        ...context,
      })
    const unreachable = () => {
      if (db.provider === 'sqlite') return refusing()
      const adapter =
        db.provider === 'postgresql'
          ? new PrismaPg({ connectionString: 'postgres://postgres:secret@127.0.0.1:1/x' })
          : new PrismaMariaDb({ host: '127.0.0.1', port: 1, user: 'root', password: 'secret', acquireTimeout: 300 })
      return new db.client.PrismaClient({ adapter })
    }
    /** Throws the error of a driver whose database is down. */
    const refusing = () => {
      const query = async () => {
        throw Object.assign(new Error("\nInvalid `prisma.tag.findMany()` invocation:\n\nCan't reach database server"), {
          name: 'PrismaClientKnownRequestError',
          code: 'P1001',
        })
      }
      return db.orm.$extends({ query: { $allOperations: query } })
    }

    it('logs an outage once and reports every failed request', async () => {
      for (const [handler, path] of [
        [rest(), '/tag'],
        [rpc(), '/tag/findMany'],
      ] as const) {
        lines.length = 0
        failures.length = 0
        const orm = unreachable()
        const statuses = await Promise.all(
          Array.from({ length: 50 }, async () => (await send(handler, path, { getOrm: () => orm })).status),
        )
        expect(new Set(statuses)).toEqual(new Set([503]))
        expect(failures).toHaveLength(50)
        expect(new Set(failures.map(([, { id }]) => id)).size).toBe(50)
        expect(lines).toHaveLength(1)
        const [[line = '', error] = []] = lines
        expect(line).toMatch(
          /^\[routewright\] error [\da-f-]{36}: database unavailable: .*(reach|ECONNREFUSED|pool timeout)/,
        )
        expect(line).not.toMatch(/\n|invocation|secret/)
        expect(error).toBeUndefined()
      }
    })

    it('logs a failed health check in one line with the reason', async () => {
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, health: { timeout: 5000 } }) as ApiHandler<unknown>
      const orm = unreachable()
      expect((await send(handler, '/health', { getOrm: () => orm })).status).toBe(503)
      expect(lines).toEqual([
        [
          expect.stringMatching(/^\[routewright\] the health check failed: .*(reach|ECONNREFUSED|pool timeout)/),
          undefined,
        ],
      ])
      expect(lines[0]?.[0]).not.toMatch(/\n|invocation|secret/)
    })

    it('adds the number of suppressed lines to the next line', async () => {
      const clock = vi.spyOn(performance, 'now')
      try {
        let now = 1e6
        clock.mockImplementation(() => now)
        const [handler, orm] = [rest(), refusing()]
        const fail = () => send(handler, '/tag', { getOrm: () => orm, requestId: () => 'r-1' })
        for (let count = 0; count < 4; count++) await fail()
        now += 1000
        await fail()
        expect(lines.map(([line]) => line)).toEqual([
          expect.stringMatching(/ \(request r-1\): database unavailable: Can't reach database server$/),
          expect.stringMatching(/ \(3 more since the last such line\)$/),
        ])
      } finally {
        clock.mockRestore()
      }
    })

    it('logs an unknown error once with its cause', async () => {
      const broken = new TypeError('x is not a function')
      await send(rest(), '/tag', { getOrm: () => Promise.reject(broken) })
      expect(lines).toHaveLength(1)
      expect(lines[0]?.[1]).toMatchObject({ cause: broken })
    })

    it.each([
      [
        'throws',
        () => {
          throw new Error('reporter')
        },
      ],
      [
        'rejects',
        async () => {
          throw new Error('reporter')
        },
      ],
    ])('reporter that %s: logs the error and does not change the response', async (_what, reporter) => {
      const response = await send(rest(), '/tag', { getOrm: () => undefined, onError: reporter, onResponse: reporter })
      expect(response.status).toBe(500)
      await new Promise((resolve) => setImmediate(resolve))
      const [, ...reports] = lines
      expect(reports).toEqual([
        [
          expect.stringMatching(/^\[routewright\] onError failed [\da-f-]{36}:$/),
          expect.objectContaining({ message: 'reporter' }),
        ],
        [
          expect.stringMatching(/^\[routewright\] onResponse failed [\da-f-]{36}:$/),
          expect.objectContaining({ message: 'reporter' }),
        ],
      ])
    })

    it.each([
      [
        'throws',
        () => {
          throw new Error('logger')
        },
      ],
      [
        'rejects',
        async () => {
          throw new Error('logger')
        },
      ],
    ])('log that %s: writes the lines to the console', async (_what, log) => {
      const written: unknown[] = []
      const console = vi.spyOn(globalThis.console, 'error').mockImplementation((line) => void written.push(line))
      try {
        const reporter = () => Promise.reject(new Error('reporter'))
        const never = () => new Promise<never>(() => undefined)
        const broken = { log, onError: reporter, getOrm: () => undefined }
        expect((await send(rest(), '/tag', broken)).status).toBe(500)
        const health = { health: { timeout: 20 } }
        const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, ...health }) as ApiHandler<unknown>
        expect((await send(handler, '/health', { log, getOrm: never })).status).toBe(503)
        await new Promise((resolve) => setImmediate(resolve))
        expect(written.filter((line) => line !== '[routewright] log failed:')).toEqual([
          expect.stringMatching(/^\[routewright\] error [\da-f-]{36}:$/),
          expect.stringMatching(/^\[routewright\] onError failed [\da-f-]{36}:$/),
          '[routewright] the health check failed: the database did not respond within 20 ms',
        ])
      } finally {
        console.mockRestore()
      }
    })

    it('reports timeout and overload to onError without logging them', async () => {
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, timeout: 50, maxInFlight: 1 })
      const never = { getOrm: () => new Promise(() => undefined) }
      const late = send(handler as ApiHandler<unknown>, '/tag', never)
      await send(handler as ApiHandler<unknown>, '/tag/1', never)
      await late
      expect(failures.map(([, { status, id, route }]) => [status, id, route])).toEqual([
        [503, undefined, '/api/tag/:id'],
        [504, undefined, '/api/tag'],
      ])
      expect(lines).toEqual([])
    })

    it('does not wait for onError', async () => {
      const never = () => new Promise(() => undefined)
      expect((await send(rest(), '/tag', { getOrm: () => undefined, onError: never })).status).toBe(500)
    })

    it.each([
      ['a forged line', 'r-1\n[routewright] error'],
      ['an escape', '\u001b[31m'],
      ['a long text', 'x'.repeat(256)],
      ['an object', {}],
      ['an empty text', ''],
    ])('%s as request id: ignores it', async (_what, id) => {
      await send(rest(), '/tag', { getOrm: () => undefined, requestId: () => id })
      expect(lines[0]?.[0]).toMatch(/^\[routewright\] error [\da-f-]{36}:$/)
      expect(failures[0]?.[1].requestId).toBeUndefined()
    })

    const JSON_BODY = { 'content-type': 'application/json' }
    const post = (body: unknown): RequestInit => ({ method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) })
    const tag = (name: string) => post({ data: { type: 'tag', attributes: { name } } })

    it('passes route, model, operation and rows of REST requests to onResponse', async () => {
      await db.orm.category.create({ data: { name: 'a' } })
      const handler = rest()
      const getTelemetry = async (method: string, path: string, init?: RequestInit) => {
        responses.length = 0
        await send(handler, path, {}, { ...init, method })
        const [telemetry] = responses
        return [telemetry?.route, telemetry?.model, telemetry?.operation, telemetry?.rows, telemetry?.status]
      }
      expect(await getTelemetry('POST', '/tag', tag('a'))).toEqual(['/api/tag', 'Tag', 'create', 1, 201])
      await getTelemetry('POST', '/tag', tag('b'))
      expect(await getTelemetry('GET', '/tag')).toEqual(['/api/tag', 'Tag', 'list', 2, 200])
      expect(await getTelemetry('HEAD', '/tag')).toEqual(['/api/tag', 'Tag', 'list', 2, 200])
      expect(await getTelemetry('GET', '/category/1/posts')).toEqual([
        '/api/category/:id/posts',
        'Category',
        'related',
        0,
        200,
      ])
      expect(await getTelemetry('GET', '/category/1/relationships/posts')).toEqual([
        '/api/category/:id/relationships/posts',
        'Category',
        'linkage',
        0,
        200,
      ])
      expect(await getTelemetry('GET', '/tag/1/nothing')).toEqual([undefined, undefined, undefined, undefined, 404])
      expect(await getTelemetry('GET', '/none')).toEqual([undefined, undefined, undefined, undefined, 404])
      expect((await getTelemetry('GET', '/tag?filter[none]=1')).slice(0, 4)).toEqual([
        '/api/tag',
        'Tag',
        'list',
        undefined,
      ])
      expect(responses[0]?.error).toMatchObject({ name: 'RequestError' })
    })

    it('passes route, model, operation and rows of RPC requests to onResponse', async () => {
      const handler = rpc()
      const getTelemetry = async (path: string, init?: RequestInit) => {
        responses.length = 0
        await send(handler, path, {}, init)
        const [telemetry] = responses
        return [
          telemetry?.style,
          telemetry?.route,
          telemetry?.model,
          telemetry?.operation,
          telemetry?.rows,
          telemetry?.status,
        ]
      }
      const data = [{ name: 'a' }, { name: 'b' }]
      expect(await getTelemetry('/tag/createMany', post({ data }))).toEqual([
        'rpc',
        '/api/tag/createMany',
        'Tag',
        'createMany',
        2,
        201,
      ])
      expect(await getTelemetry('/tag/findMany')).toEqual(['rpc', '/api/tag/findMany', 'Tag', 'findMany', 2, 200])
      expect(await getTelemetry('/tag/count')).toEqual(['rpc', '/api/tag/count', 'Tag', 'count', undefined, 200])
      expect(await getTelemetry('/tag/findFirst?q={"where":{"name":"z"}}')).toEqual([
        'rpc',
        '/api/tag/findFirst',
        'Tag',
        'findFirst',
        0,
        200,
      ])
    })

    it('passes custom routes to onResponse without a model', async () => {
      const handler = db.routes.RestApiHandler({
        endpoint: ENDPOINT,
        routes: db.routes.defineRestRoutes((app) => {
          app.use('/tag/*', (_c, next) => next())
          app.get('/tag/:id/shout', (c) => c.text('A'))
          app.get('/tag/:id', (_c, next) => next())
          app.get('/broken/:id', () => {
            throw new Error('broken')
          })
        }),
      }) as ApiHandler<unknown>
      for (const path of ['/tag/1/shout', '/tag/1', '/broken/1']) await send(handler, path)
      expect(responses.map(({ route, model, operation, status }) => [route, model, operation, status])).toEqual([
        ['/api/tag/:id/shout', undefined, undefined, 200],
        ['/api/tag/:id', 'Tag', 'get', 404],
        ['/api/broken/:id', undefined, undefined, 500],
      ])
      expect(failures).toMatchObject([[{ message: 'broken' }, { route: '/api/broken/:id', method: 'GET' }]])
    })
  },
  { only: ['SQLite', 'PostgreSQL', 'MySQL'] },
)
