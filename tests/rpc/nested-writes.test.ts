import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { rpcClient } from './client.js'

function list(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

describeDatabases('RPC: limits.nestedWrites', (db) => {
  beforeEach(async () => {
    await db.fill(seedBlog)
  })

  describe('nested writes at every depth', () => {
    const tag = (index: number) => ({ where: { name: `n${index}` }, create: { name: `n${index}` } })
    const post = (index: number) => ({
      slug: `nested-${index}`,
      title: 'Nested',
      tags: { connectOrCreate: [tag(index)] },
    })
    const where = { id: 1 }
    const change = (id: number) => ({ where: { id }, data: { title: 'x' } })

    it.each<[string, string, string, (count: number) => object]>([
      [
        'connectOrCreate',
        'post',
        'update',
        (count) => ({ where, data: { tags: { connectOrCreate: list(count).map(tag) } } }),
      ],
      [
        'create with nested writes',
        'user',
        'update',
        (count) => ({ where, data: { posts: { create: list(count / 2).map(post) } } }),
      ],
      [
        'behind a to-one relation',
        'profile',
        'update',
        (count) => ({
          where,
          data: { user: { update: { data: { posts: { updateMany: list(count - 1).map(change) } } } } },
        }),
      ],
      [
        'in both parts of an upsert',
        'post',
        'upsert',
        (count) => ({ where, create: post(99), update: { tags: { connectOrCreate: list(count - 1).map(tag) } } }),
      ],
    ])('%s: rejects more writes than the limit with 400 and no query', async (_what, model, operation, args) => {
      const few = rpcClient(db, { limits: { nestedWrites: 6 } })
      const { status, body } = await few.call(model, operation, args(6))
      expect(status, body.message).toBe(200)
      const queries = await db.queriesOf(async () => {
        expect((await few.call(model, operation, args(8))).status).toBe(400)
      })
      expect(queries).toEqual([])
    })

    it('does not count writes that run together', async () => {
      const one = rpcClient(db, { limits: { nestedWrites: 1 } })
      const create = list(5).map((index) => ({ slug: `together-${index}`, title: 'Together' }))
      const data = { posts: { create, connect: list(5).map((id) => ({ id: id + 1 })) } }
      expect((await one.call('user', 'update', { where, data })).status).toBe(200)
    })

    it('counts connect, disconnect and set once per 100 members', async () => {
      const few = rpcClient(db, { limits: { nestedWrites: 2 } })
      const tags = (count: number) => list(count).map((index) => ({ name: `none-${index}` }))
      for (const operation of ['connect', 'disconnect', 'set']) {
        const call = (count: number) =>
          few.call('post', 'update', { where, data: { tags: { [operation]: tags(count) } } })
        expect(await call(201)).toMatchObject({
          status: 400,
          body: { message: expect.stringContaining('2 nested writes') },
        })
        expect((await call(200)).status).not.toBe(400)
      }
    })
  })
})
