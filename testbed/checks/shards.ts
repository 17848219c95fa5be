import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { PrismaPg } from '@prisma/adapter-pg'

import type * as Shards from '../../fixtures/shards/client/client.js'
import type * as Adapter from '../../fixtures/shards/expected/hono.js'
import type * as Routes from '../../fixtures/shards/expected/index.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { fillShards, REST_REQUESTS, RPC_REQUESTS } from '../../tests/operations/support/shards.js'
import { type PostgresServer, startPostgres } from '../../tests/support/servers/postgres-server.js'
import { runSql, type Cleanup, recordStatements, toUrl } from '../cluster.js'
import type { Finding } from '../report.js'

const TABLES = ['Writer', 'Article', 'Remark', 'Tag', 'Tagging']
const DATABASE = 'shards'

/**
 * Checks that requests for one tenant run no statement on the cluster of another one. The rows of each tenant are in a partition on a
 * separate cluster, connected with postgres_fdw.
 */
export async function shards(programs: string, cleanup: Cleanup): Promise<Finding> {
  const [coordinator, first, second] = await Promise.all(
    ['front', 'first', 'second'].map(async (name) => {
      const server = await startPostgres({ programs, conf: ["log_line_prefix = '%a|'", `cluster_name = '${name}'`] })
      cleanup.push(() => server.remove())
      await runSql(server.url(), `CREATE DATABASE ${DATABASE}`)
      return server
    }),
  )
  if (!coordinator || !first || !second) throw new Error('There are no clusters.')
  const { folder, tables } = preparedFixture('shards', 'postgresql')
  const sql = await readFile(tables, 'utf8')
  for (const shard of [first, second]) await runSql(toUrl(shard, DATABASE), sql)
  await runSql(toUrl(coordinator, DATABASE), createPartitions(sql, [first, second]))

  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href)
  const { PrismaClient } = (await load('client/client.ts')) as typeof Shards
  const { RestApiHandler, RPCApiHandler } = (await load('expected/index.ts')) as typeof Routes
  const { createHonoHandler } = (await load('expected/hono.ts')) as typeof Adapter
  const orm = new PrismaClient({
    adapter: new PrismaPg({ connectionString: toUrl(coordinator, DATABASE), application_name: 'shards', max: 5 }),
  })
  await fillShards({ orm })
  const failures: string[] = []
  const rows: (readonly [string, string])[] = []
  for (const [style, handler, requests] of [
    ['REST', RestApiHandler({ endpoint: 'http://shards.example/api' }), REST_REQUESTS],
    ['RPC', RPCApiHandler(), RPC_REQUESTS],
  ] as const) {
    const app = createHonoHandler({ getOrm: () => orm, handler, prefix: '/api' })
    const [, firstStatements = [], secondStatements = []] = await recordStatements(
      [coordinator, first, second],
      async () => {
        for (const { method, path, body, status } of requests) {
          const headers = { 'Content-Type': 'application/json' }
          const init = { method, ...(body && { body: JSON.stringify(body), headers }) }
          const response = await app.fetch(new Request(`http://localhost/api${path}`, init))
          if (response.status !== status)
            failures.push(`${method} ${decodeURIComponent(path)}: ${response.status} ${await response.text()}`)
        }
      },
    )
    const unexpected = secondStatements.filter((sql) => TABLES.some((table) => sql.includes(`"${table}"`)))
    rows.push([
      `${requests.length} ${style} requests`,
      `${firstStatements.length} statements on the tenant’s cluster, ${unexpected.length} on the other one`,
    ])
    failures.push(...unexpected.map((sql) => `${style}: ${sql}`))
  }
  await orm.$disconnect()
  return {
    title: 'Sharding by tenant',
    description:
      'Every id begins with the tenant (`@@id([tenantId, id])`). The tables are partitioned by tenant, and each partition is a table of another ' +
      'cluster that is connected with postgres_fdw. All requests are for one tenant. Neither Debian 12 nor npm has packages of Citus or CockroachDB.',
    rows,
    failures,
  }
}

/** Returns the SQL for the front cluster: tables partitioned by tenant, with each partition on another cluster. */
function createPartitions(sql: string, servers: readonly PostgresServer[]): string {
  const tables = [...sql.matchAll(/CREATE TABLE "(\w+)" \(([\s\S]*?)\n\);/g)].map(([, name = '', columns = '']) => {
    // PostgreSQL does not support keys on tables with foreign partitions. The remote tables have them.
    const plain = columns.replace(/,\s*CONSTRAINT [^\n]*/g, '')
    const parts = servers.map(
      (_, at) => `CREATE FOREIGN TABLE "${name}_${at + 1}" PARTITION OF "${name}" FOR VALUES IN (${at + 1})
        SERVER shard_${at + 1} OPTIONS (table_name '${name}');`,
    )
    return `CREATE TABLE "${name}" (${plain}) PARTITION BY LIST ("tenantId"); ${parts.join('\n')}`
  })
  const reached = servers.map(
    ({ port }, at) => `CREATE SERVER shard_${at + 1} FOREIGN DATA WRAPPER postgres_fdw
      OPTIONS (host '127.0.0.1', port '${port}', dbname '${DATABASE}');
      CREATE USER MAPPING FOR postgres SERVER shard_${at + 1} OPTIONS (user 'postgres');`,
  )
  return ['CREATE EXTENSION postgres_fdw;', ...reached, ...tables].join('\n')
}
