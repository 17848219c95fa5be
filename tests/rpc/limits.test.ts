import { beforeAll, expect, it } from 'vitest'

import { seed } from '../../fixtures/blog/seed.js'
import { describeDatabases } from '../support/databases.js'
import { type RpcClient, rpcClient } from './client.js'

function nested(depth: number, inner: unknown): unknown {
  return depth === 0 ? inner : { NOT: nested(depth - 1, inner) }
}

function includes(depth: number): unknown {
  return depth === 0 ? true : { include: { [depth % 2 === 0 ? 'posts' : 'author']: includes(depth - 1) } }
}

function list(length: number): number[] {
  return Array.from({ length }, (_, index) => index)
}

describeDatabases('RPC: limits', (db) => {
  let api: RpcClient
  beforeAll(async () => {
    await db.reset()
    await seed(db.orm)
    api = rpcClient(db)
  })

  it.each<[string, string, unknown]>([
    ['NOT × 100', 'findMany', { where: nested(100, { id: 1 }) }],
    ['NOT × 300', 'findMany', { where: nested(300, { id: 1 }) }],
    ['NOT × 2000', 'findMany', { where: nested(2000, { id: 1 }) }],
    ['OR × 3000', 'findMany', { where: { OR: list(3000).map((id) => ({ id })) } }],
    ['in × 5000', 'findMany', { where: { id: { in: list(5000) } } }],
    ['in × 100 000', 'findMany', { where: { id: { in: list(100_000) } } }],
    ['a list of 100 000 rows', 'createMany', { data: list(100_000) }],
    ['an include 12 deep', 'findMany', includes(12)],
    ['an include 6 deep', 'findMany', includes(6)],
    ['take beyond the rows', 'findMany', { take: 1e9 }],
    ['take beyond the rows, from the end', 'findMany', { take: -1e9 }],
    ['a fraction of a row', 'findMany', { take: 1.5 }],
    ['take as a string', 'findMany', { take: '1' }],
    ['skip below zero', 'findMany', { skip: -1 }],
    ['skip beyond 2^31', 'findMany', { skip: 1e12 }],
    ['skip beyond 2^53', 'findMany', { skip: 2 ** 53 + 2 }],
    [
      'rows that multiply',
      'findMany',
      { take: 50, include: { comments: { take: 50, include: { post: { include: { comments: { take: 50 } } } } } } },
    ],
  ])('%s is 400, before the database is asked', async (_what, operation, args) => {
    const queries = await db.queriesOf(async () => {
      const { status, body } = await api.call('post', operation, args, 'POST')
      expect(status, body.message).toBe(400)
    })
    expect(queries).toEqual([])
  })

  it('a filter or an order that reaches into too many relations is 400, one that does not is answered', async () => {
    const few = rpcClient(db, { limits: { relations: 3 } })
    const tag = (index: number) => ({ tags: { some: { name: `${index}` } } })
    const filters = [
      (count: number) => ({ AND: list(count).map(tag) }),
      (count: number) => ({ OR: [{ NOT: list(count).map(tag) }] }),
      (count: number) => ({ author: { posts: { every: { AND: list(count - 2).map(tag) } } } }),
    ]
    for (const where of filters) {
      expect((await few.call('post', 'count', { where: where(3) })).status).toBe(200)
      expect((await few.call('post', 'count', { where: where(4) })).status).toBe(400)
    }
    const orderBy = (count: number) => list(count).map(() => ({ author: { name: 'asc' } }))
    expect((await few.call('post', 'findMany', { orderBy: orderBy(3) })).status).toBe(200)
    expect((await few.call('post', 'findMany', { orderBy: orderBy(4) })).status).toBe(400)
  })

  it('to-many relations inside each other are answered up to the limit', async () => {
    const few = rpcClient(db, { limits: { manyDepth: 2 } })
    const two = { tags: { some: { posts: { some: { author: { email: 'x' } } } } } }
    expect((await few.call('post', 'count', { where: two })).status).toBe(200)
    expect((await few.call('tag', 'count', { where: { NOT: [{ posts: { none: two } }] } })).status).toBe(400)
  })

  it('an include as deep as the limit is answered', async () => {
    expect((await api.call('post', 'findFirst', includes(5), 'POST')).status).toBe(200)
  })

  it('a body larger than the limit is 413, with and without a length', async () => {
    const small = rpcClient(db, { limits: { bodyBytes: 1000 } })
    const body = JSON.stringify({ where: { title: 'x'.repeat(1000) } })
    const headers = { 'Content-Type': 'application/json' }
    expect((await small.fetch('/post/findMany', { method: 'POST', headers, body })).status).toBe(413)
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"where":      '))
      },
    })
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body: chunks, duplex: 'half' }
    expect((await small.fetch('/post/findMany', init)).status).toBe(413)
  })

  it('JSON nested 100 000 deep is 400', async () => {
    const body = `{"where":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const headers = { 'Content-Type': 'application/json' }
    expect((await api.fetch('/post/findMany', { method: 'POST', headers, body })).status).toBe(400)
  })

  it('more rows than the limit are 400, and as many as the limit are answered', async () => {
    const few = rpcClient(db, { limits: { rows: 40 } })
    expect((await few.call('user', 'findMany', {})).status).toBe(200)
    const { status, body } = await few.call('post', 'findMany', {})
    expect([status, body.data]).toEqual([400, undefined])
    expect(body.message).toMatch(/more than 40 rows/)
    expect((await few.call('post', 'findMany', { take: 40 })).status).toBe(200)
    expect((await few.call('post', 'findMany', { take: 41 })).status).toBe(400)
    expect((await few.call('post', 'groupBy', { by: ['id'] })).status).toBe(400)
    expect((await few.call('post', 'groupBy', { by: ['status'] })).status).toBe(200)
    expect((await few.call('post', 'count', {})).body).toEqual({ data: 90 })
  })

  it('more included rows than the limit are 400', async () => {
    const few = rpcClient(db, { limits: { includedRows: 50 } })
    expect((await few.call('user', 'findMany', { include: { posts: true } })).status).toBe(400)
    expect((await few.call('user', 'findMany', { select: { posts: { select: { comments: true } } } })).status).toBe(400)
    expect((await few.call('user', 'findMany', { take: 3, include: { posts: { take: 3 } } })).status).toBe(200)
  })

  it('a write is answered, whatever it includes', async () => {
    const few = rpcClient(db, { limits: { includedRows: 1 } })
    const { status, body } = await few.call('user', 'update', {
      where: { id: 1 },
      data: { name: 'Ada' },
      include: { posts: true },
    })
    expect([status, body.data]).toEqual([200, expect.objectContaining({ name: 'Ada' })])
  })
})
