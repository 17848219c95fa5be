import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { type ServerType, serve } from '@hono/node-server'
import { build } from 'esbuild'
import { Hono } from 'hono'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { OPTIONAL_FILES } from '../../generator/features.js'
import { fillBlog } from '../rest/support/blog.js'
import { fillVersions } from '../rest/support/versions.js'
import { hasBrowser, openBrowser } from '../support/browser.js'
import { type Database, describeDatabases } from '../support/databases.js'
import type { FixtureName } from '../support/fixtures.js'
import { hasFrameworks } from '../support/frameworks.js'
import { CLIENT_EXAMPLES, clientBlocks, moduleOf, NOT_RUN, SUBSCRIBERS } from './support/client-examples.js'
import { type DocumentedApp, makeDocumentedApp } from './support/documented-app.js'
import { blockWith, formatLocation, ROOT } from './support/pages.js'
import { subscriberSchemaWith } from './support/schema.js'

/** The origin in the examples. The browser's requests to it are sent to the test's server. */
const ORIGIN = 'https://example.com'

/** Files of the examples' server on the pages. */
const SERVER_FILES = ['src/server.ts', 'src/declarations.ts', 'src/custom.ts']

const DB = `import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaClient } from './generated/prisma/client.js'
export const prisma = new PrismaClient({ adapter: new PrismaLibSql({ url: \`file:\${import.meta.dirname}/../test.db\` }) })
`

const blocks = clientBlocks()
const examples = Object.entries(CLIENT_EXAMPLES).flatMap(([page, of]) => of.map((example) => ({ page, ...example })))
const blocksWith = (page: string, text: string) =>
  blocks.filter((block) => block.page === page && block.text.includes(text))

describe('docs client examples', () => {
  it('run in the browser, or have a reason why they do not', () => {
    const listed = [...examples.map(({ page, text }) => [page, text] as const), ...NOT_RUN]
    const found = listed.flatMap(([page, text]) => {
      const matching = blocksWith(page, text)
      expect(matching.map(formatLocation), `${page}: ${text}`).toHaveLength(1)
      return matching
    })
    expect(found.map(formatLocation).sort()).toEqual(blocks.map(formatLocation).sort())
  })
})

describe.skipIf(!hasBrowser || !hasFrameworks)('Browser', { timeout: 60_000 }, () => {
  const only = ['SQLite'] as const
  describeDatabases(
    'docs client examples',
    (blog) => {
      describeDatabases('with versions', (versions) => runExamples(blog, versions), { fixture: 'versions', only })
    },
    { only },
  )
})

function runExamples(blog: Database, versions: Database<'versions'>): void {
  let server: ServerType
  let browser: Browser
  let page: Page
  let readme: ReadmeApp
  let problems: string[] = []
  let failed: number[] = []

  beforeAll(async () => {
    const app = await makeDocumentedApp({
      'prisma/schema.prisma': subscriberSchemaWith({ files: JSON.stringify(OPTIONAL_FILES) }),
      'src/db.ts': DB,
      ...Object.fromEntries(SERVER_FILES.map((file) => [file, blockWith(`file: ${file}`).text])),
    })
    readme = await serveReadme(app)
    const scripts = await bundle(app.project.folder)
    const all = new Hono()
      .route('/', readme.routes)
      .route('/blog', routesOf(blog))
      .route('/versions', routesOf(versions))
      .get('/scripts/*', (c) => c.body(scripts.get(c.req.path) ?? '', 200, { 'Content-Type': 'text/javascript' }))
      .get('/pages/:page', (c) =>
        c.html(
          `<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/scripts/${c.req.param('page')}.js"></script>`,
        ),
      )
    const port = await new Promise<number>((resolve) => {
      server = serve({ fetch: all.fetch, port: 0 }, (info) => resolve(info.port))
    })
    browser = await openBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(10_000)
    await page.route(`${ORIGIN}/**`, async (route) => {
      const url = route.request().url().replace(ORIGIN, `http://localhost:${port}`)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load')) problems.push(message.text())
    })
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.status())
    })
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  let opened = ''
  it.each(examples.map((example) => [`${example.page}: ${example.text}`, example] as const))(
    '%s',
    async (_title, { page: name, text, result, errors = [], act }) => {
      const [block] = blocksWith(name, text)
      await Promise.all([blog.fill(fillBlog), versions.fill(fillVersions), readme.fill()])
      problems = []
      failed = []
      if (opened !== name) await page.goto(`${ORIGIN}/pages/${path.basename(name, '.md')}`)
      opened = name
      const file = fileOf(block ?? { page: name, line: 0 })
      const report = (error: unknown) => void problems.push(String(error))
      const actual = await page.evaluate((of) => Reflect.get(globalThis, 'runExample')(of), file).catch(report)
      await act?.(page).catch(report)
      expect({ problems, failed: failed.sort() }).toEqual({ problems: [], failed: errors })
      if (result !== undefined) expect(actual).toEqual(result)
    },
  )
}

/** The app of the README, with the servers of the pages. */
interface ReadmeApp {
  readonly routes: Hono
  /** Replaces all subscribers. */
  fill(): Promise<void>
}

async function serveReadme(app: DocumentedApp): Promise<ReadmeApp> {
  const load = <Module>(file: string) => app.load<Module>(`src/${file}.ts`)
  const { prisma } = await load<{ prisma: { subscriber: Record<string, (args?: object) => Promise<unknown>> } }>('db')
  const { createHonoHandler } = await load<{ createHonoHandler(options: object): Hono }>('routes/hono')
  const computed = await load<Record<'rest' | 'rpc', Hono>>('server')
  const custom = await load<Record<'rest' | 'rpc', unknown>>('custom')
  const routes = new Hono()
  for (const style of ['rest', 'rpc'] as const) {
    const renaming = createHonoHandler({ getOrm: () => prisma, handler: custom[style], prefix: `/api/${style}` })
    routes.post(`/api/${style}/subscriber/*`, (c, next) =>
      c.req.path.endsWith('/rename') ? renaming.fetch(c.req.raw) : next(),
    )
    routes.route(`/api/${style}`, computed[style])
  }
  return {
    routes,
    async fill() {
      await prisma.subscriber['deleteMany']?.()
      await prisma.subscriber['createMany']?.({ data: SUBSCRIBERS })
    },
  }
}

/** Serves both styles of a fixture, with all features that the examples use. */
function routesOf<F extends FixtureName>(db: Pick<Database<F>, 'orm' | 'routes' | 'hono'>): Hono {
  const { RestApiHandler, RPCApiHandler } = db.routes as unknown as Record<string, (options: object) => object>
  const { createHonoHandler } = db.hono as unknown as { createHonoHandler(options: object): Hono }
  const getOrm = () => db.orm
  const rest = RestApiHandler?.({ endpoint: `${ORIGIN}/rest`, atomicOperations: true })
  const rpc = RPCApiHandler?.({ transactions: true })
  return new Hono()
    .route('/rest', createHonoHandler({ getOrm, handler: rest }))
    .route('/rpc', createHonoHandler({ getOrm, handler: rpc }))
}

/** Writes the modules of the examples and bundles them, with an entry for each page. Returns the files by their URLs. */
async function bundle(folder: string): Promise<Map<string, string>> {
  const write = (file: string, text: string) => writeFileSync(path.join(folder, 'src', file), text)
  mkdirSync(path.join(folder, 'src/pages'))
  for (const [page, of] of Object.entries(CLIENT_EXAMPLES)) {
    const files = of.flatMap((example) =>
      blocksWith(page, example.text).map((block) => {
        write(`${fileOf(block)}.tsx`, moduleOf(block, example))
        return fileOf(block)
      }),
    )
    const imports = files.map((file) => `  '${file}': () => import('../${file}.js'),\n`).join('')
    write(
      `pages/${path.basename(page, '.md')}.ts`,
      `import '${path.join(import.meta.dirname, 'support/browser-globals.js')}'
const examples = {\n${imports}}
// A rejection that no code handles is reported in a later task.
globalThis.runExample = async (file) => {
  const result = await (await examples[file]()).default()
  await new Promise((resolve) => setTimeout(resolve))
  return result
}
`,
    )
  }
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: Object.keys(CLIENT_EXAMPLES).map((page) => `src/pages/${path.basename(page, '.md')}.ts`),
    outdir: path.join(folder, 'scripts'),
    outbase: path.join(folder, 'src/pages'),
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    // Without the paths of the repository, all modules import the built packages.
    tsconfigRaw: {},
    // `tests/frameworks` has its own copy.
    alias: { react: path.join(ROOT, 'node_modules/react') },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return new Map(outputFiles.map((file) => [`/${path.relative(folder, file.path)}`, file.text]))
}

/** Returns the name of a block's module. */
function fileOf({ page, line }: { readonly page: string; readonly line: number }): string {
  return `${path.basename(page, '.md')}-line-${line}`
}
