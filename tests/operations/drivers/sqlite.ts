import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

import { PrismaLibSql } from '@prisma/adapter-libsql'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import Libsql from 'libsql'

import { ROOT } from '../../../scripts/prepare-fixtures.js'
import { freePort } from '../../support/servers/programs.js'
import { type Blog, type Driver, fillBlog, type Orm, type World } from './driver.js'
import { watched } from './watch-statements.js'
import { createDatabaseFolder } from '../../support/database-folder.js'

/** A SQLite driver and its adapter. */
interface Sqlite {
  readonly adapterOf: (options: { readonly url: string; readonly timeout?: number }) => SqlDriverAdapterFactory
  /** Protocols for servers, if the driver supports servers. */
  readonly remotes?: readonly string[]
  /** Opens another connection with the same driver, because two copies of SQLite in one process do not see each other's locks. */
  readonly Database: new (file: string) => { exec(sql: string): unknown; close(): unknown }
}

/** SQLite in a file, with `@prisma/adapter-libsql`. */
export const libsqlDriver: Driver = {
  name: '@prisma/adapter-libsql',
  provider: 'sqlite',
  open(blog) {
    // Without this mode, the driver rejects the large numbers of the blog.
    const adapterOf = (options: { readonly url: string }) => new PrismaLibSql({ ...options, intMode: 'bigint' })
    return open(blog, { adapterOf, Database: Libsql, remotes: ['http', 'ws'] })
  },
}

const betterSqlite3 = findBetterSqlite3()

/** SQLite in a file, with `@prisma/adapter-better-sqlite3`. */
export const betterSqlite3Driver: Driver = {
  name: '@prisma/adapter-better-sqlite3',
  provider: 'sqlite',
  open: betterSqlite3 && ((blog) => open(blog, betterSqlite3)),
}

async function open(
  { client: { PrismaClient }, tables }: Blog,
  { adapterOf, Database, remotes = [] }: Sqlite,
): Promise<World> {
  const folder = await createDatabaseFolder()
  const url = `file:${join(folder, 'test.db')}`
  const other = new Database(join(folder, 'test.db'))
  other.exec(`PRAGMA journal_mode = WAL; ${tables}`)
  const clients: Orm[] = []
  const clientOf = (adapter: SqlDriverAdapterFactory): Orm => {
    const orm = new PrismaClient({ adapter })
    clients.push(orm)
    return orm
  }
  const client = (options: object = {}) => clientOf(adapterOf({ url, ...options }))
  const orm = client()
  await fillBlog(orm)
  return {
    orm,
    scenes: {
      async 'connection refused'(sendRequests) {
        await sendRequests(client({ url: `file:${join(folder, 'nowhere/test.db')}` }))
        for (const protocol of remotes)
          await sendRequests(client({ url: `${protocol}://127.0.0.1:${await freePort()}` }))
      },
      async 'lock timeout'(sendRequests) {
        const orm = client({ timeout: 300 })
        await orm.category.count()
        other.exec('BEGIN IMMEDIATE')
        await sendRequests(orm)
        other.exec('ROLLBACK')
      },
      async 'read-only'(sendRequests) {
        const orm = client()
        await orm.$executeRawUnsafe('PRAGMA query_only = ON')
        await sendRequests(orm)
      },
      async 'disk full'(sendRequests) {
        other.exec(`
          CREATE TABLE filler (bytes BLOB);
          CREATE TRIGGER other AFTER UPDATE ON Category BEGIN INSERT INTO filler VALUES (zeroblob(1000000)); END`)
        const orm = client()
        await orm.$queryRawUnsafe('PRAGMA max_page_count = 40')
        await sendRequests(orm)
        other.exec('DROP TRIGGER other; DROP TABLE filler')
      },
      async 'serialization failure'(sendRequests) {
        let isDone = false
        // Another connection changes the rows after the transaction has read them, and before it writes.
        const before = (sql: string) => {
          if (isDone || !/^\s*UPDATE/i.test(sql)) return
          isDone = true
          other.exec('UPDATE Tag SET name = name')
        }
        await sendRequests(clientOf(watched(adapterOf({ url }), { before })))
        if (!isDone) throw new Error('Nothing came in between.')
      },
    },
    async close() {
      for (const each of clients) await each.$disconnect().catch(() => undefined)
      other.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Finds the driver, which is not a dependency because it compiles native code. It is installed in a folder of the
 * benchmark, or in `BETTER_SQLITE3`.
 */
function findBetterSqlite3(): Sqlite | undefined {
  const folder = process.env['BETTER_SQLITE3'] ?? join(ROOT, 'bench/better-sqlite3')
  try {
    const require = createRequire(resolve(folder, 'package.json'))
    const { PrismaBetterSqlite3 } = require('@prisma/adapter-better-sqlite3') as {
      readonly PrismaBetterSqlite3: new (options: object) => SqlDriverAdapterFactory
    }
    const Database = require('better-sqlite3') as Sqlite['Database']
    // This loads the native module, which fits only one version of Node.
    new Database(':memory:').close()
    return { adapterOf: (options) => new PrismaBetterSqlite3(options), Database }
  } catch {
    console.log(`better-sqlite3 is not installed in ${folder} for Node ${process.version}: its faults are left out`)
    return undefined
  }
}
