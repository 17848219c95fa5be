import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, describe, it } from 'vitest'

import { preparedFixture, type Provider, providersOf } from '../../scripts/prepare-fixtures.js'
import type { Engine, OpenDatabase, Watch } from './engines/engine.js'
import { mysql } from './engines/mysql.js'
import { pglite } from './engines/pglite.js'
import { postgresql } from './engines/postgresql.js'
import { sqlite } from './engines/sqlite.js'
import type { FixtureName, Fixtures } from './fixtures.js'
import { isLong } from './form.js'

/** A fixture on one database, with the Prisma client and the emitted routes made for it. */
export interface Database<F extends FixtureName = 'blog'> {
  /** `SQLite`, `PGlite`, `PostgreSQL` or `MySQL`. */
  readonly name: Engine['name']
  readonly provider: Provider
  /** Whether requests can truly race on it. */
  readonly concurrent: boolean
  /** The Prisma client. Its types are those for the database that the fixture's schema names. */
  readonly orm: Fixtures[F]['orm']
  /** What `client/client.ts` exports: `Prisma`, `PrismaClient` and the enums. */
  readonly client: Fixtures[F]['client']
  /** What the emitted `index.ts` exports: `RestApiHandler` and `RPCApiHandler`. */
  readonly routes: Fixtures[F]['routes']
  /** What the emitted `hono.ts` exports: `createHonoHandler`. */
  readonly hono: Fixtures[F]['hono']
  /** Empties all tables and starts their counters at 1 again. */
  reset(): Promise<void>
  /**
   * Empties the database and fills it, unless it still is as the same function filled it: most tests only read, or are refused.
   * The function runs once. After that, what it sent to the database is sent again: Prisma takes ten times as long.
   * @param rows always the same function for the same rows
   * @returns whether it had to be filled
   */
  fill(rows: (db: Pick<Database<F>, 'orm'>) => Promise<unknown>): Promise<boolean>
  /** Runs SQL as it is, outside Prisma. */
  execute(sql: string): Promise<void>
  /** The SQL that Prisma sends while `work` runs, one entry a query, without what begins and ends transactions. */
  queriesOf(work: () => Promise<unknown>): Promise<string[]>
}

/** Which databases a suite runs on. Default: all there are. */
export interface DatabaseOptions<F extends FixtureName = 'blog'> {
  /** Whose schema and routes. Default: `blog`, the one that is prepared for every database. */
  readonly fixture?: F
  readonly only?: readonly (Provider | Engine['name'])[]
  /** Only databases on which requests can truly race. */
  readonly concurrent?: boolean
}

/**
 * The suites that run on both embedded databases in the short form, because there the two are likely to differ. The long form runs every suite
 * on PGlite, unless a PostgreSQL server takes its place. `.ci/run` runs both forms.
 */
const ON_BOTH: ReadonlySet<string> = new Set([
  'REST: filter',
  'REST: included lists by joins',
  'REST: writes',
  'RPC: errors',
  'RPC: fields named like Prisma keywords',
  'RPC: filters of Json fields',
  'RPC: operations',
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
 * Runs the same tests on every database: a `describe` for each, named after the suite and the database. The database is
 * made before the first test and removed after the last; it is this suite's alone. Its members may be read inside hooks
 * and tests, not while the tests are being collected, except `name`, `provider` and `concurrent`.
 *
 *     describeDatabases('REST: create', (db) => {
 *       beforeEach(() => db.reset())
 *       it('stores what it was given', async () => { … db.orm.post.findMany() … })
 *     })
 */
export function describeDatabases<F extends FixtureName = 'blog'>(
  name: string,
  suite: (db: Database<F>) => void,
  options: DatabaseOptions<F> = {},
): void {
  const fixture: FixtureName = options.fixture ?? 'blog'
  const providers = providersOf(fixture)
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

/** A file without a test would fail where its servers are not there. */
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
  /** What filled the database, until something may have been written. */
  let filledBy: unknown
  /** What writes the rows of a function once more, by the function. */
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
  const [client, routes, hono] = await Promise.all([
    // Every client is made like the blog's, only for other models.
    load('client/client.ts') as Promise<Fixtures['blog']['client']>,
    load('expected/index.ts'),
    load('expected/hono.ts'),
  ])
  const database = await engine.open(prepared.tables)
  const orm = database.client(client.PrismaClient, {}, watch)
  const modules: unknown = { orm, client, routes, hono }
  return { database, modules: modules as Fixtures[F] }
}
