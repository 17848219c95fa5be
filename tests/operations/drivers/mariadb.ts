import { PrismaMariaDb } from '@prisma/adapter-mariadb'

import { mariadbPrograms, type MariadbPrograms, startMariadb } from '../../support/servers/mariadb-server.js'
import { startProxy } from '../../support/servers/proxy.js'
import { cutAtCommit } from './cut-at-commit.js'
import { type Blog, type Driver, fillBlog, type Orm, until, type World } from './driver.js'

const programs = mariadbPrograms()

/** MariaDB with `@prisma/adapter-mariadb`. */
export const mariadbDriver: Driver = {
  name: '@prisma/adapter-mariadb',
  provider: 'mysql',
  open: programs && ((blog) => open(blog, programs)),
}

/** A connection of the driver. */
type Connection = Awaited<ReturnType<Pool['getConnection']>>
type Pool = ReturnType<Awaited<ReturnType<PrismaMariaDb['connect']>>['underlyingDriver']>

async function open({ client: { PrismaClient }, tables }: Blog, programs: MariadbPrograms): Promise<World> {
  const server = await startMariadb({ programs })
  const pools: { dispose(): Promise<void> }[] = []
  const createPool = async () => {
    const pool = await new PrismaMariaDb(`${server.url()}?multipleStatements=true`).connect()
    pools.push(pool)
    return pool.underlyingDriver()
  }
  let admin = await createPool()
  await admin.query(tables)
  const clients: Orm[] = []
  const client = (options: object = {}): Orm => {
    const where = { host: '127.0.0.1', port: server.port, user: 'root', database: 'test' }
    const orm = new PrismaClient({ adapter: new PrismaMariaDb({ ...where, ...options }) })
    clients.push(orm)
    return orm
  }
  const orm = client()
  await fillBlog(orm)
  const waiting = (count: number) =>
    until(async () => {
      const rows = await admin.query<{ n: bigint }[]>(
        `SELECT count(*) AS n FROM information_schema.processlist
         WHERE state LIKE 'Waiting for%' OR (command = 'Query' AND state IN ('Updating', 'Statistics') AND time_ms > 100)`,
      )
      return Number(rows[0]?.n ?? 0) >= count
    })
  /** Runs code while a transaction holds locks. */
  const holding = async (sql: readonly string[], work: (holder: Connection) => Promise<void>) => {
    const holder = await admin.getConnection()
    try {
      for (const one of sql) await holder.query(one)
      await work(holder)
    } finally {
      await holder.query('ROLLBACK; UNLOCK TABLES').catch(() => undefined)
      await holder.release()
    }
  }
  const locked = ['LOCK TABLES `Category` WRITE']
  /** Opens one connection per request. */
  const warm = async (orm: Orm) => {
    await Promise.all([1, 2, 3, 4].map(() => orm.$queryRaw`SELECT SLEEP(0.1)`))
  }
  const kill = async () => {
    const rows = await admin.query<{ id: bigint }[]>(
      "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting for%'",
    )
    for (const { id } of rows) await admin.query(`KILL ${id}`)
  }
  const restart = async () => {
    await server.kill()
    await server.start()
    admin = await createPool()
  }
  return {
    orm,
    scenes: {
      'connection refused': (sendRequests) => sendRequests(client({ port: 1, acquireTimeout: 300 })),
      async 'killed while idle'(sendRequests) {
        const orm = client()
        await warm(orm)
        await restart()
        await sendRequests(orm)
      },
      async 'killed mid-query'(sendRequests) {
        const orm = client()
        await holding(locked, () =>
          sendRequests(orm, async () => {
            await waiting(4)
            await kill()
          }),
        )
        await holding(locked, () =>
          sendRequests(orm, async () => {
            await waiting(4)
            await server.kill()
          }),
        )
        await server.start()
        admin = await createPool()
      },
      async 'killed at COMMIT'(sendRequests) {
        const readers = async () => {
          const [row] = await admin.query<{ readers: bigint }[]>('SELECT readers FROM Category WHERE id = 2')
          return Number(row?.readers)
        }
        const before = await readers()
        const isThere = async () => (await readers()) === before + 10
        const proxy = await cutAtCommit(server.port, isThere)
        await sendRequests(client({ port: proxy.port }), undefined, ['RPC write'])
        await proxy.close()
        if (!(await isThere())) throw new Error('It was made again.')
      },
      async stalled(sendRequests) {
        const proxy = await startProxy({ to: server.port })
        const orm = client({ port: proxy.port, socketTimeout: 500, acquireTimeout: 5000, connectTimeout: 5000 })
        await warm(orm)
        proxy.stall()
        await sendRequests(orm)
        await proxy.close()
      },
      async 'pool exhausted'(sendRequests) {
        const orm = client({ connectionLimit: 1, acquireTimeout: 300 })
        await orm.$transaction(async (tx) => {
          await tx.category.count()
          await sendRequests(orm)
        })
      },
      'statement timeout': (sendRequests) =>
        holding(locked, () => sendRequests(client({ initSql: 'SET SESSION max_statement_time = 0.3' }))),
      'lock timeout': (sendRequests) =>
        holding(locked, () => sendRequests(client({ initSql: 'SET SESSION lock_wait_timeout = 1' }))),
      async 'read-only'(sendRequests) {
        await admin.query('CREATE USER app; GRANT ALL ON test.* TO app; SET GLOBAL read_only = ON')
        await sendRequests(client({ user: 'app' }))
        await admin.query('SET GLOBAL read_only = OFF')
      },
      'disk full': (sendRequests) =>
        fullDisk(programs, tables, async (port) => {
          const orm = client({ port })
          await sendRequests(orm)
          // The driver causes an unhandled rejection if a server stops while it disconnects.
          await orm.$disconnect()
        }),
      async deadlock(sendRequests) {
        await admin.query('CREATE TRIGGER other AFTER UPDATE ON `Category` FOR EACH ROW UPDATE `Tag` SET name = name')
        // In a deadlock, the transaction with fewer changes is rolled back.
        const heavy = [1, 2, 3, 4, 5, 6].map((n) => `INSERT INTO Tag VALUES ('heavy${n}')`)
        await holding(['BEGIN', ...heavy, 'SELECT * FROM `Tag` FOR UPDATE'], (holder) =>
          sendRequests(orm, async () => {
            await new Promise((later) => setTimeout(later, 500))
            await holder.query('SELECT * FROM `Category` FOR UPDATE')
            await holder.query('ROLLBACK')
          }),
        )
        await admin.query('DROP TRIGGER other')
      },
      async 'serialization failure'(sendRequests) {
        const orm = client({ initSql: 'SET SESSION innodb_snapshot_isolation = ON' })
        await holding(['BEGIN', 'UPDATE `Category` SET readers = readers - 1'], (holder) =>
          sendRequests(orm, async () => {
            await new Promise((later) => setTimeout(later, 500))
            await holder.query('COMMIT')
          }),
        )
      },
    },
    async close() {
      for (const each of clients) await each.$disconnect().catch(() => undefined)
      for (const each of pools) await each.dispose().catch(() => undefined)
      await server.remove()
    },
  }
}

/** Starts a server with a maximum size for its tables. Its error is the same as for a full disk. */
async function fullDisk(programs: MariadbPrograms, tables: string, work: (port: number) => Promise<void>) {
  const flags = ['--innodb-file-per-table=0', '--innodb-data-file-path=ibdata1:12M:autoextend:max:16M']
  const server = await startMariadb({ programs, flags })
  const connection = await new PrismaMariaDb(`${server.url()}?multipleStatements=true`).connect()
  const filling = "INSERT INTO Filler VALUES (REPEAT('x', 300000))"
  try {
    const admin = connection.underlyingDriver()
    await admin.query(`
      ${tables}
      INSERT INTO Category (id, name) VALUES (1, 'one'), (2, 'two');
      CREATE TABLE Filler (bytes LONGBLOB);
      CREATE TRIGGER other AFTER UPDATE ON Category FOR EACH ROW ${filling}`)
    await until(() =>
      admin.query(filling).then(
        () => false,
        () => true,
      ),
    )
    await work(server.port)
  } finally {
    await connection.dispose()
    await server.remove()
  }
}
