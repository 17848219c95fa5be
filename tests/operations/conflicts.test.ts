import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/blog/expected/hooks.js'
import { restClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { watched } from './drivers/watch-statements.js'

/**
 * Number of concurrent requests that write one row: in one test they wait for its lock, in the other they fail with a
 * conflict.
 */
const WAITING = 40
const FAILING = 16

describeDatabases(
  'operations: write conflicts',
  (db) => {
    const clients: { $disconnect(): Promise<void> }[] = []
    /** Number of errors of the database on {@link isolated} clients. */
    let failures = 0
    beforeEach(async () => {
      failures = 0
      await db.fill(seedBlog)
    })
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.$disconnect()
    })

    /** A client whose transactions read from a snapshot, and fail if another transaction changed a row that they write. */
    async function isolated(): Promise<typeof db.orm> {
      const isPostgres = db.provider === 'postgresql'
      const [row] = isPostgres
        ? await db.orm.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
        : await db.orm.$queryRaw<{ name: string }[]>`SELECT database() AS name`
      const url = new URL((isPostgres ? process.env['TEST_POSTGRES_URL'] : process.env['TEST_MYSQL_URL']) ?? '')
      const where = {
        host: url.hostname,
        port: Number(url.port),
        user: url.username,
        password: url.password,
        database: row?.name ?? '',
      }
      const adapter = isPostgres
        ? new PrismaPg({ ...where, options: '-c default_transaction_isolation=serializable' })
        : new PrismaMariaDb({ ...where, initSql: 'SET SESSION innodb_snapshot_isolation = ON' })
      const client = new db.client.PrismaClient({ adapter: watched(adapter, { failed: () => (failures += 1) }) })
      clients.push(client)
      return client
    }
    const times = <R>(count: number, make: (index: number) => Promise<R>) =>
      Promise.all(Array.from({ length: count }, (_, index) => make(index)))
    const readers = async (id = 1) => (await db.orm.category.findUniqueOrThrow({ where: { id } })).readers
    const less = { readers: { increment: -1 } }

    it('applies each concurrent update exactly once at any isolation level', async () => {
      for (const [orm, writers] of [
        [db.orm, WAITING],
        [await isolated(), FAILING],
      ] as const) {
        const before = await readers()
        const rpc = rpcClient(db, {}, orm)
        const responses = await times(writers, () => rpc.call('category', 'update', { where: { id: 1 }, data: less }))
        expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: writers }, () => 200))
        expect(await readers()).toBe(before - BigInt(writers))
      }
      expect(failures).toBeGreaterThan(0)
    })

    it('applies each concurrent relationship and nested write exactly once', async () => {
      const orm = await isolated()
      // The timeout's own wrapper does not count as code of the app.
      const limited = { timeout: 60_000 }
      const [rest, rpc] = [restClient(db, limited, orm), rpcClient(db, limited, orm)]
      const before = await readers()
      const tag = await db.orm.tag.create({ data: { name: 'met' } })
      const responses = await times(FAILING, async (index) => {
        if (index % 2 === 0) {
          return rest.post(`/post/${1 + (index % 3)}/relationships/tags`, { data: [{ type: 'tag', id: tag.name }] })
        }
        const posts = { create: { slug: `met-${index}`, title: 'Met' } }
        return rpc.call('category', 'update', { where: { id: 1 }, data: { ...less, posts } })
      })
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
      expect(await readers()).toBe(before - BigInt(FAILING / 2))
      expect(await db.orm.post.count({ where: { slug: { startsWith: 'met-' } } })).toBe(FAILING / 2)
      expect(await db.orm.post.count({ where: { tags: { some: { name: 'met' } } } })).toBe(3)
      expect(failures).toBeGreaterThan(0)
    })

    it('applies writes that lock rows in opposite orders exactly once', async () => {
      const { id, categoryId } = await db.orm.post.findFirstOrThrow({ where: { categoryId: { not: null } } })
      const before = await readers(categoryId ?? 0)
      const rpc = rpcClient(db)
      const responses = await times(4, (index) => {
        if (index % 2 === 0) {
          return rpc.call('post', 'update', { where: { id }, data: { title: 'Met', category: { update: less } } })
        }
        const posts = { update: { where: { id }, data: { title: 'Met' } } }
        return rpc.call('category', 'update', { where: { id: categoryId }, data: { ...less, posts } })
      })
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 200))
      expect(await readers(categoryId ?? 0)).toBe(before - 4n)
    })

    it('does not retry a write after a hook has run', async () => {
      const orm = await isolated()
      let hookCalls = 0
      const hooks: AppHooks = {
        Category: {
          update: {
            async after({ client }) {
              hookCalls += 1
              await db.orm.user.update({ where: { id: 1 }, data: { name: 'Outside' } })
              await client.user.update({ where: { id: 1 }, data: { name: 'Inside' } })
            },
          },
        },
      }
      const before = await readers()
      const rest = restClient(db, { hooks: defineHooks(hooks) }, orm)
      const response = await rest.patch('/category/1', {
        data: { type: 'category', id: '1', attributes: { readers: '5' } },
      })
      expect(hookCalls).toBe(1)
      const user = await db.orm.user.findUnique({ where: { id: 1 } })
      if (db.provider === 'postgresql') {
        expect(response).toMatchObject({ status: 409, errors: [{ code: 'write-conflict' }] })
        expect(await readers()).toBe(before)
        expect(user).toMatchObject({ name: 'Outside' })
      } else {
        // On MySQL, transactions of hooks are READ COMMITTED: the second update waits for the first and sees its result.
        expect(response.status).toBe(200)
        expect(await readers()).toBe(5n)
        expect(user).toMatchObject({ name: 'Inside' })
      }
    })

    it('does not retry a write if an extension of the app throws', async () => {
      let attempts = 0
      const orm = db.orm.$extends({
        query: {
          category: {
            async update({ args, query }) {
              await query(args)
              attempts += 1
              throw Object.assign(new Error('A log that another client writes has met a deadlock.'), { code: 'P2034' })
            },
          },
        },
      })
      const before = await readers()
      const rpc = rpcClient(db, {}, orm)
      expect((await rpc.call('category', 'update', { where: { id: 1 }, data: less })).status).toBe(409)
      expect(attempts).toBe(1)
      expect(await readers()).toBe(before - 1n)
    })
  },
  { concurrent: true },
)
