import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { restClient } from './support/client.js'

// Other databases do not have this race: PGlite has one connection, and on MySQL a new member waits for the lock of the
// owner's row.
describeDatabases(
  'REST: required members',
  (db) => {
    beforeEach(() => db.fill(fillBlog).then(() => undefined))

    const members = { data: ['1_1', '1_2', '1_3'].map((id) => ({ type: 'comment', id })) }
    const resource = { type: 'post', attributes: { title: 'x' }, relationships: { comments: members } }
    it.each([
      ['/post/1/relationships/comments', members],
      ['/post/1', { data: resource }],
    ])('%s: rejects the removal of a concurrently added member with 403', async (path, body) => {
      const racing = db.orm.$extends({
        query: {
          post: {
            async update({ args, query }) {
              await db.orm.comment.create({ data: { postId: 1, seq: 9, body: 'Wait!' } })
              return query(args)
            },
          },
        },
      })
      const { status, errors } = await restClient(db, {}, racing).patch(path, body)
      expect([status, errors[0]?.code]).toEqual([403, 'relationship-required'])
      expect((await restClient(db).get('/post/1')).one.attributes?.['title']).toBe('One')
    })
  },
  { only: ['SQLite', 'PostgreSQL'] },
)
