import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { Prisma, PrismaClient } from '../../fixtures/blog/client/client.js'
import { RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { seed } from '../../fixtures/blog/seed.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import type { OpenDatabase } from '../support/engines/engine.js'
import { sqlite } from '../support/engines/sqlite.js'
import { fixtureRpc, type RpcClient } from './client.js'

describe('RPC: client with a global omit', () => {
  let database: OpenDatabase
  let rpc: RpcClient

  beforeAll(async () => {
    database = await sqlite.open(preparedFixture('blog', 'sqlite').tables)
    const orm = database.client(PrismaClient, { omit: { user: { name: true } } })
    await seed(orm as never)
    rpc = fixtureRpc({ orm, client: { Prisma }, routes: { RPCApiHandler } })
  })
  afterAll(() => database.close())

  it.each([
    {},
    { omit: { email: true } },
    { omit: { name: true } },
    { include: { posts: { include: { author: true } } } },
  ])('%j: omits globally omitted and write-only fields', async (args) => {
    const { body } = await rpc.call('user', 'findFirst', { where: { posts: { some: {} } }, ...args })
    expect(body.data).toHaveProperty('id')
    expect(JSON.stringify(body)).not.toMatch(/"(name|password)":/)
  })

  it.each([{ select: { name: true } }, { omit: { name: false } }])(
    '%j: returns a globally omitted field, but no write-only one',
    async (args) => {
      const data = await rpc.result('user', 'findFirst', { where: { id: 1 }, ...args })
      expect(data).toMatchObject({ name: expect.any(String) as string })
      expect(data).not.toHaveProperty('password')
      const related = { where: { author: { isNot: null } }, include: { author: args } }
      const author = { name: expect.any(String) as string }
      expect(await rpc.result('post', 'findFirst', related)).toMatchObject({ author })
    },
  )

  it('rejects false for a write-only field', async () => {
    const { status } = await rpc.call('user', 'findFirst', { where: { id: 1 }, omit: { password: false } })
    expect(status).toBe(400)
  })
})
