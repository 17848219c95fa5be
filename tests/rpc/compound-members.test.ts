import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: members with compound ids', (db) => {
  let api: RpcClient
  beforeEach(async () => {
    await db.reset()
    api = rpcClient(db)
    for (const id of [1, 2]) {
      await db.orm.user.create({ data: { email: `${id}@example.com`, password: 'long enough' } })
      await db.orm.post.create({ data: { slug: `p${id}`, title: 'x' } })
    }
    // Two of the four pairs of a post and a number belong to the first user, and two to the second.
    const [firstUser, secondUser] = (await db.orm.user.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
    const [first = 0, second = 0] = (await db.orm.post.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
    await db.orm.comment.createMany({
      data: [
        { postId: first, seq: 1, body: 'x', authorId: firstUser ?? null },
        { postId: second, seq: 2, body: 'x', authorId: firstUser ?? null },
        { postId: first, seq: 2, body: 'x', authorId: secondUser ?? null },
        { postId: second, seq: 1, body: 'x', authorId: secondUser ?? null },
      ],
    })
  })

  const comments = () => db.orm.comment.findMany({ orderBy: [{ postId: 'asc' }, { seq: 'asc' }] })

  // Why: Prisma 7.10 also writes the comments of other users, see tests/policy/compound-ids.test.ts.
  it.each([{ set: [] }, { updateMany: { where: { seq: 1 }, data: { body: 'y' } } }, { deleteMany: {} }])(
    '%j: rejects a bulk write that would reach members of other rows with 400',
    async (write) => {
      const before = await comments()
      const where = { email: '1@example.com' }
      const response = await api.call('user', 'update', { where, data: { comments: write } })
      expect([response.status, response.body.message]).toEqual([
        400,
        expect.stringMatching(
          /^data\.comments\.\w+ cannot be used for related rows with compound ids: identify each row by its id/,
        ),
      ])
      expect(await comments()).toEqual(before)
    },
  )

  it('accepts deleteMany if the foreign key is the id without one part', async () => {
    const data = { comments: { deleteMany: {} } }
    expect((await api.call('post', 'update', { where: { slug: 'p1' }, data })).status).toBe(200)
    const left = await db.orm.comment.findMany({ include: { post: true }, orderBy: { seq: 'asc' } })
    expect(left.map(({ post, seq }) => [post.slug, seq])).toEqual([
      ['p2', 1],
      ['p2', 2],
    ])
  })
})
