import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

const INT = 2 ** 31 - 1
const BIGINT = 2n ** 63n - 1n

describeDatabases('RPC: arithmetic', (db) => {
  let api: RpcClient

  beforeEach(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
    await db.orm.comment.create({ data: { postId: 1, seq: 1000, body: 'x' } })
  })

  const where = { postId_seq: { postId: 1, seq: 1000 } }

  it.each([
    ['increment', INT - 1000, INT],
    ['decrement', 1000 + INT + 1, -INT - 1],
    ['decrement', -INT + 1000, INT],
    ['multiply', Math.floor(INT / 1000), Math.floor(INT / 1000) * 1000],
    ['multiply', -Math.floor((INT + 1) / 1000), -Math.floor((INT + 1) / 1000) * 1000],
    ['divide', 10, 100],
  ])(
    '%s by %i: accepts results within the Int range and rejects others with 422',
    async (operation, operand, result) => {
      const step = operation === 'divide' ? -operand : operand + Math.sign(operand)
      const operations = [
        ['update', { where }],
        ['updateMany', { where: { seq: 1000 } }],
      ] as const
      if (operation !== 'divide' && Math.abs(step) <= INT) {
        for (const [name, rows] of operations) {
          const { status, body } = await api.call('comment', name, { ...rows, data: { seq: { [operation]: step } } })
          expect(status, body.message).toBe(422)
        }
        const upsert = { where, create: { postId: 1, seq: 1, body: 'x' }, update: { seq: { [operation]: step } } }
        expect((await api.call('comment', 'upsert', upsert)).status).toBe(422)
        expect(await db.orm.comment.count({ where: { seq: 1000 } })).toBe(1)
      }
      const data = { seq: { [operation]: operand } }
      // Operands outside the range of the type are rejected before the query.
      const allowed = operand <= INT && operand >= -INT - 1
      const response = await api.call('comment', 'update', { where, data })
      expect([response.status, response.body.data]).toEqual(
        allowed ? [200, expect.objectContaining({ seq: result })] : [422, undefined],
      )
    },
  )

  it('rejects BigInt and Decimal results out of range with 422', async () => {
    const category = await db.orm.category.create({ data: { name: 'big', readers: BIGINT - 1n, adPrice: '1e30' } })
    const args = (data: object) => ({ where: { id: category.id }, data })
    expect((await api.call('category', 'update', args({ readers: { increment: 2n } }))).status).toBe(422)
    expect((await api.call('category', 'update', args({ readers: { multiply: -2n } }))).status).toBe(422)
    expect((await api.call('category', 'update', args({ readers: { increment: 1n } }))).status).toBe(200)
    if (db.provider === 'sqlite') {
      expect((await api.call('category', 'update', args({ adPrice: { multiply: '1e290' } }))).status).toBe(422)
    }
    expect(await db.orm.category.findUnique({ where: { id: category.id } })).toMatchObject({ readers: BIGINT })
  })

  it('rejects a division by 0 with 422', async () => {
    expect((await api.call('comment', 'update', { where, data: { seq: { divide: 0 } } })).status).toBe(422)
  })

  it('rejects nested arithmetic that leaves the Int range with 422', async () => {
    const update = { where, data: { seq: { increment: INT } } }
    expect((await api.call('post', 'update', { where: { id: 1 }, data: { comments: { update } } })).status).toBe(422)
    const updateMany = { where: { seq: 1000 }, data: { seq: { increment: INT } } }
    expect((await api.call('post', 'update', { where: { id: 1 }, data: { comments: { updateMany } } })).status).toBe(
      422,
    )
    expect(await db.orm.comment.count({ where: { seq: 1000 } })).toBe(1)
  })

  it('rejects writes of a database-generated id with 403', async () => {
    const before = await db.orm.post.findMany({ orderBy: { id: 'asc' } })
    const row = { id: INT, slug: 'new', title: 'New' }
    for (const [operation, args] of [
      ['create', { data: row }],
      ['createMany', { data: [row] }],
      ['update', { where: { id: 1 }, data: { id: INT } }],
      ['upsert', { where: { id: INT }, create: row, update: {} }],
    ] as const) {
      expect((await api.call('post', operation, args)).status).toBe(403)
    }
    expect((await api.call('user', 'update', { where: { id: 1 }, data: { posts: { create: row } } })).status).toBe(403)
    expect(await db.orm.post.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })
})
