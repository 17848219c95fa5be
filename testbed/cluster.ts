import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

import { Client } from 'pg'

import { seed } from '../fixtures/blog/seed.js'
import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { type Pgbouncer, startPgbouncer } from '../tests/support/servers/pgbouncer.js'
import { type PostgresServer, startPostgres } from '../tests/support/servers/postgres-server.js'
import { type Proxy, startProxy } from '../tests/support/servers/proxy.js'
import { createClient } from './client.js'
import { type AppProcess, startApp } from './processes.js'

/** Replay delay of the delayed replica, in milliseconds. */
export const DELAY_MS = 1500

/** The name of the blog's database. */
export const BLOG = 'blog'

/** The servers and processes under test. */
export interface Cluster {
  readonly primary: PostgresServer
  /** The synchronous replica: receives each write before the primary confirms it. */
  readonly synchronous: PostgresServer
  /** Applies writes only after {@link DELAY_MS}. */
  readonly delayed: PostgresServer
  /** The proxy between the processes and the primary. */
  readonly proxy: Proxy
  /** PgBouncer in front of the primary, if it is installed. */
  readonly pooler: Pgbouncer | undefined
  /** Four processes of the blog that write to the primary and read from the delayed replica. */
  readonly apps: readonly AppProcess[]
}

/** The installed programs. */
export interface Programs {
  readonly postgres: string
  readonly pgbouncer: string | undefined
}

/** Returns the URL of a database on a local port. */
export function toUrl({ port }: { readonly port: number }, database = BLOG): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}

/** Runs SQL on a server over a new connection. */
export async function runSql(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Returns the number that a query selects. */
export async function numberOf(url: string, sql: string): Promise<number> {
  const [row] = await runSql(url, sql)
  return Number(Object.values(row ?? {})[0])
}

/** Functions that release resources at the end, called in reverse order. */
export type Cleanup = (() => Promise<void>)[]

/** Starts all servers and processes. */
export async function startCluster({ postgres, pgbouncer }: Programs, cleanup: Cleanup): Promise<Cluster> {
  const startServer = async (
    options: Omit<Parameters<typeof startPostgres>[0], 'programs'>,
  ): Promise<PostgresServer> => {
    const server = await startPostgres({ ...options, programs: postgres })
    cleanup.push(() => server.remove())
    return server
  }
  const log = ["log_line_prefix = '%a|'", "log_statement = 'none'"]
  const primary = await startServer({ conf: [...log, "cluster_name = 'primary'", 'wal_keep_size = 512MB'] })
  await runSql(primary.url(), `CREATE DATABASE ${BLOG}`)
  await runSql(toUrl(primary), await readFile(preparedFixture('blog', 'postgresql').tables, 'utf8'))
  const orm = await createClient({ url: toUrl(primary), name: 'seed' })
  await seed(orm)
  await orm.$disconnect()
  const synchronous = await startServer({ conf: [...log, "cluster_name = 'synchronous'"], standbyOf: primary })
  const delayed = await startServer({
    conf: [...log, "cluster_name = 'delayed'", `recovery_min_apply_delay = ${DELAY_MS}`],
    standbyOf: primary,
  })
  await primary.configure(["synchronous_standby_names = 'synchronous'"])
  await primary.reload()
  const proxy = await startProxy({ to: primary.port })
  cleanup.push(() => proxy.close())
  const pooler = pgbouncer === undefined ? undefined : await startPgbouncer({ program: pgbouncer, to: primary.port })
  if (pooler) cleanup.push(() => pooler.remove())
  const apps = await Promise.all(
    [1, 2, 3, 4].map((n) => startApp({ name: `app-${n}`, primary: toUrl(proxy), replica: toUrl(delayed) })),
  )
  cleanup.push(async () => {
    await Promise.all(apps.map((app) => app.stop()))
  })
  return { primary, synchronous, delayed, proxy, pooler, apps }
}

/** Waits until a replica has replayed all writes of the primary. */
export async function waitForReplica(primary: PostgresServer, replica: PostgresServer): Promise<void> {
  const [row] = await runSql(primary.url(), 'SELECT pg_current_wal_lsn()::text AS lsn')
  const caughtUpSql = `SELECT (pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}'::pg_lsn)::int`
  for (let attempt = 0; attempt < 300; attempt++) {
    if ((await numberOf(replica.url(), caughtUpSql)) === 1) return
    await wait(100)
  }
  throw new Error('The replica does not follow.')
}

/** Returns the statements that the app's processes sent to each server during `work`, from the servers' logs. */
export async function recordStatements(
  servers: readonly PostgresServer[],
  work: () => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const setLogging = async (mode: 'all' | 'none') => {
    for (const server of servers) {
      await server.configure([`log_statement = '${mode}'`])
      await server.reload()
    }
    // Each connection reloads its configuration separately.
    await wait(300)
  }
  await setLogging('all')
  const before = await Promise.all(servers.map(async (server) => (await server.log()).length))
  await work()
  await setLogging('none')
  const logs = await Promise.all(servers.map((server) => server.log()))
  return logs.map((log, at) => {
    const lines = log.slice(before[at]).split('\n')
    return lines.flatMap((line) => {
      const [, name = '', sql = ''] = /^([^|]*)\|LOG: {2}(?:execute [^:]*|statement): (.*)$/.exec(line) ?? []
      return sql === '' || !/^(app|shards|postgres_fdw)/.test(name) ? [] : [sql]
    })
  })
}
