import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Database from 'libsql'
import pg from 'pg'

import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { DatabaseTarget } from './types.js'
import { fillStatements, type Shape } from './rows.js'

/**
 * Opens the databases: SQLite files, and a PostgreSQL server if there is one. Fills them unless a previous run has.
 * @param server the URL of a PostgreSQL server whose user may create databases
 */
export async function openDatabases(server: string | undefined, seconds: number): Promise<readonly DatabaseTarget[]> {
  const targets: DatabaseTarget[] = []
  for (const shape of ['even', 'skewed'] as const) {
    targets.push({ provider: 'sqlite', shape, url: `file:${sqliteFile(shape)}` })
    if (server !== undefined)
      targets.push({ provider: 'postgresql', shape, url: await postgresUrl(server, shape, seconds) })
  }
  return targets
}

/** Returns the statements that fill a database, and a name that changes with them. */
function createFillPlan(provider: DatabaseTarget['provider'], shape: Shape) {
  const statements = [
    readFileSync(preparedFixture('blog', provider).tables, 'utf8'),
    ...fillStatements(provider, shape),
  ]
  const hash = createHash('sha256').update(statements.join('\n')).digest('hex').slice(0, 12)
  return { statements, name: `worst_${shape}_${hash}` }
}

function sqliteFile(shape: Shape): string {
  const { statements, name } = createFillPlan('sqlite', shape)
  const folder = join(tmpdir(), 'routewright-bench')
  const file = join(folder, `${name}.db`)
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const unfinished = `${file}.${process.pid}`
  const database = new Database(unfinished)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN')
  for (const statement of statements) database.exec(statement)
  database.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  renameSync(unfinished, file)
  return file
}

async function postgresUrl(server: string, shape: Shape, seconds: number): Promise<string> {
  const { statements, name } = createFillPlan('postgresql', shape)
  const database = `routewright_${name}`
  const url = new URL(server)
  await withClient(server, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])
    if (rowCount) return
    const unfinished = `${database}_${process.pid}`
    await client.query(`CREATE DATABASE "${unfinished}"`)
    url.pathname = unfinished
    await withClient(url.href, async (filled) => {
      for (const statement of ['SET synchronous_commit = off', ...statements]) await filled.query(statement)
      await filled.query('VACUUM (ANALYZE)')
    })
    await client.query(`ALTER DATABASE "${unfinished}" RENAME TO "${database}"`)
  })
  url.pathname = database
  // The timeout ends queries whose client process was killed. Without parallel workers, the backend's CPU time covers the whole query.
  url.searchParams.set('options', `-c statement_timeout=${seconds * 1000} -c max_parallel_workers_per_gather=0`)
  return url.href
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
