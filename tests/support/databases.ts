import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, it } from 'vitest'

import { preparedFixture, type Provider, listProviders } from '../../scripts/prepare-fixtures.js'
import type { Engine, OpenDatabase, Watch } from './engines/engine.js'
import { mysql } from './engines/mysql.js'
import { pglite } from './engines/pglite.js'
import { postgresql } from './engines/postgresql.js'
import { sqlite } from './engines/sqlite.js'
import type { FixtureName, Fixtures } from './fixtures.js'
import { isLong } from './form.js'

/** A fixture on one database, with its Prisma client and its emitted routes. */
export interface Database<F extends FixtureName = 'blog'> {
  /** `SQLite`, `PGlite`, `PostgreSQL` or `MySQL`. */
  readonly name: Engine['name']
  readonly provider: Provider
  /** Whether several connections can write concurrently. */
  readonly concurrent: boolean
  /** The Prisma client, with the types for the database in the fixture's schema. */
  readonly orm: Fixtures[F]['orm']
  /** The exports of `client/client.ts`: `Prisma`, `PrismaClient` and the enums. */
  readonly client: Fixtures[F]['client']
  /** The exports of the emitted `index.ts`, `custom-routes.ts`, `computed.ts` and `descriptions.ts`: `RestApiHandler` and so on. */
  readonly routes: Fixtures[F]['routes']
  /** The exports of the emitted `hono.ts`: `createHonoHandler`. */
  readonly hono: Fixtures[F]['hono']
  /** Empties all tables and resets their counters to 1. */
  reset(): Promise<void>
  /**
   * Empties and fills the database, unless it is unchanged since the same function filled it. Most tests do not write. The
   * function runs once. Later fills repeat its SQL statements, which is ten times as fast as Prisma.
   * @param rows must be the same function for the same rows
   * @returns whether the database had to be filled
   */
  fill(rows: (db: Pick<Database<F>, 'orm'>) => Promise<unknown>): Promise<boolean>
  /** Runs SQL unchanged, outside Prisma. */
  execute(sql: string): Promise<void>
  /** Returns the SQL queries that Prisma sends while `work` runs, without the start and end of transactions. */
  queriesOf(work: () => Promise<unknown>): Promise<string[]>
}

/** The databases that a suite runs on. Default: all available databases. */
export interface DatabaseOptions<F extends FixtureName = 'blog'> {
  /** The fixture with the schema and the routes. Default: `blog`, which is prepared for every database. */
  readonly fixture?: F
  readonly only?: readonly (Provider | Engine['name'])[]
  /** Only databases on which several connections can write concurrently. */
  readonly concurrent?: boolean
}

/**
 * The suites that run on both embedded databases in the short form, because the two are likely to differ there. The long
 * form runs every suite on PGlite if no PostgreSQL server is configured. `.ci/run` runs both forms.
 */
const ON_BOTH: ReadonlySet<string> = new Set([
  'contract: filters',
  'REST: included lists by joins',
  'contract: writes',
  'contract: database errors',
  'statuses of database errors',
  'policy: rule on a nullable Json field',
])

const { TEST_POSTGRES_URL, TEST_MYSQL_URL } = process.env

const ENGINES: readonly Engine[] = [
  sqlite,
  pglite,
  ...(TEST_POSTGRES_URL ? [postgresql(TEST_POSTGRES_URL)] : []),
  ...(TEST_MYSQL_URL ? [mysql(TEST_MYSQL_URL)] : []),
]

/**
 * Runs the same tests on every database, in one `describe` per database. Each suite has its own database, which is created before its
 * first test and removed after the last one. The members of the database are available in hooks and tests. While tests are collected,
 * only `name`, `provider` and `concurrent` are.
 *
 *     describeDatabases('REST: create', (db) => {
 *       beforeEach(() => db.reset())
 *       it('stores the given values', async () => { … db.orm.post.findMany() … })
 *     })
 */
export function describeDatabases<F extends FixtureName = 'blog'>(
  name: string,
  suite: (db: Database<F>) => void,
  options: DatabaseOptions<F> = {},
): void {
  const fixture: FixtureName = options.fixture ?? 'blog'
  const providers = listProviders(fixture)
  const engines = ENGINES.filter((engine) => {
    if (!providers.includes(engine.provider) || (options.concurrent && !engine.concurrent)) return false
    return !options.only || options.only.some((wanted) => wanted === engine.name || wanted === engine.provider)
  })
  const usePglite = isLong ? engines.every((engine) => engine.name !== 'PostgreSQL') : ON_BOTH.has(name)
  const quick = engines.filter((engine) => engine.name !== 'PGlite' || usePglite)
  if (engines.length === 0) leaveOut(name)
  for (const engine of quick.length > 0 ? quick : engines) {
    describe(`${name} [${engine.name}]`, () => {
      suite(useDatabase<F>(engine, fixture))
    })
  }
}

/** Adds a skipped test, because a file without tests fails. */
function leaveOut(name: string): void {
  it.runIf(false)(`${name}: skipped because no matching database is available`, () => undefined)
}

interface Opened<F extends FixtureName> {
  readonly database: OpenDatabase
  readonly modules: Fixtures[F]
}

function useDatabase<F extends FixtureName>(engine: Engine, fixture: string): Database<F> {
  let current: Opened<F> | undefined
  const queries: string[] = []
  /** The function that filled the database. Undefined after a possible write. */
  let filledBy: unknown
  /** Repeats the writes of a function, by function. */
  const writes = new Map<unknown, () => Promise<void>>()
  const watch: Watch = {
    query: (sql) => queries.push(sql),
    write() {
      filledBy = undefined
    },
  }

  beforeAll(async () => {
    current = await open(engine, fixture, watch)
  })
  afterAll(async () => {
    await current?.database.close()
    current = undefined
  })

  function opened(): Opened<F> {
    if (!current) throw new Error('The database is open inside hooks and tests only.')
    return current
  }
  async function reset(): Promise<void> {
    filledBy = undefined
    await opened().database.reset()
  }
  return {
    name: engine.name,
    provider: engine.provider,
    concurrent: engine.concurrent,
    get orm() {
      return opened().modules.orm
    },
    get client() {
      return opened().modules.client
    },
    get routes() {
      return opened().modules.routes
    },
    get hono() {
      return opened().modules.hono
    },
    reset,
    async fill(rows) {
      if (filledBy === rows) return false
      await reset()
      const replay = writes.get(rows)
      if (replay) await replay()
      else writes.set(rows, await opened().database.record(() => rows({ orm: opened().modules.orm })))
      filledBy = rows
      return true
    },
    async execute(sql) {
      filledBy = undefined
      await opened().database.execute(sql)
    },
    async queriesOf(work) {
      queries.length = 0
      await work()
      return queries.filter((query) => !/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET TRANSACTION)\b/i.test(query))
    },
  }
}

async function open<F extends FixtureName>(engine: Engine, fixture: string, watch: Watch): Promise<Opened<F>> {
  const prepared = preparedFixture(fixture, engine.provider)
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(prepared.folder, path)).href)
  const [client, hono, ...routes] = await Promise.all([
    // Every client has the same shape as the blog's, with other models.
    load('client/client.ts') as Promise<Fixtures['blog']['client']>,
    load('expected/hono.ts'),
    load('expected/index.ts'),
    load('expected/custom-routes.ts'),
    load('expected/computed.ts'),
    load('expected/descriptions.ts'),
  ])
  const database = await engine.open(prepared.tables)
  const orm = database.client(client.PrismaClient, {}, watch)
  const modules: unknown = { orm, client, routes: Object.assign({}, ...routes), hono }
  return { database, modules: modules as Fixtures[F] }
}
