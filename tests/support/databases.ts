import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe } from 'vitest'

import type * as BlogClient from '../../fixtures/blog/client/client.js'
import type * as BlogHono from '../../fixtures/blog/expected/hono.js'
import type * as BlogRoutes from '../../fixtures/blog/expected/index.js'
import { preparedFixture, type Provider } from '../../scripts/prepare-fixtures.js'
import type { Engine, OpenDatabase } from './engines/engine.js'
import { mysql } from './engines/mysql.js'
import { pglite } from './engines/pglite.js'
import { postgresql } from './engines/postgresql.js'
import { sqlite } from './engines/sqlite.js'

/** The blog on one database, with the Prisma client and the emitted routes made for it. */
export interface Database {
  /** `SQLite`, `PGlite`, `PostgreSQL` or `MySQL`. */
  readonly name: Engine['name']
  readonly provider: Provider
  /** Whether requests can truly race on it. */
  readonly concurrent: boolean
  /** The Prisma client. Types are those of SQLite, which are the narrowest but for MySQL's missing `…AndReturn`. */
  readonly orm: BlogClient.PrismaClient
  /** What the emitted `client/client.ts` exports: `Prisma`, `PrismaClient` and the enums. */
  readonly client: typeof BlogClient
  /** What the emitted `index.ts` exports: `RestApiHandler` and `RPCApiHandler`. */
  readonly routes: typeof BlogRoutes
  /** What the emitted `hono.ts` exports: `createHonoHandler`. */
  readonly hono: typeof BlogHono
  /** Empties all tables and starts their counters at 1 again. */
  reset(): Promise<void>
  /** Runs SQL as it is, outside Prisma. */
  execute(sql: string): Promise<void>
  /** The SQL that Prisma sends while `work` runs, one entry a query, without what begins and ends transactions. */
  queriesOf(work: () => Promise<unknown>): Promise<string[]>
}

/** Which databases a suite runs on. Default: all there are. */
export interface DatabaseOptions {
  readonly only?: readonly (Provider | Engine['name'])[]
  /** Only databases on which requests can truly race. */
  readonly concurrent?: boolean
}

const { TEST_POSTGRES_URL, TEST_MYSQL_URL } = process.env

const ENGINES: readonly Engine[] = [
  sqlite,
  pglite,
  ...(TEST_POSTGRES_URL ? [postgresql(TEST_POSTGRES_URL)] : []),
  ...(TEST_MYSQL_URL ? [mysql(TEST_MYSQL_URL)] : []),
]

/**
 * Runs the same tests on every database: a `describe` for each, named after the suite and the database. The database is
 * made before the first test and removed after the last; it is this suite's alone. Its members may be read inside hooks
 * and tests, not while the tests are being collected, except `name`, `provider` and `concurrent`.
 *
 *     describeDatabases('REST: create', (db) => {
 *       beforeEach(() => db.reset())
 *       it('stores what it was given', async () => { … db.orm.post.findMany() … })
 *     })
 */
export function describeDatabases(name: string, suite: (db: Database) => void, options: DatabaseOptions = {}): void {
  for (const engine of ENGINES) {
    if (options.only && !options.only.some((wanted) => wanted === engine.name || wanted === engine.provider)) continue
    if (options.concurrent && !engine.concurrent) continue
    describe(`${name} [${engine.name}]`, () => suite(useDatabase(engine)))
  }
}

interface Opened {
  readonly database: OpenDatabase
  readonly orm: BlogClient.PrismaClient
  readonly client: typeof BlogClient
  readonly routes: typeof BlogRoutes
  readonly hono: typeof BlogHono
}

function useDatabase(engine: Engine): Database {
  let current: Opened | undefined
  const queries: string[] = []

  beforeAll(async () => {
    current = await open(engine, queries)
  })
  afterAll(async () => {
    await current?.orm.$disconnect()
    await current?.database.close()
    current = undefined
  })

  function opened(): Opened {
    if (!current) throw new Error('The database is open inside hooks and tests only.')
    return current
  }
  return {
    name: engine.name,
    provider: engine.provider,
    concurrent: engine.concurrent,
    get orm() {
      return opened().orm
    },
    get client() {
      return opened().client
    },
    get routes() {
      return opened().routes
    },
    get hono() {
      return opened().hono
    },
    reset: () => opened().database.reset(),
    execute: (sql) => opened().database.execute(sql),
    async queriesOf(work) {
      queries.length = 0
      await work()
      return queries.filter((query) => !/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET TRANSACTION)\b/i.test(query))
    },
  }
}

async function open(engine: Engine, queries: string[]): Promise<Opened> {
  const prepared = preparedFixture('blog', engine.provider)
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(prepared.folder, path)).href)
  const [client, routes, hono] = await Promise.all([
    // What lies there is made from the same schema for another database: it has the same exports.
    load('client/client.ts') as Promise<typeof BlogClient>,
    load('expected/index.ts') as Promise<typeof BlogRoutes>,
    load('expected/hono.ts') as Promise<typeof BlogHono>,
  ])
  const database = await engine.open(prepared.tables)
  const orm = new client.PrismaClient({ adapter: database.adapter, log: [{ emit: 'event', level: 'query' }] })
  orm.$on('query', (event) => queries.push(event.query))
  return { database, orm, client, routes, hono }
}
