/**
 * A process of the demo's blog on PostgreSQL. The parent process passes the configuration in environment variables and communicates by
 * messages.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { serve } from '@hono/node-server'
import { Hono } from 'hono'

import type * as Routes from '../fixtures/blog/expected/index.js'
import type * as Adapter from '../fixtures/blog/expected/hono.js'
import { preparedFixture } from '../scripts/prepare-fixtures.js'
import { createClient, replicated } from './client.js'
import { trackByPosition } from './read-your-writes.js'
import type { AppRequest, AppMessage } from './processes.js'

const { APP_NAME = 'app', APP_PRIMARY = '', APP_REPLICA = '', APP_STATEMENT_NAMES = '', APP_POOL = '5' } = process.env
const { folder } = preparedFixture('blog', 'postgresql')
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href)
const { RestApiHandler, RPCApiHandler } = (await load('expected/index.ts')) as typeof Routes
const { createHonoHandler } = (await load('expected/hono.ts')) as typeof Adapter

const options = { name: APP_NAME, max: Number(APP_POOL), statementNames: APP_STATEMENT_NAMES !== '' }
const primary = await createClient({ ...options, url: APP_PRIMARY })
const app = new Hono()
const rest = RestApiHandler({ endpoint: 'http://blog.example/api/rest' })
if (APP_REPLICA === '') {
  app.route('/api/rest', createHonoHandler({ getOrm: () => primary, handler: rest }))
  app.route('/api/rpc', createHonoHandler({ getOrm: () => primary }))
} else {
  const prisma = replicated(primary, await createClient({ ...options, url: APP_REPLICA }))
  const { trackWrites, getOrm } = trackByPosition(prisma)
  app.route('/api/rest', createHonoHandler({ getOrm: () => prisma, handler: rest }))
  app.route('/api/rpc', createHonoHandler({ getOrm: () => prisma, handler: RPCApiHandler() }))
  // The same routes with the read-your-writes recipe.
  app.use('/api/own/*', trackWrites)
  app.route('/api/own', createHonoHandler({ getOrm, handler: rest }))
}

const sendMessage = (message: AppMessage) => process.send?.(message)
process.on('disconnect', () => process.exit())
process.on('message', (request: AppRequest) => {
  if (request === 'usage') sendMessage({ usage: process.cpuUsage() })
})
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => sendMessage({ port }))
// Keeps idle connections open, so that closed connections do not distort the counts.
if ('keepAliveTimeout' in server) server.keepAliveTimeout = 600_000
