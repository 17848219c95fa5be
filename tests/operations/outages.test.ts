import { PrismaMariaDb } from '@prisma/adapter-mariadb'
import { PrismaPg } from '@prisma/adapter-pg'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

/** Creates a promise that is resolved by `open`. */
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describeDatabases(
  'operations: outages with the real driver',
  (db) => {
    beforeEach(async () => {
      await db.fill(seedBlog)
    })
    const clients: { $disconnect(): Promise<void> }[] = []
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.$disconnect().catch(() => undefined)
    })

    /** Creates a client of the same database with other driver options. */
    async function clientWith(options: object): Promise<typeof db.orm> {
      const isPostgres = db.provider === 'postgresql'
      const [row] = isPostgres
        ? await db.orm.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
        : await db.orm.$queryRaw<{ name: string }[]>`SELECT database() AS name`
      const url = new URL((isPostgres ? process.env['TEST_POSTGRES_URL'] : process.env['TEST_MYSQL_URL']) ?? '')
      url.pathname = row?.name ?? ''
      const mysql = { host: url.hostname, port: Number(url.port), user: url.username, database: row?.name ?? '' }
      const adapter = isPostgres
        ? new PrismaPg({ connectionString: url.href, ...options })
        : new PrismaMariaDb({ ...mysql, ...options })
      const client = new db.client.PrismaClient({ adapter })
      clients.push(client)
      return client
    }
    const serve = (orm: typeof db.orm) => {
      const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      return clientOf((request) => rest.fetch(request, { getOrm: () => orm, prefix: '/api', log: () => undefined }))
    }
    const tag = (name: string) => ({ data: { type: 'tag', attributes: { name } } })
    const isPostgres = () => db.provider === 'postgresql'

    it('responds with 503 if the pool has no free connection', async () => {
      const orm = await clientWith(
        isPostgres() ? { max: 1, connectionTimeoutMillis: 300 } : { connectionLimit: 1, acquireTimeout: 300 },
      )
      const [started, barrier] = [gate(), gate()]
      const holder = orm.$transaction(
        async (tx) => {
          await tx.tag.count()
          started.open()
          await barrier.opened
        },
        { timeout: 30_000 },
      )
      await started.opened
      const { get, post } = serve(orm)
      for (const response of [await get('/tag'), await post('/tag', tag('late'))]) {
        expect(response).toMatchObject({ status: 503, errors: [{ code: 'database-unavailable' }] })
        expect(response.headers.get('Retry-After')).toBe('1')
      }
      barrier.open()
      await holder
      expect((await get('/tag')).status).toBe(200)
    })

    it('responds with 503 if the server is unreachable', async () => {
      const none = isPostgres()
        ? { connectionString: 'postgres://postgres@127.0.0.1:1/x' }
        : { port: 1, acquireTimeout: 300 }
      const response = await serve(await clientWith(none)).get('/tag')
      expect(response).toMatchObject({ status: 503, errors: [{ code: 'database-unavailable' }] })
    })

    it('responds with 504 if a statement exceeds its time limit', async () => {
      const orm = await clientWith(
        isPostgres()
          ? { statement_timeout: 300 }
          : { connectTimeout: 5000, initSql: 'SET SESSION max_statement_time = 0.3' },
      )
      const [started, barrier] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.tag.create({ data: { name: 'taken' } })
          started.open()
          await barrier.opened
        },
        { timeout: 30_000 },
      )
      await started.opened
      // Waits for the other write of the same name.
      const response = await serve(orm).post('/tag', tag('taken'))
      expect(response).toMatchObject({ status: 504, errors: [{ code: 'database-timeout' }] })
      expect(response.headers.get('Retry-After')).toBe('1')
      barrier.open()
      await holder
    })

    it('responds with 504 if a lock is not available', async () => {
      const wait = isPostgres()
        ? { options: '-c lock_timeout=300' }
        : { initSql: 'SET SESSION innodb_lock_wait_timeout = 1' }
      const [started, barrier] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.category.update({ where: { id: 1 }, data: { name: 'held' } })
          started.open()
          await barrier.opened
        },
        { timeout: 30_000 },
      )
      await started.opened
      const change = { data: { type: 'category', id: '1', attributes: { name: 'other' } } }
      const response = await serve(await clientWith(wait)).patch('/category/1', change)
      expect(response).toMatchObject({ status: 504, errors: [{ code: 'database-timeout' }] })
      expect(response.headers.get('Retry-After')).toBe('1')
      barrier.open()
      await holder
    })

    it('responds with 503 and an unknown outcome if the connection is killed', async () => {
      const orm = await clientWith(isPostgres() ? { max: 1 } : { connectionLimit: 1 })
      const { get, post } = serve(orm)
      expect((await get('/tag')).status).toBe(200)
      const pid = isPostgres()
        ? await orm.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
        : await orm.$queryRaw<{ pid: bigint }[]>`SELECT connection_id() AS pid`
      const kill = () =>
        db.execute(isPostgres() ? `SELECT pg_terminate_backend(${pid[0]?.pid})` : `KILL ${pid[0]?.pid}`)
      const [started, barrier] = [gate(), gate()]
      const holder = db.orm.$transaction(
        async (tx) => {
          await tx.tag.create({ data: { name: 'taken' } })
          started.open()
          await barrier.opened
        },
        { timeout: 30_000 },
      )
      await started.opened
      const waiting = post('/tag', tag('taken'))
      await new Promise((resolve) => setTimeout(resolve, 300))
      await kill()
      const response = await waiting
      expect(response).toMatchObject({ status: 503, errors: [{ code: 'database-unavailable' }] })
      expect(response.errors[0]?.detail).toContain('check before you retry it')
      barrier.open()
      await holder
      expect((await get('/tag')).status).toBe(200)
    })
  },
  { only: ['PostgreSQL', 'MySQL'] },
)

describeDatabases(
  'operations: replica after a failover',
  (db) => {
    it('responds with 503 to writes', async () => {
      await db.fill(seedBlog)
      const [row] = await db.orm.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
      const url = new URL(process.env['TEST_POSTGRES_URL'] ?? '')
      url.pathname = row?.name ?? ''
      const adapter = new PrismaPg({ connectionString: url.href, options: '-c default_transaction_read_only=on' })
      const orm = new db.client.PrismaClient({ adapter })
      const rest = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      const { get, post } = clientOf((request) =>
        rest.fetch(request, { getOrm: () => orm, prefix: '/api', log: () => undefined }),
      )
      expect((await get('/tag')).status).toBe(200)
      const response = await post('/tag', { data: { type: 'tag', attributes: { name: 'x' } } })
      expect(response).toMatchObject({ status: 503, errors: [{ code: 'database-unavailable' }] })
      await orm.$disconnect()
    })
  },
  { only: ['PostgreSQL'] },
)
