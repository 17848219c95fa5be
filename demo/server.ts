import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'

import { getRequestListener } from '@hono/node-server'
import { openApiWithRoutes } from '@routewright/runtime/openapi'
import { Hono } from 'hono'

import type { PrismaClient } from '../fixtures/blog/client/client.js'
import { end } from './end.js'
import { examplesFor } from './examples.js'
import { withExcerpt } from './excerpt.js'
import { ROOT } from '../scripts/prepare-fixtures.js'
import { homePage, waitingPage } from './home-page.js'
import type { IssueTracker } from './issue-tracker.js'
import { type RecordedResponse, recordResponses } from './record-responses.js'
import { routes } from './custom-routes.js'

const BLOG = join(ROOT, 'fixtures/blog')

/** The `info` of both OpenAPI documents. */
const INFO = {
  title: 'Blog',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The editors', email: 'editors@example.com' },
}

/** The running blog. */
export interface DemoServer {
  /** The base URL, such as `http://localhost:3000`. */
  readonly url: string
  /** Stops accepting connections and waits for running requests. */
  close(): Promise<void>
}

/** Options for {@link serveBlog}. */
export interface DemoOptions {
  /** A client of a copy of the database. The examples run on it once, so that the home page can show their responses. */
  readonly copy?: PrismaClient | undefined
  /** Starts the issue tracker, on the port after the blog's. */
  readonly startIssueTracker?: ((port: number) => IssueTracker | undefined) | undefined
}

/**
 * Serves the blog on localhost: a home page at `/`, REST under `/api/rest`, RPC under `/api/rpc`.
 * @param port the preferred port. If it is in use, the next free one is used.
 */
export async function serveBlog(orm: PrismaClient, port: number, options: DemoOptions = {}): Promise<DemoServer> {
  for (let candidate = port; candidate <= 65_535; candidate++) {
    const url = `http://localhost:${candidate}`
    const { app, handlers } = await createBlog(url, orm)
    const examples = await examplesFor(url, orm)
    // Filled when the server listens, because both depend on its port.
    const page: { responses: readonly RecordedResponse[]; tracker?: IssueTracker | undefined } = { responses: [] }
    const [model, router] = await Promise.all([readModel('Tag'), readFile(join(BLOG, 'expected/tag/rest.ts'), 'utf8')])
    app.get('/', (c) => c.html(homePage({ model, routes: router, examples, responses: page.responses })))
    app.get('/issue-tracker', async (c) => {
      const { tracker } = page
      const state = await tracker?.state()
      if (!tracker || state === undefined || state === 'failed') return c.text('Start it with `npm run example`.', 503)
      return state === 'ready' ? c.redirect(tracker.url) : c.html(waitingPage())
    })
    const server = await listen(app, candidate)
    if (!server) continue
    page.tracker = options.startIssueTracker?.(candidate + 1)
    if (options.copy) {
      const copy = await createBlog(url, options.copy)
      page.responses = await recordResponses(copy.app, examples)
    }
    return {
      url,
      async close() {
        page.tracker?.stop()
        await end(server, handlers)
      },
    }
  }
  throw new Error(`No free port was found, starting at ${port}.`)
}

async function createBlog(url: string, orm: PrismaClient) {
  // Imported dynamically, because in a fresh clone the client that provides their types is generated while the demo runs.
  const { RestApiHandler, RPCApiHandler } = await import('../fixtures/blog/expected/index.js')
  const { exposeComputed } = await import('../fixtures/blog/expected/computed.js')
  const { descriptions } = await import('../fixtures/blog/expected/descriptions.js')
  const { createHonoHandler } = await import('../fixtures/blog/expected/hono.js')
  const client = withExcerpt(orm)
  const getOrm = () => client
  const computed = exposeComputed(client, { Post: ['excerpt'] })
  const openapi = openApiWithRoutes({ info: INFO, descriptions, docs: true })
  const rpc = RPCApiHandler({ computed, routes, openapi })
  const rest = RestApiHandler({ endpoint: `${url}/api/rest`, computed, routes, health: true, openapi })
  const app = new Hono()
  app.route('/api/rest', createHonoHandler({ getOrm, handler: rest }))
  app.route('/api/rpc', createHonoHandler({ getOrm, handler: rpc }))
  return { app, handlers: [rest, rpc] }
}

async function readModel(name: string): Promise<string> {
  const schema = await readFile(join(BLOG, 'schema.prisma'), 'utf8')
  return new RegExp(`(?:^///.*\\n)*^model ${name} \\{[^}]*\\}`, 'm').exec(schema)?.[0] ?? ''
}

/** Starts a server. Returns undefined if the port is in use. */
function listen(app: Hono, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer(getRequestListener(app.fetch))
    server.listen(port, 'localhost', () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined)
      else reject(error)
    })
  })
}
