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

  it.each(orders)('%s: rejects values other than strings and numbers with 400', async (order) => {
    for (const value of [{ a: 1 }, {}, [], [1], true, null]) {
      const response = await api.call('profile', 'findMany', { where: { settings: { path, [order]: value } } })
      expect(response).toMatchObject({
        status: 400,
        body: { message: `where.settings.${order} must be a string or a finite number.` },
      })
    }
    // SQLite cannot order Json values: there the client rejects these too.
    const status = db.provider === 'sqlite' ? 400 : 200
    for (const value of ['a', 1, -0.5]) {
      const response = await api.call('profile', 'findMany', { where: { settings: { path, [order]: value } } })
      expect(response.status, response.body.message).toBe(status)
    }
  })

  it.runIf(db.provider === 'sqlite')('rejects a path that the database does not support with 400', async () => {
    const response = await api.call('profile', 'findMany', { where: { settings: { path: '$**.a', equals: 1 } } })
    expect(response.status, response.body.message).toBe(400)
  })
})
