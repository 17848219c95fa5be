/** Opens the database, seeds it if it is empty, and serves the API and the built pages. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Hono } from 'hono'

import { createApp } from './app.js'
import { openDatabase } from './database.js'
import { provider } from './provider.js'
import { PASSWORD, PEOPLE } from './seed/people.js'
import { seed } from './seed/seed.js'

const port = Number(process.env['PORT'] ?? 3000)
const origin = process.env['ORIGIN'] ?? `http://localhost:${port}`
// Without `SECRET`, tokens are valid only until the server restarts.
const secret = process.env['SECRET'] ?? randomBytes(32).toString('base64')
const PAGES = new URL('../web/dist/', import.meta.url)

const orm = await openDatabase()
const isNew = await seed(orm)
const app = createApp({ orm, secret, origin })
if (!process.argv.includes('--api-only')) servePages(app)

const server = serve({ fetch: app.fetch, port, hostname: 'localhost' }, () => {
  const logins = PEOPLE.map(({ email, teams }) => `  ${email.padEnd(18)} ${Object.keys(teams).join(' and ')}\n`)
  process.stdout.write(
    `${isNew ? 'Made' : 'Opened'} the ${provider} database.\n\nThe issue tracker: ${origin}\n\n` +
      `Log in as one of these, with the password "${PASSWORD}":\n${logins.join('')}`,
  )
})
server.once('error', (error) => {
  process.stderr.write(`The server does not start: ${error.message}\nAnother port: PORT=3001 npm run example\n`)
  process.exit(1)
})

let stopping = false
const stop = () => {
  // Ctrl-C signals this process twice: from the terminal and from the parent process.
  if (stopping) return
  stopping = true
  server.close(() => void orm.$disconnect().then(() => process.exit(0)))
  if ('closeIdleConnections' in server) server.closeIdleConnections()
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)

/** Serves the single-page app. All paths except assets and the API return its HTML. */
function servePages(app: Hono): void {
  app.use('/assets/*', serveStatic({ root: fileURLToPath(PAGES) }))
  app.get('*', async (c) => {
    if (c.req.path.startsWith('/api/')) return c.notFound()
    return c.html(await readFile(new URL('index.html', PAGES), 'utf8'))
  })
}
