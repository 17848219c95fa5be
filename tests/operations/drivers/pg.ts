import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'

import { postgresPrograms, startPostgres } from '../../support/servers/postgres-server.js'
import { startProxy } from '../../support/servers/proxy.js'
import { smallDisk } from '../../support/servers/small-disk.js'
import { cutAtCommit } from './cut-at-commit.js'
import { type Blog, type Driver, fillBlog, type Orm, until, type World } from './driver.js'

const programs = postgresPrograms()

/** PostgreSQL with `@prisma/adapter-pg`. */
export const pgDriver: Driver = {
  name: '@prisma/adapter-pg',
  provider: 'postgresql',
  open: programs === undefined ? undefined : (blog) => open(blog, programs),
}

const LOCKED = 'LOCK TABLE "Category" IN ACCESS EXCLUSIVE MODE'

const DEADLOCKS = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'

async function open({ client: { PrismaClient }, tables }: Blog, programs: string): Promise<World> {
  const server = await startPostgres({ programs })
  const admin = new pg.Pool({ connectionString: server.url(), max: 1 })
  admin.on('error', () => {})
  await admin.query(tables)
  const clients: Orm[] = []
  const client = (options: object = {}): Orm => {
    const orm = new PrismaClient({ adapter: new PrismaPg({ connectionString: server.url(), ...options }) })
    clients.push(orm)
    return orm
  }
  const orm = client()
  await fillBlog(orm)
  const one = async (sql: string): Promise<unknown> => Object.values((await admin.query(sql)).rows[0] ?? {})[0]
  const waiting = (count: number) =>
    until(
      async () => Number(await one("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")) >= count,
    )
  /** Runs code while a transaction holds locks. */
  const holding = async (sql: string, work: (holder: pg.Client) => Promise<void>) => {
    const holder = await connect(server.url())
    try {
      await holder.query(`BEGIN; ${sql}`)
      await work(holder)
    } finally {
      await holder.end()
    }
  }
  /** Terminates connections that wait for a lock. The lock remains. */
  const kill = async () => {
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
  }
  /** Opens one connection per request. */
  const warm = async (orm: Orm) => {
    await Promise.all([1, 2, 3, 4].map(() => orm.$queryRaw`SELECT 1 FROM pg_sleep(0.1)`))
  }
  return {
    orm,
    scenes: {
      'connection refused': (sendRequests) =>
        sendRequests(client({ connectionString: 'postgres://postgres@127.0.0.1:1/postgres' })),
      async 'killed while idle'(sendRequests) {
        const orm = client()
        await warm(orm)
        await server.kill()
        await server.start()
        await sendRequests(orm)
      },
      async 'killed mid-query'(sendRequests) {
        const orm = client()
        await holding(LOCKED, () =>
          sendRequests(orm, async () => {
            await waiting(4)
            await kill()
          }),
        )
        await holding(LOCKED, () =>
          sendRequests(orm, async () => {
            await waiting(4)
            await server.kill()
          }),
        )
        await server.start()
      },
      async 'killed at COMMIT'(sendRequests) {
        const readers = async () => Number(await one('SELECT readers FROM "Category" WHERE id = 2'))
        const before = await readers()
        const isThere = async () => (await readers()) === before + 10
        const proxy = await cutAtCommit(server.port, isThere)
        const url = new URL(server.url())
        url.port = String(proxy.port)
        await sendRequests(client({ connectionString: url.href }), undefined, ['RPC write'])
        await proxy.close()
        if (!(await isThere())) throw new Error('It was made again.')
      },
      async stalled(sendRequests) {
        const proxy = await startProxy({ to: server.port })
        const url = new URL(server.url())
        url.port = String(proxy.port)
        const orm = client({ connectionString: url.href, query_timeout: 500, connectionTimeoutMillis: 5000 })
        await warm(orm)
        proxy.stall()
        await sendRequests(orm)
        await proxy.close()
      },
      async 'pool exhausted'(sendRequests) {
        const orm = client({ max: 1, connectionTimeoutMillis: 300 })
        await orm.$transaction(async (tx) => {
          await tx.category.count()
          await sendRequests(orm)
        })
      },
      'statement timeout': (sendRequests) => holding(LOCKED, () => sendRequests(client({ statement_timeout: 300 }))),
      'lock timeout': (sendRequests) => holding(LOCKED, () => sendRequests(client({ options: '-c lock_timeout=300' }))),
      async 'read-only'(sendRequests) {
        const standby = await startPostgres({ programs, standbyOf: server })
        await sendRequests(client({ connectionString: standby.url() }))
        await standby.remove()
      },
      'disk full': (sendRequests) => fullDisk(admin, () => sendRequests(orm)),
      async deadlock(sendRequests) {
        await onUpdate(admin, 'UPDATE "Tag" SET name = name')
        await holding(`SET LOCAL deadlock_timeout = '20s'; SELECT 1 FROM "Tag" FOR UPDATE`, (holder) =>
          sendRequests(orm, async () => {
            await waiting(2)
            await holder.query('UPDATE "Category" SET name = name')
            await holder.query('COMMIT')
          }),
        )
        await admin.query('DROP FUNCTION other CASCADE')
        await until(async () => Number(await one(DEADLOCKS)) > 0)
      },
      async 'serialization failure'(sendRequests) {
        const orm = client({ options: '-c default_transaction_isolation=serializable' })
        await holding('UPDATE "Category" SET name = name', (holder) =>
          sendRequests(orm, async () => {
            await waiting(2)
            await holder.query('COMMIT')
          }),
        )
      },
    },
    async close() {
      for (const each of clients) await each.$disconnect().catch(() => undefined)
      await admin.end().catch(() => undefined)
      await server.remove()
    },
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Makes each update of a category write to a full disk. */
async function fullDisk(admin: pg.Pool, work: () => Promise<void>): Promise<'not possible here' | void> {
  const disk = await smallDisk('postgres')
  if (!disk) return 'not possible here'
  try {
    await admin.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`)
    await admin.query('CREATE TABLE filler (bytes bytea) TABLESPACE small')
    await admin.query('ALTER TABLE filler ALTER bytes SET STORAGE EXTERNAL')
    await onUpdate(admin, "INSERT INTO filler SELECT convert_to(repeat('x', 100000), 'UTF8')")
    await disk.fill()
    await work()
    await admin.query('DROP FUNCTION other CASCADE; DROP TABLE filler')
    await admin.query('DROP TABLESPACE small')
  } finally {
    await disk.remove()
  }
}

/** Runs SQL on each update of a category. */
async function onUpdate(admin: pg.Pool, sql: string): Promise<void> {
  await admin.query(`
    CREATE FUNCTION other() RETURNS trigger AS $$ BEGIN ${sql}; RETURN NEW; END $$ LANGUAGE plpgsql;
    CREATE TRIGGER other AFTER UPDATE ON "Category" FOR EACH ROW EXECUTE FUNCTION other()`)
}
