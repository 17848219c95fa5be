import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: filters of Json fields', (db) => {
  const path = db.provider === 'postgresql' ? ['a'] : '$.a'
  let api: RpcClient

  beforeEach(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  const orders = ['lt', 'lte', 'gt', 'gte']

  it.each(orders)('%s takes a string or a number only', async (order) => {
    for (const value of [{ a: 1 }, {}, [], [1], true, null]) {
      const answer = await api.call('profile', 'findMany', { where: { settings: { path, [order]: value } } })
      expect(answer).toMatchObject({
        status: 400,
        body: { message: `where.settings.${order} must be a string or a finite number.` },
      })
    }
    // SQLite orders no Json: there the client refuses these too.
    const status = db.provider === 'sqlite' ? 400 : 200
    for (const value of ['a', 1, -0.5]) {
      const answer = await api.call('profile', 'findMany', { where: { settings: { path, [order]: value } } })
      expect(answer.status, answer.body.message).toBe(status)
    }
  })

  it.runIf(db.provider === 'sqlite')('a path that the database does not know is 400', async () => {
    const answer = await api.call('profile', 'findMany', { where: { settings: { path: '$**.a', equals: 1 } } })
    expect(answer.status, answer.body.message).toBe(400)
  })
})
