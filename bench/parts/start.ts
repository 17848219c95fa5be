import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { build } from 'esbuild'
import Database from 'libsql'

import { ROOT } from '../../scripts/prepare-fixtures.js'
import { spread } from '../measure.js'
import type { Options } from '../options.js'
import { prepareLarge } from '../prepare/large.js'
import type { StartRow } from '../report/results.js'
import { runProgram } from '../run/program.js'
import type { Started } from '../start/first-responses.js'

const MODELS = [6, 10, 50, 100, 500]
const STARTS = 31
const APPS = ['bare', 'routes'] as const
const PACKAGINGS = ['installed', 'bundled'] as const

/**
 * Measures the time from process start to the first response, for schemas of several sizes. Compares the generated routes with a bare Hono
 * app that has the same Prisma client and one route. The row is read from SQLite.
 */
export async function measureStarts({ models = MODELS, runs = STARTS }: Options): Promise<readonly StartRow[]> {
  const rows: StartRow[] = []
  for (const count of models) {
    const project = prepareLarge(count, 'sqlite')
    try {
      const database = createDatabase(project.folder)
      rows.push(...(await measure(count, project.folder, project.delegates[0] ?? '', database, runs)))
    } finally {
      rmSync(project.folder, { recursive: true, force: true })
    }
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  return rows
}

/** Creates an SQLite file with a row of the first model. */
function createDatabase(folder: string): string {
  const creator = join(ROOT, 'scripts/create-tables.ts')
  execFileSync(process.execPath, ['--import', 'tsx', creator, join(folder, 'schema.prisma'), folder], { cwd: ROOT })
  const file = join(folder, 'start.db')
  const database = new Database(file)
  const tables = readFileSync(join(folder, 'tables.sql'), 'utf8')
  database.exec(tables)
  const [, table = ''] = /CREATE TABLE "(\w+)"/.exec(tables) ?? []
  database.exec(`INSERT INTO "${table}" ("id", "name") VALUES (1, 'First')`)
  database.close()
  return `file:${file}`
}

async function measure(
  models: number,
  folder: string,
  delegate: string,
  url: string,
  starts: number,
): Promise<readonly StartRow[]> {
  const apps = []
  for (const packaging of PACKAGINGS) {
    const outdir = join(ROOT, 'bench/.build/start', `${models}-${packaging}`)
    mkdirSync(outdir, { recursive: true })
    for (const app of APPS) {
      await build({
        stdin: { contents: source(app, delegate), resolveDir: folder, loader: 'ts' },
        outfile: join(outdir, `${app}.js`),
        bundle: true,
        minify: packaging === 'bundled',
        format: 'esm',
        platform: 'node',
        target: 'node20',
        logLevel: 'warning',
        // With external packages, the built runtime is used, as in an app that installs it. Drivers are native and cannot be bundled.
        ...(packaging === 'installed'
          ? { packages: 'external', tsconfigRaw: {} }
          : { external: ['@prisma/adapter-libsql', '@prisma/client'] }),
      })
      apps.push({ packaging, app, outdir, started: [] as Started[] })
    }
  }
  for (let round = 0; round < starts; round++) {
    // Interleaved, so that other load on the machine affects all apps equally.
    for (const { app, outdir, started } of apps) {
      started.push(JSON.parse(await runProgram(outdir, app, [url])) as Started)
    }
  }
  return apps.map(({ packaging, app, started }) => {
    const times = (metric: keyof Started) => spread(started.map((one) => one[metric]))
    return {
      models,
      packaging,
      app,
      loaded: times('loaded'),
      firstResponseMs: times('firstResponseMs'),
      cpu: times('cpu'),
    }
  })
}

/** Returns the source of an app. Both open the same client, and read the same row for the first response. */
function source(app: (typeof APPS)[number], delegate: string): string {
  const type = delegate.toLowerCase()
  const routes = {
    bare: {
      imports: '',
      mount: `app.get('/rest/${type}/:id', async (c) => c.json(await orm.${delegate}.findUnique({ where: { id: Number(c.req.param('id')) } })))`,
    },
    routes: {
      imports: `import { createHonoHandler } from './routes/hono.js'
        import { RestApiHandler, RPCApiHandler } from './routes/index.js'`,
      mount: `app.route('/rest', createHonoHandler({ getOrm: () => orm, handler: RestApiHandler({ endpoint: 'http://localhost/rest' }) }))
        app.route('/rpc', createHonoHandler({ getOrm: () => orm, handler: RPCApiHandler() }))`,
    },
  }
  return `import { Hono } from 'hono'
    import { PrismaLibSql } from '@prisma/adapter-libsql'
    import { PrismaClient } from './client/client.js'
    import { measureStart } from ${JSON.stringify(join(ROOT, 'bench/start/first-responses.ts'))}
    ${routes[app].imports}
    const orm = new PrismaClient({ adapter: new PrismaLibSql({ url: process.argv[2] }) })
    const app = new Hono()
    ${routes[app].mount}
    await measureStart(app, ['/rest/${type}/1'])
  `
}
