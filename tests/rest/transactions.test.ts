import { beforeEach, describe, expect, it } from 'vitest'

import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { tagRpc } from '../../fixtures/blog/expected/tag/rpc.js'
import { transactions } from '../../runtime/features/transactions/index.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import { rpcClient } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { MEDIA_TYPE, type RestClient, restClient } from './support/client.js'

const ATOMIC = { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` }
const operate = (rest: RestClient, operations: readonly object[]) =>
  rest.post('/operations', { 'atomic:operations': operations }, ATOMIC)
const post = (slug: string, lid?: string) => ({ type: 'post', lid, attributes: { slug, title: slug } })
const rename = (target: object, title: string) => ({
  op: 'update',
  data: { type: 'post', ...target, attributes: { title } },
})
const list = (length: number) => Array.from({ length }, (_, index) => index)

describeDatabases('REST: atomic operations', (db) => {
  let rest: RestClient
  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db, { atomicOperations: true })
  })

  it('serializes values like other responses', async () => {
    const attributes = { name: 'New', readers: '12', adPrice: '1.50' }
    const { text } = await operate(rest, [{ op: 'add', data: { type: 'category', attributes } }])
    const [created] = JSON.parse(text)['atomic:results']
    const { one, body } = await rest.get(`/category/${created.data.id}`)
    expect(created).toEqual({ data: one, meta: body.meta })
  })

  it('stops writing once the response exceeds limits.responseBytes', async () => {
    const limited = restClient(db, { atomicOperations: true, limits: { responseBytes: 1500 } })
    const many = list(50).map((index) => ({ op: 'add', data: post(`many-${index}`) }))
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await operate(limited, many)
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining('limits.responseBytes')])
    })
    expect(queries.filter((query) => query.startsWith('INSERT')).length).toBeLessThan(10)
  })

  it('resolves local ids again after a retry', async () => {
    let failures = 1
    const failing = db.orm.$extends({
      name: 'routewright',
      query: {
        post: {
          update({ args, query }) {
            if (failures-- > 0)
              throw Object.assign(new Error('deadlock'), { code: 'P2034', name: 'PrismaClientKnownRequestError' })
            return query(args)
          },
        },
      },
    })
    const again = restClient(db, { atomicOperations: true }, failing)
    const response = await operate(again, [{ op: 'add', data: post('again', 'p') }, rename({ lid: 'p' }, 'Again')])
    expect([response.status, response.errors]).toEqual([200, []])
    expect(await db.orm.post.findMany({ where: { slug: 'again' } })).toMatchObject([{ title: 'Again' }])
  })

  it('stores the members of one of several concurrent replacements', async () => {
    await db.orm.tag.createMany({ data: ['a', 'b', 'c', 'd'].map((name) => ({ name })) })
    const sets = ['ab', 'cd', 'ad', 'bc']
    const replace = (set: string) => {
      const data = [...set].map((id) => ({ type: 'tag', id }))
      return operate(rest, [{ op: 'update', ref: { type: 'post', id: '5', relationship: 'tags' }, data }])
    }
    const responses = await Promise.all(sets.map(replace))
    expect(responses.some(({ status }) => status === 200)).toBe(true)
    const { tags } = await db.orm.post.findUniqueOrThrow({
      where: { id: 5 },
      include: { tags: { orderBy: { name: 'asc' } } },
    })
    expect(sets).toContain(tags.map(({ name }) => name).join(''))
  })

  it('applies concurrent requests completely or not at all', async () => {
    const responses = await Promise.all(
      list(8).map((index) => {
        const operations = ['1', '2'].map((id) => rename({ id }, `title-${index}`))
        return operate(rest, index % 2 === 0 ? operations : operations.toReversed())
      }),
    )
    for (const { status } of responses) expect([200, 409, 503]).toContain(status)
    expect(responses.some(({ status }) => status === 200)).toBe(true)
    const [one, two] = await db.orm.post.findMany({ where: { id: { in: [1, 2] } } })
    expect(one?.title).toBe(two?.title)
  })

  it('RPC: keeps every increment of concurrent transactions', async () => {
    const where = { id: 2 }
    const increment = { where, data: { readers: { increment: 1 } }, select: { id: true } }
    const add = { model: 'Category', op: 'update', args: increment }
    const read = { model: 'Category', op: 'findUnique', args: { where, select: { readers: true } } }
    const rpc = rpcClient(db, { transactions: true })
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify([add, read, add]),
    }
    const responses = await Promise.all(list(12).map(() => rpc.fetch('/$transaction/sequential', init)))
    const done = responses.filter(({ status }) => status === 200)
    const category = await db.orm.category.findUniqueOrThrow({ where })
    expect(category.readers).toBe(5n + 2n * BigInt(done.length))
    expect(done.length).toBeGreaterThan(0)
    for (const { status } of responses) expect([200, 409, 503]).toContain(status)
  })
})

describe('options of transactions', () => {
  it.each([
    ['/post', /"\/post" is taken/],
    ['operations', /must be true, false, or a path of one segment/],
    ['/a/b', /must be true, false, or a path of one segment/],
  ])('atomicOperations: %s: throws', (atomicOperations, message) => {
    expect(() => RestApiHandler({ endpoint: 'https://example.org', atomicOperations })).toThrow(message)
  })

  it('transactions: throws unless it is a boolean', () => {
    expect(() => RPCApiHandler({ transactions: '/tx' as never })).toThrow('transactions must be true or false')
  })

  it('transactions: throws if a route has middleware, which a transaction would skip', () => {
    const guarded = {
      ...tagRpc,
      build(...[app, api]: Parameters<typeof tagRpc.build>) {
        app.use((c) => Promise.resolve(c.text('no', 403)))
        tagRpc.build(app, api)
      },
    }
    const make = (isOn: boolean) =>
      rpcHandler({ Tag: guarded }, { transactions: isOn }, { provider: 'sqlite' }, [transactions])
    expect(() => make(false)).not.toThrow()
    expect(() => make(true)).toThrow('The RPC routes of tag have middleware')
  })
})
