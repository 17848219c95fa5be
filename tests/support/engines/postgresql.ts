import { readFile } from 'node:fs/promises'

import type { Engine } from './engine.js'
import { databaseName, isStale, tablesIn } from './names.js'
import { prismaClients } from './prisma.js'
import { repeatInTransaction } from './repeat.js'

/**
 * A PostgreSQL server. Each suite gets its own database on it.
 * @param server the URL of any database on it. The user must be allowed to create databases.
 */
export function postgresql(server: string): Engine {
  return {
    name: 'PostgreSQL',
    provider: 'postgresql',
    concurrent: true,
    async open(tables) {
      const { PrismaPg } = await import('@prisma/adapter-pg')
      const name = databaseName()
      await onServer(server, (query) => query(`CREATE DATABASE "${name}"`))
      const url = new URL(server)
      url.pathname = name
      const sql = await readFile(tables, 'utf8')
      const adapter = new PrismaPg({ connectionString: url.href, max: 10 })
      const connection = await adapter.connect()
      const execute = async (text: string) => {
        await connection.underlyingDriver().query(text)
      }
      await execute(sql)
      const empty = truncateAll(sql)
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
          await onServer(server, (query) => query(`DROP DATABASE "${name}" WITH (FORCE)`))
        },
      }
    },
  }
}

/** Removes databases of killed test runs from the server. */
export async function sweepPostgresql(server: string): Promise<void> {
  await onServer(server, async (query) => {
    for (const { datname } of await query('SELECT datname FROM pg_database')) {
      if (typeof datname === 'string' && isStale(datname))
        await query(`DROP DATABASE IF EXISTS "${datname}" WITH (FORCE)`)
    }
  })
}

/** Returns SQL that empties the tables of a script and resets their sequences. */
export function truncateAll(tables: string): string {
  return `TRUNCATE ${tablesIn(tables).join(', ')} RESTART IDENTITY CASCADE`
}

type Query = (sql: string) => Promise<Record<string, unknown>[]>

async function onServer(server: string, work: (query: Query) => Promise<unknown>): Promise<void> {
  const { PrismaPg } = await import('@prisma/adapter-pg')
  const connection = await new PrismaPg(server).connect()
  const pool = connection.underlyingDriver()
  try {
    await work(async (sql) => (await pool.query<Record<string, unknown>>(sql)).rows)
  } finally {
    await connection.dispose()
  }
}
