import { createServer, type Server } from 'node:http'

import { getRequestListener } from '@hono/node-server'
import { openApi } from '@routewright/runtime/openapi'
import { Hono } from 'hono'

import type { PrismaClient } from '../fixtures/blog/client/client.js'
import { end } from './end.js'
import { examplesFor } from './examples.js'
import { withExcerpt } from './excerpt.js'
import { homePage } from './home-page.js'
import { restRoutes, rpcRoutes } from './custom-routes.js'

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

/**
 * Serves the blog on localhost: REST under `/api/rest`, RPC under `/api/rpc`.
 * @param port the preferred port. If it is in use, the next free one is used.
 */
export async function serveBlog(orm: PrismaClient, port: number): Promise<DemoServer> {
  // Imported dynamically, because in a fresh clone the client that provides their types is generated while the demo runs.
  const { exposeComputed, defineRestRoutes, defineRpcRoutes, RestApiHandler, RPCApiHandler } =
    await import('../fixtures/blog/expected/index.js')
  const { createHonoHandler } = await import('../fixtures/blog/expected/hono.js')
  const client = withExcerpt(orm)
  const computed = exposeComputed(client, { Post: ['excerpt'] })
  const openapi = openApi({ info: INFO, docs: true })
  const rpc = RPCApiHandler({ computed, routes: defineRpcRoutes(rpcRoutes), transactions: true, openapi })

  for (let candidate = port; candidate <= 65_535; candidate++) {
    const url = `http://localhost:${candidate}`
    const getOrm = () => client
    const app = new Hono()
    const routes = defineRestRoutes(restRoutes)
    const rest = RestApiHandler({
      endpoint: `${url}/api/rest`,
      computed,
      routes,
      atomicOperations: true,
      health: true,
      openapi,
    })
    const examples = await examplesFor(url, orm)
    app.get('/', (c) => c.html(homePage(examples)))
    app.route('/api/rest', createHonoHandler({ getOrm, handler: rest }))
    app.route('/api/rpc', createHonoHandler({ getOrm, handler: rpc }))
    const server = await listen(app, candidate)
    if (server) return { url, close: () => end(server, [rest, rpc]) }
  }
  throw new Error(`There is no free port from ${port} on.`)
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
