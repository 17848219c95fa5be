import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createRestClient, createRpcClient, type Fetch, withRestRoutes, withRpcRoutes } from '../../client/index.js'
import { createApp } from '../../examples/issue-tracker/server/app.js'
import { openDatabase } from '../../examples/issue-tracker/server/database.js'
import { declarations } from '../../examples/issue-tracker/server/declarations.js'
import type { Api } from '../../examples/issue-tracker/server/routes/client.js'
import { graph } from '../../examples/issue-tracker/server/routes/graph.js'
import { PASSWORD } from '../../examples/issue-tracker/server/seed/people.js'
import { seed } from '../../examples/issue-tracker/server/seed/seed.js'
import { createDatabaseFolder } from '../support/database-folder.js'

const ORIGIN = 'http://localhost'

/** The issue tracker on its own database, without a network. */
export interface Tracker {
  readonly orm: Awaited<ReturnType<typeof openDatabase>>
  readonly fetch: Fetch
  /** Logs in and returns both clients. */
  as(email: string): Promise<ReturnType<typeof clients>>
  logIn(email: string, password: string): Promise<Response>
  close(): Promise<void>
}

/** Creates and fills the database, and creates the app. */
export async function openTracker(): Promise<Tracker> {
  const folder = await createDatabaseFolder()
  const orm = await openDatabase(`file:${join(folder, 'tracker.db')}`)
  await seed(orm)
  const app = createApp({ orm, secret: 'the secret of a test', origin: ORIGIN })
  const fetch: Fetch = (request) => app.fetch(request)
  const logIn = async (email: string, password: string) =>
    fetch(new Request(`${ORIGIN}/api/login`, { method: 'POST', body: JSON.stringify({ email, password }) }))
  return {
    orm,
    fetch,
    logIn,
    async as(email) {
      const { token } = await (await logIn(email, PASSWORD)).json()
      return clients(fetch, String(token))
    },
    async close() {
      await orm.$disconnect()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function clients(fetch: Fetch, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  return {
    rpc: withRpcRoutes(createRpcClient<Api>({ url: '/api/rpc', headers, fetch }), declarations),
    rest: withRestRoutes(createRestClient<Api>({ url: '/api/rest', graph, headers, fetch }), declarations),
  }
}
