/** Runs a contender as a server: `serve.js <contender> <database url>`. Sends its port, and its CPU time on request. */
import type { AddressInfo } from 'node:net'

import { serve } from '@hono/node-server'

import type { AppName } from './app-names.js'
import { openApp } from './contenders.js'

const [name = '', url = ''] = process.argv.slice(2)
const app = await openApp(name as AppName, url)
const server = serve({ fetch: (request) => app.fetch(request), port: 0, hostname: '127.0.0.1' }, (address) =>
  process.send?.({ port: (address as AddressInfo).port }),
)
// Idle connections are not closed, because other contenders have their turns in between.
if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => {
  server.close()
  process.exit(0)
})
