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
    { omit: { name: false } },
    { include: { posts: { include: { author: true } } } },
  ])('%j: omits globally omitted and write-only fields', async (args) => {
    const { body } = await rpc.call('user', 'findFirst', { where: { posts: { some: {} } }, ...args })
    expect(body.data).toHaveProperty('id')
    expect(JSON.stringify(body)).not.toMatch(/"(name|password)":/)
  })

  it('returns a globally omitted field if select names it', async () => {
    const data = await rpc.result('user', 'findFirst', { where: { id: 1 }, select: { name: true } })
    expect(data).toEqual({ name: expect.any(String) })
  })
})
