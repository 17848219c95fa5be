import { readFile } from 'node:fs/promises'

import type { Engine } from './engine.js'
import { databaseName, isStale, tablesIn } from './names.js'
import { prismaClients } from './prisma.js'
import { repeatInTransaction } from './repeat.js'

/**
 * A MySQL or MariaDB server. Each suite gets its own database on it.
 * @param server the URL of any database on it. The user must be allowed to create databases.
 */
export function mysql(server: string): Engine {
  return {
    name: 'MySQL',
    provider: 'mysql',
    concurrent: true,
    async open(tables) {
      const { PrismaMariaDb } = await import('@prisma/adapter-mariadb')
      const name = databaseName()
      await onServer(server, (query) => query(`CREATE DATABASE \`${name}\``))
      const url = new URL(server)
      url.pathname = name
      const adapter = new PrismaMariaDb(url.href)
      // Scripts have several statements, which the client's own connections must not allow.
      url.searchParams.set('multipleStatements', 'true')
      const connection = await new PrismaMariaDb(url.href).connect()
      const execute = async (text: string) => {
        await connection.underlyingDriver().query(text)
      }
      const sql = await readFile(tables, 'utf8')
      await execute(sql)
      const empty = [
        'SET FOREIGN_KEY_CHECKS = 0',
        ...tablesIn(sql).map((table) => `TRUNCATE TABLE ${table}`),
        'SET FOREIGN_KEY_CHECKS = 1',
      ].join('; ')
      const { disconnect, ...clients } = prismaClients(adapter, (statements) =>
        repeatInTransaction(connection, statements),
      )
      return {
        ...clients,
        execute,
        reset: () => execute(empty),
        async close() {
          await disconnect()
          await connection.dispose()
          await onServer(server, (query) => query(`DROP DATABASE \`${name}\``))
        },
      }
    },
  }
}

/** Whether a server is MariaDB. Prisma treats it as MySQL, but it cannot load relations by joins. */
export async function isMariadb(server: string): Promise<boolean> {
  let version: unknown
  await onServer(server, async (query) => {
    version = (await query('SELECT VERSION() AS version'))[0]?.['version']
  })
  return String(version).includes('MariaDB')
}

/** Removes databases of killed test runs from the server. */
export async function sweepMysql(server: string): Promise<void> {
  await onServer(server, async (query) => {
    for (const { Database: name } of await query('SHOW DATABASES')) {
      if (typeof name === 'string' && isStale(name)) await query(`DROP DATABASE IF EXISTS \`${name}\``)
    }
  })
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>

async function onServer(server: string, work: (query: Query) => Promise<unknown>): Promise<void> {
  const { PrismaMariaDb } = await import('@prisma/adapter-mariadb')
  const connection = await new PrismaMariaDb(server).connect()
  const pool = connection.underlyingDriver()
  try {
    await work((sql) => pool.query<Record<string, unknown>[]>(sql))
  } finally {
    await connection.dispose()
  }
}
