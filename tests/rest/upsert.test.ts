import { beforeEach, expect, it } from 'vitest'

import { rpcClient } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { restClient } from './support/client.js'

const twenty = Array.from({ length: 20 }, (_, index) => index)

describeDatabases('upserts of one key', (db) => {
  beforeEach(async () => void (await db.fill(fillBlog)))

  const all = async (send: (index: number) => Promise<{ readonly status: number }>) =>
    (await Promise.all(twenty.map(send))).map(({ status }) => status).sort()

  it('REST: creates one row for twenty concurrent requests', async () => {
    const meta = { operation: 'upsert', matchFields: ['slug'] }
    const upsert = (title: string) => ({ data: { type: 'post', attributes: { slug: 'race', title } }, meta })
    const statuses = await all((index) => restClient(db).post('/post', upsert(`Title ${index}`)))
    expect(statuses).toEqual([...twenty.slice(1).map(() => 200), 201])
    expect(await db.orm.post.count({ where: { slug: 'race' } })).toBe(1)
  })

  it('RPC: responds with 200 to twenty concurrent requests and leaves one row', async () => {
    const where = { email: 'one@example.com' }
    const upsert = (name: string) => ({ where, create: { ...where, password: 'long enough', name }, update: { name } })
    const statuses = await all((index) => rpcClient(db).call('user', 'upsert', upsert(`${index}`)))
    expect(statuses).toEqual(twenty.map(() => 200))
    expect(await db.orm.user.count({ where })).toBe(1)
  })

  // No database can do this in one statement: Prisma reads first and then writes.
  it('RPC: responds with 200 to twenty concurrent requests that also write a relation', async () => {
    const where = { name: 'One' }
    const upsert = (index: number) => {
      const posts = { create: { slug: `post-${index}`, title: 'A post' } }
      return rpcClient(db).call('category', 'upsert', { where, create: { ...where, posts }, update: { posts } })
    }
    expect(await all(upsert)).toEqual(twenty.map(() => 200))
    expect(await db.orm.category.findMany({ where, include: { _count: true } })).toMatchObject([
      { _count: { posts: 20 } },
    ])
  })

  it('RPC: rejects a conflict on another unique field with 409 after few retries', async () => {
    let attempts = 0
    const orm = db.orm.$extends({ query: { post: { upsert: ({ args, query }) => (attempts++, query(args)) } } })
    const args = { where: { id: 9999 }, create: { slug: 'one', title: 'x' }, update: {} }
    expect((await rpcClient(db, {}, orm).call('post', 'upsert', args)).status).toBe(409)
    expect(attempts).toBeLessThanOrEqual(3)
  })

  it('RPC: does not retry if a client extension throws after the upsert', async () => {
    const orm = db.orm.$extends({
      query: {
        category: {
          async upsert({ args, query }) {
            await query(args)
            throw Object.assign(new Error('A log has this entry.'), { code: 'P2002' })
          },
        },
      },
    })
    const where = { name: 'Physics' }
    const args = { where, create: where, update: { readers: { increment: 1 } } }
    expect((await rpcClient(db, {}, orm).call('category', 'upsert', args)).status).toBe(409)
    expect(await db.orm.category.findUnique({ where })).toMatchObject({ readers: 6n })
  })
})
