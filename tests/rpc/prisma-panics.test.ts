import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { fixtureRpc, type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: arguments that crash the Prisma client', (db) => {
  let api: RpcClient

  beforeEach(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  it.each([
    ['an operator', { id: 1, title: { not: 'a' } }, 'cursor.title'],
    ['an empty filter', { id: 1, viewCount: {} }, 'cursor.viewCount'],
    ['null', { id: 1, content: null }, 'cursor.content'],
    ['a relation', { id: 1, author: {} }, 'cursor.author'],
    ['a combination', { id: 1, AND: [] }, 'cursor.AND'],
  ])('%s in a cursor: rejects with 400', async (_, cursor, path) => {
    const { status, body } = await api.call('post', 'findMany', { cursor })
    expect([status, body.message]).toEqual([400, `${path} cannot be part of a cursor, which consists of unique keys.`])
    const { status: other } = await api.call('post', 'findMany', { cursor: { id: 1, status: 'PUBLISHED' }, take: 1 })
    expect(other).toBe(200)
    const within = await api.call('user', 'findUnique', { where: { id: 1 }, include: { posts: { cursor } } })
    expect(within.status).toBe(400)
  })

  it('rejects relations in updateManyAndReturn with empty data with 400', async () => {
    const where = { id: { lt: 3 } }
    const rejected = await api.call('post', 'updateManyAndReturn', { where, data: {}, include: { author: true } })
    // The client for MySQL does not have this operation.
    if (rejected.status === 404) return
    expect([rejected.status, rejected.body.message]).toEqual([400, 'data must not be empty if relations are selected.'])
    const rows = await api.result('post', 'updateManyAndReturn', { where, data: {}, select: { id: true } })
    expect(rows).toHaveLength(2)
  })
})

describeDatabases(
  'RPC: empty distinct',
  (db) => {
    it('responds with 200', async () => {
      const responses = [
        await fixtureRpc(db).call('word', 'findMany', { distinct: [] }),
        await fixtureRpc(db).call('word', 'findMany', { include: { sentences: { distinct: [] } } }),
      ]
      expect(responses.map(({ status }) => status)).toEqual([200, 200])
    })
  },
  { fixture: 'names', only: ['PGlite'] },
)

describeDatabases(
  'RPC: having with a list field',
  (db) => {
    it('rejects with 400', async () => {
      const having = { texts: { has: 'a' } }
      const { status, body } = await fixtureRpc(db).call('scalars', 'groupBy', { by: ['int'], having })
      expect([status, body.message]).toEqual([400, 'having.texts is a list and cannot be used to filter groups.'])
    })
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)

describeDatabases(
  'RPC: case-insensitive search',
  (db) => {
    const find = async (code: object) => {
      const { status, body } = await fixtureRpc(db).call('uniqueonly', 'findMany', { where: { code } })
      return [status, body.message]
    }

    it.each([
      ['in one filter', { search: 'a', mode: 'insensitive' }],
      ['in a nested filter', { not: { not: { search: 'a' } }, mode: 'insensitive' }],
    ])('%s: rejects search with a mode with 400', async (_, code) => {
      expect(await find(code)).toEqual([
        400,
        expect.stringContaining('must not combine "search" with an insensitive "mode"'),
      ])
    })

    it('accepts search with the default mode', async () => {
      expect(await find({ search: 'a', mode: 'default' })).toEqual([200, undefined])
    })
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)
