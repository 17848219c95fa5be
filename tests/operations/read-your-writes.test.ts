import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { Hono } from 'hono'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { createClient, replicated, type ReplicatedClient } from '../../testbed/client.js'
import { trackByPosition, trackByTime } from '../../testbed/read-your-writes.js'
import { ENDPOINT } from '../rest/support/client.js'
import type { Fixtures } from '../support/fixtures.js'
import { isLong } from '../support/form.js'
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/servers/postgres-server.js'

const programs = postgresPrograms()

describe.runIf(isLong && programs)('operations: read-your-writes with a lagging replica', () => {
  let primary: PostgresServer
  let late: PostgresServer
  let prisma: ReplicatedClient
  let blog: Pick<Fixtures['blog'], 'routes' | 'hono'>
  const { folder, tables } = preparedFixture('blog', 'postgresql')

  beforeAll(async () => {
    primary = await startPostgres({ programs: programs ?? '' })
    await query(primary, await readFile(tables, 'utf8'))
    late = await startPostgres({ programs: programs ?? '', standbyOf: primary })
    const [first, second] = [
      { url: primary.url(), name: 'own-writes' },
      { url: late.url(), name: 'own-writes' },
    ]
    prisma = replicated(await createClient(first), await createClient(second))
    const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href)
    blog = {
      routes: (await load('expected/index.ts')) as Fixtures['blog']['routes'],
      hono: (await load('expected/hono.ts')) as Fixtures['blog']['hono'],
    }
  })
  afterAll(async () => {
    await prisma?.$disconnect()
    await late?.remove()
    await primary?.remove()
  })

  async function query(server: PostgresServer, sql: string): Promise<void> {
    const client = new Client({ connectionString: server.url() })
    await client.connect()
    await client.query(sql)
    await client.end()
  }

  it.each([
    ['time', trackByTime],
    ['position', trackByPosition],
  ])('by %s: returns the writes of the caller only to the caller', async (way, recipe) => {
    const { trackWrites, getOrm } = recipe(prisma)
    const app = new Hono()
    app.use('/api/*', trackWrites)
    const handler = blog.routes.RestApiHandler({ endpoint: ENDPOINT })
    app.route('/api', blog.hono.createHonoHandler({ getOrm, handler }))
    const read = async (cookie: string) =>
      (await app.request(`/api/tag/${way}`, { headers: { Cookie: cookie } })).status

    await query(late, 'SELECT pg_wal_replay_pause()')
    const created = await app.request('/api/tag', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { type: 'tag', id: way } }),
    })
    expect(created.status).toBe(201)
    const [cookie = ''] = (created.headers.get('Set-Cookie') ?? '').split(';')
    expect(cookie).not.toBe('')
    expect([await read(cookie), await read('')]).toEqual([200, 404])
    // Cookies that callers invent do no harm.
    expect(await read("lsn=0/0'; --")).toBe(404)
    expect(await read('lsn=FFFFFFFF/FFFFFFFF')).toBe(way === 'position' ? 200 : 404)

    await query(late, 'SELECT pg_wal_replay_resume()')
    await expect.poll(() => read(''), { timeout: 20_000 }).toBe(200)
    expect(await read(cookie)).toBe(200)
  })
})
