import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: filters of updateMany and deleteMany', (db) => {
  let api: RpcClient

  beforeEach(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  it('rejects generated filters that match all rows with 400', async () => {
    const { json } = fc.letrec<{ json: Record<string, unknown> }>((tie) => {
      const filter = tie('json')
      const list = fc.array(filter, { maxLength: 2 })
      const text = fc.constantFrom<object>({ in: [] }, { notIn: [] }, { contains: '' }, {}, { not: { contains: '' } })
      const number = fc.constantFrom<object>({ in: [] }, { not: { notIn: [] } }, { notIn: [], in: [] }, { not: {} })
      const comment = fc.constantFrom({}, { OR: [] }, { body: { notIn: [] } })
      const one = (quantifier: string) => comment.map((part) => ({ [quantifier]: part }))
      const parts: Record<string, fc.Arbitrary<unknown>> = {
        AND: fc.oneof(filter, list),
        OR: list,
        NOT: fc.oneof(filter, list),
        title: text,
        content: text,
        viewCount: number,
        author: fc.oneof(
          tie('people'),
          tie('people').map((is) => ({ is })),
          tie('people').map((isNot) => ({ isNot })),
        ),
      }
      const members = Object.entries(parts).map(([key, value]) => value.map((part) => ({ [key]: part })))
      const people = fc.oneof(
        fc.constantFrom<Record<string, unknown>>({}, { OR: [] }, { name: { not: null } }, { id: { notIn: [] } }),
        fc.oneof(...['some', 'every', 'none'].map(one)).map((comments) => ({ comments })),
      )
      const [first = fc.constant({}), ...others] = members
      return { json: fc.oneof({ maxDepth: 4 }, fc.constant({}), first, ...others), people }
    })
    // Without this author, all authors have comments.
    const silent = { email: 'silent@example.com', password: 'long enough' }
    await db.orm.post.create({ data: { slug: 'silent', title: 'Silent', author: { create: silent } } })
    const total = await db.orm.post.count()
    await fc.assert(
      fc.asyncProperty(json, async (where) => {
        fc.pre(Object.keys(where).length > 0)
        const count = await db.orm.post.count({ where })
        const { status } = await api.call('post', 'updateMany', { where, data: {} })
        // Prisma matches no rows or all rows for an empty `OR`, depending on the conditions next to it.
        if (count === total || status !== 400)
          expect([status, count]).toEqual(count === total ? [400, total] : [200, count])
      }),
      { numRuns: runs(db.concurrent ? 25 : 60), endOnFailure: true },
    )
  }, 90_000)
})
