import { PrismaPg } from '@prisma/adapter-pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { createRestClient } from '../../client/index.js'
import type { Api } from '../../examples/issue-tracker/server/routes/client.js'
import { graph } from '../../examples/issue-tracker/server/routes/graph.js'
import { PASSWORD } from '../../examples/issue-tracker/server/seed/people.js'
import { databaseName } from '../support/engines/names.js'
import { type RunningExample, startExample } from './clone.js'

const server = process.env['TEST_POSTGRES_URL']

let example: RunningExample
let drop: () => Promise<void>

beforeAll(async () => {
  if (server === undefined) return
  const name = databaseName()
  const connection = await new PrismaPg({ connectionString: server }).connect()
  await connection.executeScript(`CREATE DATABASE "${name}"`)
  drop = async () => {
    await connection.executeScript(`DROP DATABASE "${name}" WITH (FORCE)`)
    await connection.dispose()
  }
  const url = new URL(server)
  url.pathname = name
  example = await startExample({ DATABASE_URL: url.href })
}, 240_000)
afterAll(async () => {
  await example?.close()
  await drop?.()
})

it.skipIf(server === undefined)('issue tracker: runs on PostgreSQL with DATABASE_URL', async () => {
  expect(example.printed()).toContain('Made the postgresql database.')
  const body = JSON.stringify({ email: 'ada@example.com', password: PASSWORD })
  const { token } = await (await fetch(`${example.url}/api/login`, { method: 'POST', body })).json()
  const headers = { Authorization: `Bearer ${String(token)}` }
  const rest = createRestClient<Api>({ url: `${example.url}/api/rest`, graph, headers })
  const found = await rest.issue.list({ filter: { title: { icontains: 'VOUCHER' } }, sort: ['title'] })
  expect(found.map(({ title }) => title)).toEqual([
    'Refunds of vouchers are rounded twice',
    'Vouchers can be used from two tabs at once',
  ])
  const created = await rest.issue.create({ title: 'On PostgreSQL', project: 1, labels: [1] }, { include: ['labels'] })
  expect(created.labels).toHaveLength(1)
  await rest.issue.delete(created.id)
  await expect(rest.issue.get(created.id)).rejects.toMatchObject({ status: 404 })
  expect((await fetch(`${example.url}/issues/1`)).headers.get('Content-Type')).toContain('text/html')
})
