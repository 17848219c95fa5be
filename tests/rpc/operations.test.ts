import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient, superjsonOf } from './client.js'

const BIG = 9_007_199_254_740_993n
const MOMENT = new Date('2024-02-29T12:34:56.789Z')

describeDatabases('RPC: operations', (db) => {
  let api: RpcClient
  beforeEach(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  describe('writes', () => {
    it('create: responds with 201 and the row', async () => {
      const data = {
        slug: 'new',
        title: 'New',
        author: { connect: { id: 1 } },
        tags: { create: { name: 'brand-new' } },
      }
      const { status, body } = await api.call('post', 'create', { data, include: { tags: true } })
      expect([status, body.data]).toEqual([
        201,
        expect.objectContaining({ authorId: 1, tags: [{ name: 'brand-new' }] }),
      ])
      expect(await db.orm.post.count({ where: { slug: 'new', tags: { some: { name: 'brand-new' } } } })).toBe(1)
    })

    it('createMany: responds with 201 and the count', async () => {
      const data = [{ name: 'one' }, { name: 'two' }]
      expect(await api.call('tag', 'createMany', { data })).toMatchObject({ status: 201, body: { data: { count: 2 } } })
      expect(await db.orm.tag.count({ where: { name: { in: ['one', 'two'] } } })).toBe(2)
    })

    it('update: responds with 200 and the row', async () => {
      const args = { where: { slug: 'hello-world' }, data: { title: 'Changed' }, select: { title: true } }
      expect(await api.call('post', 'update', args)).toMatchObject({
        status: 200,
        body: { data: { title: 'Changed' } },
      })
      expect(await api.call('post', 'update', args, 'PUT')).toMatchObject({ status: 200 })
    })

    it('updateMany: responds with 200 and the count', async () => {
      const args = { where: { id: { in: [1, 2] } }, data: { content: null } }
      expect(await api.call('post', 'updateMany', args)).toMatchObject({ status: 200, body: { data: { count: 2 } } })
    })

    it('upsert: responds with 200 to both a create and an update', async () => {
      const args = { where: { slug: 'ups' }, create: { slug: 'ups', title: 'Created' }, update: { title: 'Updated' } }
      const responses = [await api.call('post', 'upsert', args), await api.call('post', 'upsert', args)]
      expect(responses.map(({ status }) => status)).toEqual([200, 200])
      expect(responses.map(({ body }) => body.data)).toEqual([
        expect.objectContaining({ title: 'Created' }),
        expect.objectContaining({ title: 'Updated' }),
      ])
    })

    it('delete: responds with 200 and the deleted row', async () => {
      const args = { where: { postId_seq: { postId: 1, seq: 1 } } }
      expect(await api.call('comment', 'delete', args)).toMatchObject({
        status: 200,
        body: { data: { postId: 1, seq: 1 } },
      })
      expect(await db.orm.comment.findUnique(args)).toBeNull()
    })

    it('deleteMany: deletes all rows only with an explicit `where: {}`', async () => {
      expect((await api.call('comment', 'deleteMany', {})).status).toBe(400)
      const count = await db.orm.comment.count()
      expect(await api.call('comment', 'deleteMany', { where: {} })).toMatchObject({
        status: 200,
        body: { data: { count } },
      })
    })

    it('createManyAndReturn and updateManyAndReturn: returns the rows, or 404 on MySQL', async () => {
      const created = await api.call('tag', 'createManyAndReturn', { data: [{ name: 'one' }, { name: 'two' }] })
      const updated = await api.call('post', 'updateManyAndReturn', {
        where: { id: 1 },
        data: { title: 'x' },
        select: { id: true },
      })
      if (db.provider === 'mysql') {
        expect([created.status, updated.status]).toEqual([404, 404])
      } else {
        expect(created).toMatchObject({ status: 201, body: { data: [{ name: 'one' }, { name: 'two' }] } })
        expect(updated).toMatchObject({ status: 200, body: { data: [{ id: 1 }] } })
      }
    })

    it('rolls back the update if a nested write fails with 409', async () => {
      const data = { title: 'Changed', comments: { create: { seq: 1, body: 'the number is taken' } } }
      expect((await api.call('post', 'update', { where: { id: 1 }, data })).status).toBe(409)
      expect(await db.orm.post.count({ where: { title: 'Changed' } })).toBe(0)
    })
  })

  describe('values that JSON cannot represent', () => {
    const values = { name: 'Typed', readers: BIG, adPrice: '123456789.25' }

    it('preserves values sent with meta', async () => {
      const adPrice = new db.client.Prisma.Decimal(values.adPrice)
      const row = await api.result('category', 'create', { data: { ...values, adPrice } })
      expect(row).toMatchObject({ readers: BIG, adPrice })
      const avatar = new Uint8Array([0, 1, 254, 255])
      const found = await api.result('category', 'findMany', { where: { readers: BIG, adPrice: { gte: adPrice } } })
      expect(found).toEqual([row])
      const profile = await api.result('profile', 'update', { where: { id: 1 }, data: { avatar } })
      expect(profile).toMatchObject({ avatar })
      expect(await api.result('profile', 'count', { where: { avatar } })).toBe(1)
      expect(await api.result('post', 'update', { where: { id: 1 }, data: { publishedAt: MOMENT } })).toMatchObject({
        publishedAt: MOMENT,
      })
      expect(
        await api.result('post', 'findMany', { where: { publishedAt: { in: [MOMENT] } }, select: { id: true } }),
      ).toEqual([{ id: 1 }])
    })

    it('converts values sent without meta to the type of the field', async () => {
      const created = await api.call('category', 'create', { data: { ...values, readers: String(BIG) } })
      expect(created.body.data).toMatchObject({ readers: String(BIG), adPrice: values.adPrice })
      expect(created.body.meta?.serialization).toEqual({
        values: { adPrice: [['custom', 'Decimal']], readers: ['bigint'] },
        v: 1,
      })
      const found = await api.call('category', 'count', {
        where: { readers: { gte: String(BIG) }, adPrice: 123456789.25 },
      })
      expect(found.body).toEqual({ data: 1 })
      const profile = await api.call('profile', 'update', { where: { id: 1 }, data: { avatar: 'AAH+/w==' } })
      expect(profile.body.data).toMatchObject({ avatar: 'AAH+/w==' })
      await api.call('post', 'update', { where: { id: 1 }, data: { publishedAt: MOMENT.toISOString() } })
      const post = await api.call('post', 'findFirst', { where: { publishedAt: { equals: MOMENT.toISOString() } } })
      expect(post.body.data).toMatchObject({ id: 1, publishedAt: MOMENT.toISOString() })
    })

    it('serializes aggregates and groups like superjson', async () => {
      const superjson = superjsonOf(db.client.Prisma)
      const aggregates = { _sum: { adPrice: true }, _max: { readers: true }, _avg: { adPrice: true } } as const
      const expected = superjson.serialize(await db.orm.category.aggregate(aggregates))
      const aggregated = await api.call('category', 'aggregate', aggregates)
      expect(JSON.stringify(aggregated.body)).toBe(
        JSON.stringify({ data: expected.json, meta: { serialization: expected.meta } }),
      )
      const groups = { by: ['status'], _max: { publishedAt: true }, orderBy: { status: 'asc' } } as const
      const byStatus = superjson.serialize(await db.orm.post.groupBy({ ...groups, by: ['status'] }))
      const grouped = await api.call('post', 'groupBy', groups)
      expect(grouped.body.data).toEqual(byStatus.json)
    })

    it('omits meta if all values are plain JSON', async () => {
      const { body } = await api.call('tag', 'findFirst', { orderBy: { name: 'asc' } })
      expect(Object.keys(body)).toEqual(['data'])
    })

    it('stores Json values unchanged and null as an empty column', async () => {
      // Writes either null of a Json column, in the notation of Prisma's protocol.
      const profile = async (value: string) => {
        const settings = { $type: 'Enum', value }
        const stored = await api.call('profile', 'update', { where: { id: 1 }, data: { settings } })
        const where = { id: 1, settings: { equals: settings } }
        const other = { id: 1, settings: { $type: 'Enum', value: value === 'DbNull' ? 'JsonNull' : 'DbNull' } }
        return [
          stored.status,
          await api.result('profile', 'count', { where }),
          await api.result('profile', 'count', { where: other }),
        ]
      }
      expect([await profile('JsonNull'), await profile('DbNull')]).toEqual([
        [200, 1, 0],
        [200, 1, 0],
      ])
      expect(
        (
          await api.call('profile', 'update', {
            where: { id: 1 },
            data: { settings: { $type: 'Enum', value: 'AnyNull' } },
          })
        ).status,
      ).toBe(400)
      // A date in Json is stored as its JSON.
      const body = {
        where: { id: 1 },
        data: { settings: { at: '2024-01-01T00:00:00.000Z', list: [1, '2024-01-02T00:00:00.000Z'] } },
        meta: { serialization: { values: { 'data.settings.at': ['Date'], 'data.settings.list.1': ['Date'] }, v: 1 } },
      }
      expect(await api.result('profile', 'update', body)).toMatchObject({ settings: body.data.settings })
      // So is a Decimal.
      const price = new db.client.Prisma.Decimal('1234567890.12345678901234567890')
      const priced = { where: { id: 1 }, data: { settings: { price, list: [price] } } }
      expect(await api.result('profile', 'update', priced)).toMatchObject({
        settings: { price: price.toJSON(), list: [price.toJSON()] },
      })
      const settings = { theme: 'dark', list: [1, { a: null }], $type: 'x' }
      expect(await api.result('profile', 'update', { where: { id: 1 }, data: { settings } })).toMatchObject({
        settings,
      })
      expect(await api.result('profile', 'count', { where: { settings: { equals: settings } } })).toBe(1)
      expect(await api.result('profile', 'update', { where: { id: 1 }, data: { settings: null } })).toMatchObject({
        settings: null,
      })
      const empty = await db.orm.profile.count({ where: { settings: { equals: db.client.Prisma.DbNull } } })
      expect(await api.result('profile', 'count', { where: { settings: null } })).toBe(empty)
    })
  })

  it('calls getOrm only for valid requests', async () => {
    let ormCalls = 0
    const handler = db.routes.RPCApiHandler()
    const app = db.hono.createHonoHandler({ getOrm: () => (ormCalls++, db.orm), handler })
    expect((await app.request('/post/findMany?q=%7B%22nope%22%3A1%7D')).status).toBe(400)
    expect(ormCalls).toBe(0)
    expect((await app.request('/post/findMany')).status).toBe(200)
    expect(ormCalls).toBe(1)
  })

  it('responds to concurrent upserts of one key with 200 or 409', async () => {
    const args = { where: { name: 'raced' }, create: { name: 'raced' }, update: {} }
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.call('tag', 'upsert', args)))
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await db.orm.tag.count({ where: { name: 'raced' } })).toBe(1)
  })
})
