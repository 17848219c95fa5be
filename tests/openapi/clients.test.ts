import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { type DemoServer, serveBlog } from '../../demo/server.js'
import { hasBrowser, openBrowser } from '../support/browser.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { freePort } from '../support/servers/programs.js'
import { compile, GENERATED, hasTools, runTool, TOOLS } from './support/tools.js'

const PLATFORMS = hasBrowser ? (['Node', 'a browser'] as const) : (['Node'] as const)
const PROGRAMS = ['openapi-fetch', 'hey-api', 'orval'].flatMap((name) =>
  PLATFORMS.map((platform) => [name, platform] as const),
)

describeDatabases(
  'OpenAPI: generated clients',
  (db) => {
    let server: DemoServer

    beforeAll(async () => {
      await db.fill(seedBlog)
      server = await serveBlog(db.orm, await freePort())
      await mkdir(GENERATED, { recursive: true })
      for (const name of ['openapi-typescript', 'hey-api', 'orval']) {
        await rm(join(GENERATED, name), { recursive: true, force: true })
      }
      const documents = new Map<string, string>()
      for (const style of ['rest', 'rpc']) {
        const file = join(GENERATED, `blog.${style}.json`)
        await writeFile(file, await (await fetch(`${server.url}/api/${style}/openapi.json`)).text())
        documents.set(style, file)
      }
      const [rest = '', rpc = ''] = documents.values()
      await generate('openapi-typescript', rest, '-o', join(GENERATED, 'openapi-typescript/rest.ts'))
      await generate('openapi-typescript', rpc, '-o', join(GENERATED, 'openapi-typescript/rpc.ts'))
      await generate('openapi-ts', '-i', rest, '-o', join(GENERATED, 'hey-api'), '--no-log-file')
      await generate('orval')
    }, 300_000)
    beforeEach(() => db.fill(seedBlog))
    afterAll(() => server?.close())

    it.runIf(hasTools)('type-checks the generated clients in strict mode', async () => {
      expect(await compile(TOOLS)).toEqual({ code: 0, stdout: '', stderr: '' })
    })

    it.runIf(hasTools).each(PROGRAMS)(
      '%s: reads, writes, receives a 422 and paginates in %s',
      async (name, platform) => {
        const seenBy = await program(name, platform, server.url)
        const posts = await db.orm.post.findMany({
          where: { status: 'PUBLISHED' },
          orderBy: [{ viewCount: 'desc' }, { id: 'asc' }],
          take: 3,
          include: { author: true },
        })
        const tags = await db.orm.tag.findMany({ where: { posts: { some: { id: 2 } } } })
        const count = await db.orm.tag.count()
        expect(await seenBy(`${server.url}/api/rest`)).toEqual({
          posts: posts.map(({ title, author }) => `${title} by ${author?.name}`),
          rejected: { status: 422, pointers: ['/data/attributes/email', '/data/attributes/password'] },
          tags: expect.arrayContaining([...tags.map(({ name }) => name), 'bread']),
          walked: count,
          total: count,
        })
        expect(await db.orm.post.count({ where: { id: 2, tags: { some: { name: 'bread' } } } })).toBe(1)
      },
    )

    it.runIf(hasTools).each(PLATFORMS)(
      'openapi-fetch: reads, writes and receives a 422 by RPC in %s',
      async (platform) => {
        const seenBy = await program('openapi-fetch-rpc', platform, server.url)
        const { _avg: averages } = await db.orm.post.aggregate({ _avg: { viewCount: true } })
        expect(await seenBy(`${server.url}/api/rpc`)).toEqual({
          posts: expect.arrayContaining([expect.stringMatching(/.+ by .+/)]),
          created: 'openapi',
          rejected: { status: 422, paths: ['data.email', 'data.password'] },
          count: 1,
          average: averages.viewCount,
        })
      },
    )
  },
  { only: ['SQLite'] },
)

/** Runs a generator according to its documentation. Orval's configuration contains the REST document. */
async function generate(name: string, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runTool(name, ...args)
  expect(code, `${name}: ${stdout}${stderr}`).toBe(0)
}

/** Returns the function of a program. In a browser, it runs on a page of the server. */
async function program(
  name: string,
  platform: (typeof PLATFORMS)[number],
  origin: string,
): Promise<(url: string) => Promise<unknown>> {
  const file = join(TOOLS, 'programs', `${name}.ts`)
  if (platform === 'Node') return (await import(pathToFileURL(file).href)).seenBy
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'program',
  })
  return async (url) => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(origin)
      await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
      return await page.evaluate((base) => Reflect.get(globalThis, 'program').seenBy(base), url)
    } finally {
      await browser.close()
    }
  }
}
