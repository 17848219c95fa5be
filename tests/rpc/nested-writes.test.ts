import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { rpcClient } from './client.js'

const list = (length: number) => Array.from({ length }, (_, index) => index)

const tag = (index: number) => ({ where: { name: `n${index}` }, create: { name: `n${index}` } })
const post = (at: number) => ({ slug: `nested-${at}`, title: 'Nested', tags: { connectOrCreate: [tag(at)] } })
const change = (id: number) => ({ where: { id }, data: { title: 'x' } })
const tags = (count: number) => ({ tags: { connectOrCreate: list(count).map(tag) } })
const changes = (count: number) => ({ posts: { updateMany: list(count).map(change) } })

describeDatabases('RPC: limits.nestedWrites', (db) => {
  beforeEach(() => db.fill(seedBlog).then(() => undefined))
  const limited = (nestedWrites: number) => rpcClient(db, { limits: { nestedWrites } })
  const where = { id: 1 }

  it.each<[string, string, string, (count: number) => object]>([
    ['connectOrCreate', 'post', 'update', (count) => ({ data: tags(count) })],
    [
      'create with nested writes',
      'user',
      'update',
      (count) => ({ data: { posts: { create: list(count / 2).map(post) } } }),
    ],
    [
      'behind a to-one relation',
      'profile',
      'update',
      (count) => ({ data: { user: { update: { data: changes(count - 1) } } } }),
    ],
    ['in both parts of an upsert', 'post', 'upsert', (count) => ({ create: post(99), update: tags(count - 1) })],
  ])('%s: rejects more writes than the limit with 400 and no query', async (_what, model, operation, args) => {
    const { status, body } = await limited(6).call(model, operation, { where, ...args(6) })
    expect(status, body.message).toBe(200)
    const queries = await db.queriesOf(async () => {
      expect((await limited(6).call(model, operation, { where, ...args(8) })).status).toBe(400)
    })
    expect(queries).toEqual([])
  })

  it('does not count writes that run together', async () => {
    const create = list(5).map((index) => ({ slug: `together-${index}`, title: 'Together' }))
    const data = { posts: { create, connect: list(5).map((id) => ({ id: id + 1 })) } }
    expect((await limited(1).call('user', 'update', { where, data })).status).toBe(200)
  })

  it.each(['connect', 'disconnect', 'set'])('%s: counts once per 100 members', async (operation) => {
    const call = (count: number) => {
      const names = list(count).map((index) => ({ name: `none-${index}` }))
      return limited(2).call('post', 'update', { where, data: { tags: { [operation]: names } } })
    }
    const { status, body } = await call(201)
    expect([status, body.message]).toEqual([400, expect.stringContaining('2 nested writes')])
    expect((await call(200)).status).not.toBe(400)
  })
})

describeDatabases('RPC: writes to one to-one relation', (db) => {
  beforeEach(() => db.fill(seedBlog).then(() => undefined))
  const where = { id: 1 }
  const create = { email: 'new@example.com', password: 'long enough' }
  const upsert = { where: {}, create, update: { name: 'Changed' } }

  it.each<[string, number | null, object, string | null]>([
    ['upsert of a related row', 1, { upsert }, 'ada.okafor@example.com'],
    ['upsert without a related row', null, { upsert }, create.email],
    ['upsert with create', 1, { create, upsert }, create.email],
    ['upsert with connect', null, { connect: { id: 2 }, upsert }, 'bruno.carvalho@example.com'],
    ['disconnect with upsert', 1, { disconnect: true, upsert }, null],
    ['disconnect with update', 1, { disconnect: true, update: { name: 'Changed' } }, null],
  ])('%s: stores the same link on all databases', async (_what, authorId, author, email) => {
    await db.orm.post.update({ where, data: { authorId } })
    const { status, body } = await rpcClient(db).call('post', 'update', { where, data: { author } })
    expect(status, body.message).toBe(200)
    const post = await db.orm.post.findUniqueOrThrow({ where, include: { author: true } })
    expect(post.author?.email ?? null).toBe(email)
  })

  it.each<[string, object, string]>([
    ['a disconnect', { disconnect: { name: 'x' } }, 'data.author.disconnect cannot contain conditions'],
    [
      'an upsert',
      { upsert: { ...upsert, where: { name: 'x' } } },
      'data.author.upsert.where cannot contain conditions',
    ],
  ])('rejects conditions in %s, which Prisma ignores or applies to another table', async (_what, author, message) => {
    await db.orm.post.update({ where, data: { authorId: 1 } })
    const { status, body } = await rpcClient(db).call('post', 'update', { where, data: { author } })
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
    expect(await db.orm.post.findUnique({ where })).toMatchObject({ authorId: 1 })
  })

  it('creates the row of an upsert with conditions if the other row has the foreign key', async () => {
    await db.orm.profile.deleteMany({ where: { userId: 1 } })
    const profile = { upsert: { where: { user: { name: 'x' } }, create: { bio: 'New' }, update: {} } }
    const { status, body } = await rpcClient(db).call('user', 'update', { where, data: { profile } })
    expect(status, body.message).toBe(200)
    expect(await db.orm.profile.findUnique({ where: { userId: 1 } })).toMatchObject({ bio: 'New' })
  })
})
