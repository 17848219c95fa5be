import { createPrismaAbility, type PrismaQueryOf } from '@casl/prisma/runtime'
import { beforeEach, expect, it } from 'vitest'

import { categoryResource } from '../../fixtures/blog/expected/category/resource.js'
import { commentResource } from '../../fixtures/blog/expected/comment/resource.js'
import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { profileResource } from '../../fixtures/blog/expected/profile/resource.js'
import { tagResource } from '../../fixtures/blog/expected/tag/resource.js'
import { userResource } from '../../fixtures/blog/expected/user/resource.js'
import type { Prisma } from '../../fixtures/blog/client/client.js'
import { createPolicies } from '../../runtime/policy/index.js'
import { type Database, describeDatabases } from '../support/databases.js'

const enforce = createPolicies([
  categoryResource,
  commentResource,
  postResource,
  profileResource,
  tagResource,
  userResource,
])

const WRITES: Readonly<Record<string, Prisma.CommentUpdateManyWithoutAuthorNestedInput>> = {
  updateMany: { updateMany: { where: {}, data: { body: 'changed' } } },
  deleteMany: { deleteMany: {} },
  set: { set: [] },
}

/**
 * Prisma 7.10 finds the members of a row by their compound ids, and then writes every row whose first part equals any first
 * part and whose second part equals any second part. That includes rows of other owners. The policy layer writes only the
 * rows that it found.
 */
describeDatabases('policy: bulk writes of members with compound ids', (db) => {
  beforeEach(async () => {
    await db.reset()
    const users = [1, 2].map((n) => ({ email: `user${n}@example.com`, password: 'long enough' }))
    await db.orm.user.createMany({ data: users })
    await db.orm.post.createMany({ data: [1, 2].map((n) => ({ slug: `post-${n}`, title: 't' })) })
    await db.orm.comment.createMany({
      data: [
        { postId: 1, seq: 1, authorId: 1, body: 'mine' },
        { postId: 2, seq: 2, authorId: 1, body: 'mine' },
        { postId: 1, seq: 2, authorId: 2, body: 'theirs' },
        { postId: 2, seq: 1, authorId: 2, body: 'theirs' },
      ],
    })
  })
  const policed = () => {
    const rules = [
      { action: 'manage', subject: 'User', conditions: { id: { gt: 0 } } },
      { action: 'manage', subject: 'Post', conditions: { id: { gt: 0 } } },
      { action: 'manage', subject: 'Comment', conditions: { seq: { gt: 0 } } },
    ]
    const ability = createPrismaAbility<[string, string], PrismaQueryOf<Prisma.TypeMap>>(rules)
    const orm: unknown = db.orm.$extends(enforce(ability))
    return orm as Database['orm']
  }
  const untouched = () => db.orm.comment.count({ where: { authorId: 2, body: 'theirs' } })

  for (const [operation, comments] of Object.entries(WRITES)) {
    it(`${operation}: does not change members of other rows`, async () => {
      await policed().user.update({ where: { id: 1 }, data: { comments } })
      expect(await untouched()).toBe(2)
      expect(await db.orm.comment.count({ where: { authorId: 1, body: 'mine' } })).toBe(0)
    })

    it(`${operation}: changes members of other rows without policies`, async () => {
      await db.orm.user.update({ where: { id: 1 }, data: { comments } })
      // If this fails, Prisma fixed the bug: let the property of writes generate these again.
      expect(await untouched()).toBe(0)
    })
  }

  it('throws P2014 on a disconnect through a required relation', async () => {
    for (const orm of [db.orm, policed()]) {
      for (const disconnect of [[], [{ postId_seq: { postId: 2, seq: 1 } }]]) {
        const update = orm.post.update({ where: { id: 1 }, data: { comments: { disconnect } } })
        await expect(update).rejects.toMatchObject({ code: 'P2014' })
      }
    }
  })
})
