import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { fixtureRpc, type RpcClient, rpcClient } from './client.js'

describeDatabases("RPC: what makes Prisma's client fail", (db) => {
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
  ])('%s in a cursor is refused, and a value is not', async (_, cursor, path) => {
    const { status, body } = await api.call('post', 'findMany', { cursor })
    expect([status, body.message]).toEqual([400, `${path} cannot be part of a cursor, which is of unique criteria.`])
    const { status: other } = await api.call('post', 'findMany', { cursor: { id: 1, status: 'PUBLISHED' }, take: 1 })
    expect(other).toBe(200)
    const within = await api.call('user', 'findUnique', { where: { id: 1 }, include: { posts: { cursor } } })
    expect(within.status).toBe(400)
  })

  it('relations of rows that are changed in nothing are refused', async () => {
    const where = { id: { lt: 3 } }
    const refused = await api.call('post', 'updateManyAndReturn', { where, data: {}, include: { author: true } })
    // MySQL's client has no such operation.
    if (refused.status === 404) return
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'data must change something where relations are answered.',
    ])
    const rows = await api.result('post', 'updateManyAndReturn', { where, data: {}, select: { id: true } })
    expect(rows).toHaveLength(2)
  })
})

describeDatabases(
  'RPC: rows that are compared by nothing',
  (db) => {
    it('are all answered', async () => {
      const answers = [
        await fixtureRpc(db).call('word', 'findMany', { distinct: [] }),
        await fixtureRpc(db).call('word', 'findMany', { include: { sentences: { distinct: [] } } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    })
  },
  { fixture: 'names', only: ['PGlite'] },
)

describeDatabases(
  'RPC: groups of rows with lists',
  (db) => {
    it('are not filtered by the lists', async () => {
      const having = { texts: { has: 'a' } }
      const { status, body } = await fixtureRpc(db).call('scalars', 'groupBy', { by: ['int'], having })
      expect([status, body.message]).toEqual([400, 'having.texts is a list, by which no groups can be filtered.'])
    })
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)

describeDatabases(
  'RPC: searches that are to ignore case',
  (db) => {
    const find = async (code: object) => {
      const { status, body } = await fixtureRpc(db).call('uniqueonly', 'findMany', { where: { code } })
      return [status, body.message]
    }

    it.each([
      ['beside each other', { search: 'a', mode: 'insensitive' }],
      ['one within the other', { not: { not: { search: 'a' } }, mode: 'insensitive' }],
    ])('are refused, %s', async (_, code) => {
      expect(await find(code)).toEqual([400, expect.stringContaining('must not hold "search" where "mode"')])
    })

    it('are answered without that', async () => {
      expect(await find({ search: 'a', mode: 'default' })).toEqual([200, undefined])
    })
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)
