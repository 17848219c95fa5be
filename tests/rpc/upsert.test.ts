import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { rpcClient } from './client.js'

describeDatabases('RPC: concurrent upserts of one key', (db) => {
  beforeEach(() => db.reset())

  const many = Array.from({ length: 20 }, (_, index) => index)

  it('responds with 200 to each and leaves one row', async () => {
    const api = rpcClient(db)
    const responses = await Promise.all(
      many.map((index) =>
        api.call('user', 'upsert', {
          where: { email: 'one@example.com' },
          create: { email: 'one@example.com', password: 'long enough', name: `${index}` },
          update: { name: `${index}` },
        }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(many.map(() => 200))
    expect(await db.orm.user.count()).toBe(1)
  })

  // No database can do this in one statement: Prisma reads first and then writes.
  it('responds with 200 to each upsert that also writes a relation', async () => {
    const api = rpcClient(db)
    const responses = await Promise.all(
      many.map((index) =>
        api.call('category', 'upsert', {
          where: { name: 'One' },
          create: { name: 'One', posts: { create: { slug: `post-${index}`, title: 'A post' } } },
          update: { posts: { create: { slug: `post-${index}`, title: 'A post' } } },
        }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(many.map(() => 200))
    expect(await db.orm.category.count()).toBe(1)
    expect(await db.orm.post.count()).toBe(20)
  })

  it('rejects a conflict on another unique field with 409 after few retries', async () => {
    await db.orm.post.create({ data: { slug: 'taken', title: 'Taken' } })
    let attempts = 0
    const orm = db.orm.$extends({
      query: { post: { upsert: ({ args, query }) => (attempts++, query(args)) } },
    })
    const args = { where: { id: 9999 }, create: { slug: 'taken', title: 'x' }, update: {} }
    expect((await rpcClient(db, {}, orm).call('post', 'upsert', args)).status).toBe(409)
    expect(attempts).toBeLessThanOrEqual(3)
  })

  it('does not retry if a client extension throws after the upsert', async () => {
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
    await db.orm.category.create({ data: { name: 'One', readers: 1n } })
    const args = { where: { name: 'One' }, create: { name: 'One' }, update: { readers: { increment: 1 } } }
    expect((await rpcClient(db, {}, orm).call('category', 'upsert', args)).status).toBe(409)
    expect(await db.orm.category.findFirst()).toMatchObject({ readers: 2n })
  })
})
