import pg from 'pg'

import type { DataSet } from './data-set.js'
import { hex, insertStatements, quoted, SIZES, type Value } from './rows.js'

const PREFIX = 'routewright_bench_'

/**
 * Creates a data set on a PostgreSQL server. It is filled once into a permanent database, and each run uses a copy. Both use asynchronous
 * commits, because disk speed is not measured.
 * @param server the URL of any database on the server, whose user may create databases
 */
export function postgresql(server: string): DataSet {
  return {
    provider: 'postgresql',
    async open(tables, key) {
      const databaseName = `${PREFIX}${key}`
      const name = `${databaseName}_run_${process.pid}`
      await withClient(server, async (client) => {
        const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database')
        const names = rows.map(({ datname }) => datname).filter((other) => other.startsWith(PREFIX))
        for (const stale of names) if (!stale.startsWith(databaseName)) await client.query(dropDatabase(stale))
        if (!names.includes(databaseName)) await fillDatabase(client, server, databaseName, tables)
        await client.query(`CREATE DATABASE "${name}" TEMPLATE "${databaseName}"`)
        await client.query(`ALTER DATABASE "${name}" SET synchronous_commit = off`)
      })
      return {
        url: toUrl(server, name),
        close: () => withClient(server, async (client) => void (await client.query(dropDatabase(name)))),
      }
    },
  }
}

async function fillDatabase(server: pg.Client, url: string, name: string, tables: string): Promise<void> {
  const unfinished = `${name}_unfinished_${process.pid}`
  await server.query(`CREATE DATABASE "${unfinished}"`)
  await withClient(toUrl(url, unfinished), async (client) => {
    await client.query(`SET synchronous_commit = off; ${tables}`)
    await client.query('BEGIN')
    for (const statement of insertStatements(literal)) await client.query(statement)
    for (const [table, size] of Object.entries(SIZES)) {
      await client.query(`SELECT setval(pg_get_serial_sequence('"${table}"', 'id'), ${size})`)
    }
    await client.query('COMMIT')
    await client.query('VACUUM (ANALYZE)')
  })
  await server.query(`ALTER DATABASE "${unfinished}" RENAME TO "${name}"`)
}

function literal(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return quoted(value.toISOString().replace('Z', ''))
  if (value instanceof Uint8Array) return `'\\x${hex(value)}'`
  return quoted(JSON.stringify(value.json))
}

function dropDatabase(name: string): string {
  return `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`
}

function toUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = name
  return url.href
}

async function withClient(url: string, callback: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await callback(client)
  } finally {
    await client.end()
  }
}
