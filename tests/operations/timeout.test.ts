import { PrismaPg } from '@prisma/adapter-pg'
import { beforeEach, describe, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from '../rest/support/blog.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { type Answer, clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { gate, slowed } from './support/gate.js'

/** Short, but long enough for what ends by itself to do so on a busy machine. */
const TIMEOUT = 500

const OVER = 'The request took too long.'
const UNCHANGED = `${OVER} Nothing was changed.`
const UNKNOWN = `${OVER} It may have changed something: check before you repeat it.`

const tag = (name: string) => ({ data: { type: 'tag', attributes: { name } } })

describeDatabases('operations: a request with a time limit', (db) => {
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

  it('is answered as without one where it is done in time', async () => {
    const { get, post } = rest(db.orm, 60_000)
    expect((await get('/post?include=tags')).status).toBe(200)
    expect((await post('/tag', tag('fast'))).status).toBe(201)
  })

  it('REST: a read ends with 504, and begins no further query', async () => {
    const held = gate()
    const { orm, begun } = slowed(db.orm, 'findMany', held.opened)
    const { get, handler } = rest(orm)
    // A full page: its total is counted once the rows are here.
    const answer = await get('/post?page[limit]=1')
    expect(answer).toMatchObject({ status: 504, errors: [{ code: 'timeout', detail: UNCHANGED }] })
    expect(answer.headers.get('Retry-After')).toBe('1')
    held.open()
    await handler.drain()
    expect(begun).toEqual(['Post.findMany'])
  })

  it('RPC: a read ends with 504, and begins no further query', async () => {
    const held = gate()
    const { orm, begun } = slowed(db.orm, 'count', held.opened)
    const { call, handler } = rpc(orm)
    // Members are counted first.
    const answer = await call('post', 'findMany', { include: { tags: true } })
    expect(answer).toMatchObject({ status: 504, body: { message: UNCHANGED } })
    expect(answer.headers.get('Retry-After')).toBe('1')
    held.open()
    await handler.drain()
    expect(begun).toEqual(['Tag.count'])
  })

  it('ends where the app never gives a client, and asks it nothing when it does', async () => {
    const held = gate()
    const { orm, begun } = slowed(db.orm, '*', Promise.resolve())
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, timeout: TIMEOUT })
    const { get } = clientOf((request) =>
      handler.fetch(request, { getOrm: () => held.opened.then(() => orm), prefix: '/api' }),
    )
    expect(await get('/post')).toMatchObject({ status: 504, errors: [{ code: 'timeout' }] })
    held.open()
    await handler.drain()
    expect(begun).toEqual([])
  })

  it('a write that an extension of the app holds up until then is not made', async () => {
    const held = gate()
    const { orm } = slowed(db.orm, 'create', held.opened)
    const { post, handler } = rest(orm)
    const answer = await post('/tag', tag('late'))
    expect(answer.status).toBe(504)
    expect(answer.errors).toMatchObject([{ code: 'timeout', detail: UNCHANGED }])
    held.open()
    await handler.drain()
    expect(await db.orm.tag.count({ where: { name: 'late' } })).toBe(0)
  })

  it('a replacement in a transaction of ours leaves nothing behind', async () => {
    const held = gate()
    const { orm } = slowed(db.orm, 'update', held.opened)
    const { patch, handler } = rest(orm)
    const before = await db.orm.post.findUnique({ where: { id: 1 }, select: { title: true, tags: true } })
    const tags = { data: [{ type: 'tag', id: 'tips' }] }
    const data = { type: 'post', id: '1', attributes: { title: 'New' }, relationships: { tags } }
    const answer = await patch('/post/1', { data })
    expect(answer).toMatchObject({ status: 504, errors: [{ code: 'timeout' }] })
    held.open()
    await handler.drain()
    const after = await db.orm.post.findUnique({ where: { id: 1 }, select: { title: true, tags: true } })
    // Where it is one statement, or one of Prisma's own transactions, it is done.
    if (after?.title === 'New') expect(after.tags.map(({ name }) => name)).toEqual(['tips'])
    else expect(after).toEqual(before)
  })

  it('a transaction of a route of your own gets what is left as its time', async () => {
    const held = gate()
    const handler = db.routes.RestApiHandler({
      endpoint: ENDPOINT,
      timeout: TIMEOUT,
      routes: db.routes.defineRestRoutes((app, api) => {
        app.post('/tags', async (c) => {
          const orm = await api.orm(c)
          await orm.$transaction(async (tx) => {
            await tx.tag.create({ data: { name: 'first' } })
            await held.opened
            await tx.tag.create({ data: { name: 'second' } })
          })
          return c.body(null, 204)
        })
      }),
    })
    const app = db.hono.createHonoHandler({ getOrm: () => db.orm, handler, prefix: '/api' })
    const { post } = clientOf((request) => app.fetch(request))
    expect(await post('/tags', {})).toMatchObject({ status: 504 })
    held.open()
    await handler.drain()
    expect(await db.orm.tag.count({ where: { name: { in: ['first', 'second'] } } })).toBe(0)
  })

  it('a limit of a transaction that is undefined is none', async () => {
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

  it('a smaller limit that a transaction has already stays as it is', async () => {
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
    const answer = await post('/tags', {})
    expect(answer.errors).toMatchObject([{ code: 'transaction-timeout' }])
  })
})

describeDatabases(
  'operations: a request with a time limit, under policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })
    const call = async (
      orm: unknown,
      operation: string,
      args: object,
      timeout = 60_000,
    ): Promise<readonly [Answer, () => Promise<void>]> => {
      const handler = db.routes.RPCApiHandler({ timeout })
      const client = rpcClientOf(
        (request) => handler.fetch(request, { getOrm: () => orm as typeof db.orm, prefix: '/api' }),
        superjsonOf(db.client.Prisma as never),
      )
      return [await client.call('document', operation, args), handler.drain]
    }

    it('a write whose queries do not all begin by then is undone', async () => {
      const held = gate()
      const { orm, begun } = slowed(db.orm, 'create', held.opened)
      const data = { title: 'late', labels: { create: { name: 'late', organisationId: 2 } } }
      const guarded = orm.$extends(withPolicies(betaAbility()))
      const [answer, drain] = await call(guarded, 'update', { where: { id: 3 }, data }, TIMEOUT)
      expect(answer).toMatchObject({ status: 504, body: { message: UNKNOWN } })
      const sofar = [...begun]
      held.open()
      await drain()
      expect(begun).toEqual(sofar)
      expect(await db.orm.document.count({ where: { title: 'late' } })).toBe(0)
      expect(await db.orm.label.count({ where: { name: 'late' } })).toBe(0)
    })

    it('the rules hold as without one', async () => {
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      const [read] = await call(orm, 'findMany', { orderBy: { id: 'asc' }, select: { id: true } })
      expect(read).toMatchObject({ status: 200, body: { data: [{ id: 3 }, { id: 4 }] } })
      const [denied] = await call(orm, 'update', { where: { id: 1 }, data: { title: 'mine' } })
      expect(denied.status).toBe(404)
      const [done] = await call(orm, 'update', { where: { id: 3 }, data: { title: 'mine' }, select: { title: true } })
      expect(done).toMatchObject({ status: 200, body: { data: { title: 'mine' } } })
    })

    it('an extension that was put on after the policies stays above them', async () => {
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
  'operations: a request with a time limit, with hooks',
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
      const answer = await client.call('document', 'create', { data: { title: 'Late', teamId: 1 } })
      return { answer, drain: handler.drain }
    }
    const stored = () => db.orm.document.count({ where: { title: 'Late' } })

    it.each(['before', 'after'] as const)('where a hook takes too long, %s, nothing is stored', async (step) => {
      const held = gate()
      const called: string[] = []
      const { answer, drain } = await create({
        Document: {
          create: {
            [step]: async () => held.opened,
            afterCommit: () => void called.push('afterCommit'),
          },
        },
      })
      expect(answer).toMatchObject({ status: 504, body: { message: UNKNOWN } })
      held.open()
      await drain()
      expect(await stored()).toBe(0)
      expect(called).toEqual([])
    })

    it('a client that hooks are given begins no query when it is over', async () => {
      const held = gate()
      const failures: unknown[] = []
      const { answer, drain } = await create({
        Document: {
          create: {
            async after({ client, row }) {
              await held.opened
              await client.comment
                .create({ data: { text: 'late', documentId: row.id } })
                .catch((error: unknown) => failures.push(error))
            },
          },
        },
      })
      expect(answer.status).toBe(504)
      held.open()
      await drain()
      expect(failures).toHaveLength(1)
      expect(await stored()).toBe(0)
      expect(await db.orm.comment.count({ where: { text: 'late' } })).toBe(0)
    })

    it('where what follows the commit takes too long, it is stored; to drain waits for it', async () => {
      const held = gate()
      const called: string[] = []
      const { answer, drain } = await create({
        Document: {
          create: {
            async afterCommit() {
              await held.opened
              called.push('afterCommit')
            },
          },
        },
      })
      expect(answer).toMatchObject({ status: 504, body: { message: UNKNOWN } })
      expect(await stored()).toBe(1)
      const drained = drain().then(() => called.push('drained'))
      held.open()
      await drained
      expect(called).toEqual(['afterCommit', 'drained'])
    })
  },
  { fixture: 'workspace' },
)

describeDatabases(
  'operations: a request with a time limit, on PostgreSQL',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('has the database end a statement that waits in a transaction of ours: nothing is stored, and nothing goes on', async () => {
      const [begun, held] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.document.update({ where: { id: 3 }, data: { views: 9 } })
          begun.open()
          await held.opened
        },
        { timeout: 30_000 },
      )
      await begun.opened
      const handler = db.routes.RPCApiHandler({ timeout: 3000 })
      const orm = db.orm.$extends(withPolicies(betaAbility()))
      const { call } = rpcClientOf(
        (request) => handler.fetch(request, { getOrm: () => orm, prefix: '/api', log: () => undefined }),
        superjsonOf(db.client.Prisma as never),
      )
      // With a relation, which is written in a transaction.
      const data = { title: 'late', labels: { create: { name: 'late', organisationId: 2 } } }
      const answer = await call('document', 'update', { where: { id: 3 }, data })
      expect(answer.status).toBe(504)
      expect(answer.body.message).toContain('Nothing is stored.')
      await handler.drain()
      // The lock is held still: it was not that which ended it.
      held.open()
      await holder
      expect(await db.orm.document.count({ where: { title: 'late' } })).toBe(0)
    })

    it('leaves a smaller limit of the connection as it is', async () => {
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
  'operations: a write that waits for another one until its time is over',
  (db) => {
    it('is whole in the end, and the answer says that this is not known', async () => {
      await db.fill(fillBlog)
      const [begun, held] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.tag.update({ where: { name: 'news' }, data: { name: 'renamed' } })
          begun.open()
          await held.opened
        },
        { timeout: 30_000 },
      )
      await begun.opened
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT, timeout: TIMEOUT })
      const { post } = clientOf((request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' }))
      // Its name is free only if the other one is stored.
      const answer = await post('/tag', tag('news'))
      expect(answer.status).toBe(504)
      expect(answer.errors).toMatchObject([{ code: 'timeout', detail: UNKNOWN }])
      held.open()
      await holder
      await handler.drain()
      expect(await db.orm.tag.count({ where: { name: { in: ['news', 'renamed'] } } })).toBe(2)
    })
  },
  { only: ['PostgreSQL', 'MySQL'] },
)

describe('the option timeout', () => {
  it.each([0, -1, 1.5, NaN, '5'])('is not %s', async (timeout) => {
    const { RestApiHandler, RPCApiHandler } = await import('../../fixtures/blog/expected/index.js')
    const message = `timeout must be a positive integer or Infinity, not ${typeof timeout === 'string' ? `"${timeout}"` : timeout}.`
    expect(() => RestApiHandler({ endpoint: ENDPOINT, timeout: timeout as number })).toThrow(message)
    expect(() => RPCApiHandler({ timeout: timeout as number })).toThrow(message)
  })
})
