import { PrismaPg } from '@prisma/adapter-pg'
import { HTTPException } from 'hono/http-exception'
import { beforeEach, expect, it, vi } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import { clientOf as restClientOf, ENDPOINT } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, clientOf, rpcClient, superjsonOf } from './client.js'

const BIG = 9_007_199_254_740_993n
const MOMENT = new Date('2024-02-29T12:34:56.789Z')

describeDatabases('RPC: operations', (db) => {
  let api: RpcClient
  beforeEach(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  it('preserves values sent with meta', async () => {
    const adPrice = new db.client.Prisma.Decimal('123456789.25')
    const row = await api.result('category', 'create', { data: { name: 'Typed', readers: BIG, adPrice } })
    expect(row).toMatchObject({ readers: BIG, adPrice })
    const where = { readers: BIG, adPrice: { gte: adPrice } }
    expect(await api.result('category', 'findMany', { where })).toEqual([row])
    const update = (model: string, data: object) => api.result(model, 'update', { where: { id: 1 }, data })
    const avatar = new Uint8Array([0, 1, 254, 255])
    expect(await update('profile', { avatar })).toMatchObject({ avatar })
    expect(await api.result('profile', 'count', { where: { avatar } })).toBe(1)
    expect(await update('post', { publishedAt: MOMENT })).toMatchObject({ publishedAt: MOMENT })
    const published = { where: { publishedAt: { in: [MOMENT] } }, select: { id: true } }
    expect(await api.result('post', 'findMany', published)).toEqual([{ id: 1 }])
    // A Decimal in Json is stored as its JSON.
    const price = new db.client.Prisma.Decimal('1234567890.12345678901234567890')
    const settings = { price: price.toJSON(), list: [price.toJSON()] }
    expect(await update('profile', { settings: { price, list: [price] } })).toMatchObject({ settings })
  })

  it('serializes aggregates and groups like superjson', async () => {
    const superjson = superjsonOf(db.client.Prisma)
    const aggregates = { _sum: { adPrice: true }, _max: { readers: true }, _avg: { adPrice: true } } as const
    const expected = superjson.serialize(await db.orm.category.aggregate(aggregates))
    const { body } = await api.call('category', 'aggregate', aggregates)
    expect(JSON.stringify(body)).toBe(JSON.stringify({ data: expected.json, meta: { serialization: expected.meta } }))
    const groups = { by: ['status'], _max: { publishedAt: true }, orderBy: { status: 'asc' } } as const
    const byStatus = superjson.serialize(await db.orm.post.groupBy({ ...groups, by: ['status'] }))
    expect((await api.call('post', 'groupBy', groups)).body.data).toEqual(byStatus.json)
  })

  it('responds to concurrent upserts of one key with 200 or 409', async () => {
    const args = { where: { name: 'raced' }, create: { name: 'raced' }, update: {} }
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.call('tag', 'upsert', args)))
    expect(responses.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    expect(await db.orm.tag.count({ where: { name: 'raced' } })).toBe(1)
  })

  it('calls getOrm only for valid requests, in both styles, and responds with its error', async () => {
    const getOrm = vi.fn<() => never>(() => {
      throw new HTTPException(401, { message: 'Who are you?' })
    })
    const [restHandler, rpcHandler] = [db.routes.RestApiHandler({ endpoint: ENDPOINT }), db.routes.RPCApiHandler()]
    const rest = restClientOf((request) => restHandler.fetch(request, { getOrm, prefix: '/api' }))
    const rpc = clientOf(
      (request) => rpcHandler.fetch(request, { getOrm, prefix: '/api' }),
      superjsonOf(db.client.Prisma),
    )
    for (const path of ['/nope', '/post?foo=1', '/post?filter[x]=1', '/post/x', '/post?include=x', '/post/1/nope'])
      await rest.get(path)
    await rest.post('/post', { data: { type: 'post', attributes: {} } })
    await rest.patch('/post/1', { data: { type: 'user' } })
    await rest.post('/post/1/relationships/tags', { data: [{ type: 'post', id: '1' }] })
    expect((await rpc.call('post', 'findMany', { nope: 1 })).status).toBe(400)
    expect(getOrm).not.toHaveBeenCalled()
    const { status, errors } = await rest.get('/post')
    expect([status, errors[0]?.code]).toEqual([401, 'unauthenticated'])
    expect(getOrm).toHaveBeenCalledTimes(1)
    expect((await rpc.call('post', 'findMany')).status).toBe(401)
    expect(getOrm).toHaveBeenCalledTimes(2)
  })

  it.runIf(db.provider === 'postgresql')('responds with 503 if the server is unreachable', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const adapter = new PrismaPg({ connectionString: 'postgresql://nobody@127.0.0.1:1/nothing' })
    const orm = new db.client.PrismaClient({ adapter })
    const response = await rpcClient(db, {}, orm satisfies Orm).call('post', 'findMany', {})
    expect([response.status, response.body.message]).toEqual([503, expect.not.stringContaining('127.0.0.1')])
    log.mockRestore()
  })
})
