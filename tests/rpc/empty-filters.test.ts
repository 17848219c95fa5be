import { beforeEach, expect, it } from 'vitest'

import { seed } from '../../fixtures/blog/seed.js'
import { describeDatabases } from '../support/databases.js'
import { type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: filters of what is changed many at a time', (db) => {
  let api: RpcClient

  beforeEach(async () => {
    await db.reset()
    await seed(db.orm)
    api = rpcClient(db)
  })

  it.each([
    { AND: [] },
    { AND: {} },
    { AND: [{}] },
    { OR: [{}] },
    { NOT: [] },
    { NOT: {} },
    { NOT: [{ AND: [] }] },
    { content: {} },
    { content: { not: {} } },
    { author: {} },
    { author: { profile: {} } },
    { author: { name: {} } },
    { comments: {} },
    { comments: { every: {} } },
    { AND: [], NOT: { title: {} } },
  ])('%j is not taken for all rows', async (where) => {
    const before = await db.orm.post.findMany({ orderBy: { id: 'asc' } })
    const removed = await api.call('post', 'deleteMany', { where })
    const changed = await api.call('post', 'updateMany', { where, data: { title: 'Changed' } })
    for (const answer of [removed, changed]) {
      expect(answer).toMatchObject({
        status: 400,
        body: { message: 'where must not be empty inside; {} stands for all rows.' },
      })
    }
    expect(await db.orm.post.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })

  it.each([
    {},
    { OR: [] },
    { AND: [], id: 1 },
    { AND: [{}, { id: 1 }] },
    { NOT: [{ id: 1 }] },
    { content: null },
    { author: null },
    { comments: { some: {} } },
    { comments: { none: {} } },
    { title: { not: 'x' } },
  ])('%j is a filter', async (where) => {
    const count = await db.orm.post.count({ where })
    const answer = await api.call('post', 'updateMany', { where, data: { title: 'Changed' } })
    expect(answer).toMatchObject({ status: 200, body: { data: { count } } })
  })

  it('an empty filter of a Json field is not taken for all rows', async () => {
    expect((await api.call('profile', 'deleteMany', { where: { settings: {} } })).status).toBe(400)
    expect((await api.call('profile', 'deleteMany', { where: { settings: { equals: {} } } })).status).toBe(200)
  })
})
