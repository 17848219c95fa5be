import { serve, type ServerType } from '@hono/node-server'
import { Hono } from 'hono'

import type { PrismaClient } from '../fixtures/blog/client/client.js'
import { withExcerpt } from './excerpt.js'
import { restRoutes, rpcRoutes } from './own-routes.js'

/** The running blog. */
export interface DemoServer {
  /** Where it answers, as `http://localhost:3000`. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the blog on localhost: REST under `/api/rest`, RPC under `/api/rpc`.
 * @param port the port to use; where it is taken, the next free one
 */
export async function serveBlog(orm: PrismaClient, port: number): Promise<DemoServer> {
  // Not imported above: in a fresh clone the client that they are typed by is made while the demo runs.
  const { computedOf, defineRestRoutes, defineRpcRoutes, RestApiHandler, RPCApiHandler } =
    await import('../fixtures/blog/expected/index.js')
  const { createHonoHandler } = await import('../fixtures/blog/expected/hono.js')
  const client = withExcerpt(orm)
  const computed = computedOf(client, { Post: ['excerpt'] })
  const rpc = RPCApiHandler({ computed, routes: defineRpcRoutes(rpcRoutes) })

  for (let candidate = port; candidate <= 65_535; candidate++) {
    const url = `http://localhost:${candidate}`
    const getOrm = () => client
    const app = new Hono()
    const rest = RestApiHandler({ endpoint: `${url}/api/rest`, computed, routes: defineRestRoutes(restRoutes) })
    app.route('/api/rest', createHonoHandler({ getOrm, handler: rest }))
    app.route('/api/rpc', createHonoHandler({ getOrm, handler: rpc }))
    const server = await listen(app, candidate)
    if (server) return { url, close: () => closed(server) }
  }
  throw new Error(`There is no free port from ${port} on.`)
}

function closed(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    // A browser keeps its connection.
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
}

/** Undefined where the port is taken. */
function listen(app: Hono, port: number): Promise<ServerType | undefined> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, hostname: 'localhost', port }, () => resolve(server))
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(undefined)
      else reject(error)
    })
  })
}
