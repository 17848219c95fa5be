import { PrismaPg } from '@prisma/adapter-pg'
import { beforeEach, describe, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from '../rest/support/blog.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { type TestResponse, clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { gate, slowed } from './support/gate.js'

/** Short, but long enough on a busy machine for work that ends by itself. */
const TIMEOUT = 500

const OVER = 'The request took too long.'
const UNCHANGED = `${OVER} Nothing was changed.`
const UNKNOWN = `${OVER} It may have changed something: check before you retry it.`

const tag = (name: string) => ({ data: { type: 'tag', attributes: { name } } })

describeDatabases('operations: timeout', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })
  const rest = (orm: unknown, timeout = TIMEOUT) => {
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, timeout })
    const app = db.hono.createHonoHandler({ getOrm: () => orm as typeof db.orm, handler, prefix: '/api' })
    return { ...clientOf((request) => app.fetch(request)), handler }
  }
  const rpc = (orm: unknown) => {
    const handler = db.routes.RPCApiHandler({ timeout: TIMEOUT })
    const app = db.hono.createHonoHandler({ getOrm: () => orm as typeof db.orm, handler, prefix: '/api' })
    return { ...rpcClientOf((request) => app.fetch(request), superjsonOf(db.client.Prisma)), handler }
  }

  it('does not change requests that finish in time', async () => {
    const { get, post } = rest(db.orm, 60_000)
    expect((await get('/post?include=tags')).status).toBe(200)
    expect((await post('/tag', tag('fast'))).status).toBe(201)
  })

  it('REST: responds to a slow read with 504 and starts no further query', async () => {
    const barrier = gate()
    const { orm, startedQueries } = slowed(db.orm, 'findMany', barrier.opened)
    const { get, handler } = rest(orm)
    // The page is full, so the total is counted after the rows are loaded.
    const response = await get('/post?page[limit]=1')
    expect(response).toMatchObject({ status: 504, errors: [{ code: 'timeout', detail: UNCHANGED }] })
    expect(response.headers.get('Retry-After')).toBe('1')
    barrier.open()
    await handler.drain()
    expect(startedQueries).toEqual(['Post.findMany'])
  })

  it('RPC: responds to a slow read with 504 and starts no further query', async () => {
    const barrier = gate()
    const { orm, startedQueries } = slowed(db.orm, 'count', barrier.opened)
    const { call, handler } = rpc(orm)
    // Related rows are counted first.
    const response = await call('post', 'findMany', { include: { tags: true } })
    expect(response).toMatchObject({ status: 504, body: { message: UNCHANGED } })
    expect(response.headers.get('Retry-After')).toBe('1')
    barrier.open()
    await handler.drain()
    expect(startedQueries).toEqual(['Tag.count'])
  })

  it('responds with 504 if getOrm is slow, and runs no query later', async () => {
    const barrier = gate()
    const { orm, startedQueries } = slowed(db.orm, '*', Promise.resolve())
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, timeout: TIMEOUT })
    const { get } = clientOf((request) =>
      handler.fetch(request, { getOrm: () => barrier.opened.then(() => orm), prefix: '/api' }),
    )
    expect(await get('/post')).toMatchObject({ status: 504, errors: [{ code: 'timeout' }] })
    barrier.open()
    await handler.drain()
    expect(startedQueries).toEqual([])
  })

  it('does not write if an extension of the app delays the write', async () => {
    const barrier = gate()
    const { orm } = slowed(db.orm, 'create', barrier.opened)
    const { post, handler } = rest(orm)
    const response = await post('/tag', tag('late'))
    expect(response.status).toBe(504)
    expect(response.errors).toMatchObject([{ code: 'timeout', detail: UNCHANGED }])
    barrier.open()
    await handler.drain()
    expect(await db.orm.tag.count({ where: { name: 'late' } })).toBe(0)
  })

  it('never leaves a partial replacement', async () => {
    const barrier = gate()
    const { orm } = slowed(db.orm, 'update', barrier.opened)
    const { patch, handler } = rest(orm)
    const before = await db.orm.post.findUnique({ where: { id: 1 }, select: { title: true, tags: true } })
    const tags = { data: [{ type: 'tag', id: 'tips' }] }
    const data = { type: 'post', id: '1', attributes: { title: 'New' }, relationships: { tags } }
    const response = await patch('/post/1', { data })
    expect(response).toMatchObject({ status: 504, errors: [{ code: 'timeout' }] })
    barrier.open()
    await handler.drain()
    const after = await db.orm.post.findUnique({ where: { id: 1 }, select: { title: true, tags: true } })
    // A write in one statement, or in one of Prisma's own transactions, has completed.
    if (after?.title === 'New') expect(after.tags.map(({ name }) => name)).toEqual(['tips'])
    else expect(after).toEqual(before)
  })

  it('limits a transaction of a custom route to the remaining time', async () => {
    const barrier = gate()
    const handler = db.routes.RestApiHandler({
      endpoint: ENDPOINT,
      timeout: TIMEOUT,
      routes: db.routes.defineRestRoutes((app, api) => {
        app.post('/tags', async (c) => {
          const orm = await api.orm(c)
          await orm.$transaction(async (tx) => {
            await tx.tag.create({ data: { name: 'first' } })
            await barrier.opened
            await tx.tag.create({ data: { name: 'second' } })
          })
          return c.body(null, 204)
        })
      }),
    })
    const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler, prefix: '/api' })
    const { post } = clientOf((request) => app.fetch(request))
    expect(await post('/tags', {})).toMatchObject({ status: 504 })
    barrier.open()
    await handler.drain()
    expect(await db.orm.tag.count({ where: { name: { in: ['first', 'second'] } } })).toBe(0)
  })

  it('ignores undefined transaction limits', async () => {
    const handler = db.routes.RestApiHandler({
      endpoint: ENDPOINT,
      timeout: 60_000,
      routes: db.routes.defineRestRoutes((app, api) => {
        app.post('/tags', async (c) => {
          const orm = await api.orm(c)
          const options = { timeout: undefined, maxWait: undefined } as object
          await orm.$transaction((tx) => tx.tag.create({ data: { name: 'first' } }), options)
          return c.body(null, 204)
        })
      }),
    })
    const { post } = clientOf((request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' }))
    expect(await post('/tags', {})).toMatchObject({ status: 204 })
  })

  it('keeps a smaller limit of a transaction', async () => {
    const handler = db.routes.RestApiHandler({
      endpoint: ENDPOINT,
      timeout: 60_000,
      routes: db.routes.defineRestRoutes((app, api) => {
        app.post('/tags', async (c) => {
          const orm = await api.orm(c)
          const work = async (tx: Pick<typeof orm, 'tag'>) => {
            await new Promise((resolve) => setTimeout(resolve, 400))
            await tx.tag.create({ data: { name: 'first' } })
          }
          await orm.$transaction(work, { timeout: 100 })
          return c.body(null, 204)
        })
      }),
    })
    const { post } = clientOf((request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' }))
    const response = await post('/tags', {})
    expect(response.errors).toMatchObject([{ code: 'transaction-timeout' }])
  })
})

describeDatabases(
  'operations: timeout under policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })
    const call = async (
      orm: unknown,
      operation: string,
      args: object,
      timeout = 60_000,
    ): Promise<readonly [TestResponse, () => Promise<void>]> => {
      const handler = db.routes.RPCApiHandler({ timeout })
      const client = rpcClientOf(
        (request) => handler.fetch(request, { getOrm: () => orm as typeof db.orm, prefix: '/api' }),
        superjsonOf(db.client.Prisma as never),
      )
      return [await client.call('document', operation, args), handler.drain]
    }

    it('rolls back a write that does not finish in time', async () => {
      const barrier = gate()
      const { orm, startedQueries } = slowed(db.orm, 'create', barrier.opened)
      const data = { title: 'late', labels: { create: { name: 'late', organisationId: 2 } } }
      const guarded = orm.$extends(withPolicies(betaAbility()))
      const [response, drain] = await call(guarded, 'update', { where: { id: 3 }, data }, TIMEOUT)
      expect(response).toMatchObject({ status: 504, body: { message: UNKNOWN } })
      const sofar = [...startedQueries]
      barrier.open()
      await drain()
      expect(startedQueries).toEqual(sofar)
      expect(await db.orm.document.count({ where: { title: 'late' } })).toBe(0)
      expect(await db.orm.label.count({ where: { name: 'late' } })).toBe(0)
    })

    it('applies the rules', async () => {
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      const [read] = await call(orm, 'findMany', { orderBy: { id: 'asc' }, select: { id: true } })
      expect(read).toMatchObject({ status: 200, body: { data: [{ id: 3 }, { id: 4 }] } })
      const [denied] = await call(orm, 'update', { where: { id: 1 }, data: { title: 'mine' } })
      expect(denied.status).toBe(404)
      const [done] = await call(orm, 'update', { where: { id: 3 }, data: { title: 'mine' }, select: { title: true } })
      expect(done).toMatchObject({ status: 200, body: { data: { title: 'mine' } } })
    })

    it('runs an extension that was added after policies', async () => {
      const seen: unknown[] = []
      const orm = db.orm.$extends(withPolicies(betaAbility())).$extends({
        query: {
          document: {
            async findMany({ args, query }) {
              const rows = await query(args)
              seen.push(rows.length)
              return rows
            },
          },
        },
      })
      const [read] = await call(orm, 'findMany', { select: { id: true } })
      expect(read.status).toBe(200)
      expect(seen).toEqual([2])
    })
  },
  { fixture: 'tenants' },
)

describeDatabases(
  'operations: timeout with hooks',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const create = async (hooks: Parameters<typeof defineHooks>[0], orm: typeof db.orm = db.orm) => {
      const handler = db.routes.RPCApiHandler({ timeout: TIMEOUT, hooks: defineHooks(hooks) })
      const client = rpcClientOf(
        (request) => handler.fetch(request, { getOrm: () => orm, prefix: '/api' }),
        superjsonOf(db.client.Prisma as never),
      )
      const response = await client.call('document', 'create', { data: { title: 'Late', teamId: 1 } })
      return { response, drain: handler.drain }
    }
    const stored = () => db.orm.document.count({ where: { title: 'Late' } })

    it.each(['before', 'after'] as const)('%s: rolls back if the hook takes too long', async (step) => {
      const barrier = gate()
      const called: string[] = []
      const { response, drain } = await create({
        Document: {
          create: {
            [step]: async () => barrier.opened,
            afterCommit: () => void called.push('afterCommit'),
          },
        },
      })
      expect(response).toMatchObject({ status: 504, body: { message: UNKNOWN } })
      barrier.open()
      await drain()
      expect(await stored()).toBe(0)
      expect(called).toEqual([])
    })

    it('rejects queries of the client of a hook after the timeout', async () => {
      const barrier = gate()
      const failures: unknown[] = []
      const { response, drain } = await create({
        Document: {
          create: {
            async after({ client, row }) {
              await barrier.opened
              await client.comment
                .create({ data: { text: 'late', documentId: row.id } })
                .catch((error: unknown) => failures.push(error))
            },
          },
        },
      })
      expect(response.status).toBe(504)
      barrier.open()
      await drain()
      expect(failures).toHaveLength(1)
      expect(await stored()).toBe(0)
      expect(await db.orm.comment.count({ where: { text: 'late' } })).toBe(0)
    })

    it('keeps the write if afterCommit takes too long, and drain waits for it', async () => {
      const barrier = gate()
      const called: string[] = []
      const { response, drain } = await create({
        Document: {
          create: {
            async afterCommit() {
              await barrier.opened
              called.push('afterCommit')
            },
          },
        },
      })
      expect(response).toMatchObject({ status: 504, body: { message: UNKNOWN } })
      expect(await stored()).toBe(1)
      const drained = drain().then(() => called.push('drained'))
      barrier.open()
      await drained
      expect(called).toEqual(['afterCommit', 'drained'])
    })
  },
  { fixture: 'workspace' },
)

describeDatabases(
  'operations: timeout on PostgreSQL',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('cancels a waiting statement in a transaction and rolls back', async () => {
      const [started, barrier] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.document.update({ where: { id: 3 }, data: { views: 9 } })
          started.open()
          await barrier.opened
        },
        { timeout: 30_000 },
      )
      await started.opened
      const handler = db.routes.RPCApiHandler({ timeout: 3000 })
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      const { call } = rpcClientOf(
        (request) => handler.fetch(request, { getOrm: () => orm, prefix: '/api', log: () => undefined }),
        superjsonOf(db.client.Prisma as never),
      )
      // The write of a relation uses a transaction.
      const data = { title: 'late', labels: { create: { name: 'late', organisationId: 2 } } }
      const response = await call('document', 'update', { where: { id: 3 }, data })
      expect(response.status).toBe(504)
      // PostgreSQL cancels the statement before the deadline, but on a busy machine the deadline can pass before its error arrives.
      expect(response.body.message).toMatch(/ Nothing was stored\.$|check before you retry it\.$/)
      await handler.drain()
      // The lock is still held, so its release did not end the request.
      barrier.open()
      await holder
      expect(await db.orm.document.count({ where: { title: 'late' } })).toBe(0)
    })

    it('keeps a smaller statement_timeout of the connection', async () => {
      const [row] = await db.orm.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
      const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '')
      url.pathname = row?.name ?? ''
      const limits = async (options: object): Promise<string[]> => {
        const client = new db.client.PrismaClient({ adapter: new PrismaPg({ connectionString: url.href, ...options }) })
        const seen: string[] = []
        const handler = db.routes.RPCApiHandler({
          timeout: 60_000,
          routes: db.routes.defineRpcRoutes((app, api) => {
            app.get('/limit', async (c) => {
              const orm = await api.orm(c)
              const read = (of: Pick<typeof orm, '$queryRaw'>) =>
                of.$queryRaw<{ now: string }[]>`SELECT current_setting('statement_timeout') AS now`
              const [inside] = await orm.$transaction((tx) => read(tx))
              const [outside] = await read(orm)
              seen.push(inside?.now ?? '', outside?.now ?? '')
              return c.body(null, 204)
            })
          }),
        })
        await handler.fetch(new Request('http://localhost/limit'), { getOrm: () => client })
        await client.$disconnect()
        return seen
      }
      expect(await limits({ statement_timeout: 700 })).toEqual(['700ms', '700ms'])
      const [inside, outside] = await limits({})
      expect(inside).toMatch(/^5\d{4}ms$/)
      expect(outside).toBe('0')
    })
  },
  { fixture: 'tenants', only: ['PostgreSQL'] },
)

describeDatabases(
  'operations: timeout of a write that waits for a lock',
  (db) => {
    it('completes the write but responds with 504 and an unknown outcome', async () => {
      await db.fill(fillBlog)
      const [started, barrier] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.tag.update({ where: { name: 'news' }, data: { name: 'renamed' } })
          started.open()
          await barrier.opened
        },
        { timeout: 30_000 },
      )
      await started.opened
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, timeout: TIMEOUT })
      const { post } = clientOf((request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' }))
      // The name is free only if the other write was stored.
      const response = await post('/tag', tag('news'))
      expect(response.status).toBe(504)
      expect(response.errors).toMatchObject([{ code: 'timeout', detail: UNKNOWN }])
      barrier.open()
      await holder
      await handler.drain()
      expect(await db.orm.tag.count({ where: { name: { in: ['news', 'renamed'] } } })).toBe(2)
    })
  },
  { only: ['PostgreSQL', 'MySQL'] },
)

describe('timeout option', () => {
  it.each([0, -1, 1.5, NaN, '5'])('%s: throws', async (timeout) => {
    const { RestApiHandler, RPCApiHandler } = await import('../../fixtures/blog/expected/index.js')
    const message = `timeout must be a positive integer or Infinity, but is ${typeof timeout === 'string' ? `"${timeout}"` : timeout}.`
    expect(() => RestApiHandler({ endpoint: ENDPOINT, timeout: timeout as number })).toThrow(message)
    expect(() => RPCApiHandler({ timeout: timeout as number })).toThrow(message)
  })
})
