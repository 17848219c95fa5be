import { beforeAll, describe, expect, it } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import { userRpc } from '../../fixtures/blog/expected/user/rpc.js'
import type { Resource } from '../../runtime/schema/resource.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
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
    await db.fill(seedBlog)
    api = rpcClient(db)
  })

  it.each<[string, string, unknown]>([
    ['NOT × 100', 'findMany', { where: nested(100, { id: 1 }) }],
    ['NOT × 300', 'findMany', { where: nested(300, { id: 1 }) }],
    ['OR × 3000', 'findMany', { where: { OR: list(3000).map((id) => ({ id })) } }],
    ['in × 5000', 'findMany', { where: { id: { in: list(5000) } } }],
    ['in × 100 000', 'findMany', { where: { id: { in: list(100_000) } } }],
    ['a list of 100 000 rows', 'createMany', { data: list(100_000) }],
    ['an include 12 deep', 'findMany', includes(12)],
    ['an include 6 deep', 'findMany', includes(6)],
    ['take beyond the limit', 'findMany', { take: 1e9 }],
    ['negative take beyond the limit', 'findMany', { take: -1e9 }],
    ['a fractional take', 'findMany', { take: 1.5 }],
    ['take as a string', 'findMany', { take: '1' }],
    ['skip below zero', 'findMany', { skip: -1 }],
    ['skip beyond 2^31', 'findMany', { skip: 1e12 }],
    ['skip beyond 2^53', 'findMany', { skip: 2 ** 53 + 2 }],
    [
      'nested takes that multiply',
      'findMany',
      { take: 50, include: { comments: { take: 50, include: { post: { include: { comments: { take: 50 } } } } } } },
    ],
  ])('%s: rejects with 400 before the first query', async (_what, operation, args) => {
    const queries = await db.queriesOf(async () => {
      const { status, body } = await api.call('post', operation, args, 'POST')
      expect(status, body.message).toBe(400)
    })
    expect(queries).toEqual([])
  })

  it('rejects a filter nested 2000 deep with 400 before the first query', async () => {
    const body = JSON.stringify({ where: nested(2000, { id: 1 }) })
    const queries = await db.queriesOf(async () => {
      const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
      expect((await api.fetch('/post/findMany', init)).status).toBe(400)
    })
    expect(queries).toEqual([])
  })

  it('rejects filters and orders with more relations than the limit with 400', async () => {
    const few = rpcClient(db, { limits: { filterRelations: 3, filterCost: Infinity } })
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

  it('counts relations next to a field with the name of a quantifier', async () => {
    const { resource } = userRpc
    const named: Resource = { ...resource, fields: { ...resource.fields, some: { type: 'String' } } }
    const routers = { User: { ...userRpc, resource: named }, Post: postRpc }
    const handler = rpcHandler<Orm>(routers, { limits: { filterRelations: 1 } }, { provider: db.provider })
    const where = { author: { some: 'x', posts: { some: { title: 'x' } } } }
    const { body } = await rpcClient(db, {}, db.orm, handler).call('post', 'count', { where })
    expect(body.message).toMatch(/^where must not traverse relations more than 1 times\. .*limits\.filterRelations/)
  })

  it('rejects nested to-many filters beyond the depth limit with 400', async () => {
    const few = rpcClient(db, { limits: { filterCost: Infinity } })
    const three = { tags: { some: { posts: { some: { comments: { some: { author: { email: 'x' } } } } } } } }
    expect((await few.call('post', 'count', { where: three })).status).toBe(200)
    expect((await few.call('tag', 'count', { where: { NOT: [{ posts: { none: three } }] } })).status).toBe(400)
  })

  it('accepts an include as deep as the limit', async () => {
    expect((await api.call('post', 'findFirst', includes(5), 'POST')).status).toBe(200)
  })

  it('rejects a body larger than the limit with 413, with or without Content-Length', async () => {
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

  it('rejects JSON nested 100 000 deep with 400', async () => {
    const body = `{"where":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const headers = { 'Content-Type': 'application/json' }
    expect((await api.fetch('/post/findMany', { method: 'POST', headers, body })).status).toBe(400)
  })

  it('rejects reads of more rows than the limit with 400', async () => {
    const few = rpcClient(db, { limits: { rows: 40 } })
    expect((await few.call('user', 'findMany', {})).status).toBe(200)
    const { status, body } = await few.call('post', 'findMany', {})
    expect([status, body.data]).toEqual([400, undefined])
    expect(body.message).toMatch(/^More than 40 rows match/)
    expect((await few.call('post', 'findMany', { take: 40 })).status).toBe(200)
    expect((await few.call('post', 'findMany', { take: 41 })).status).toBe(400)
    expect((await few.call('post', 'groupBy', { by: ['id'] })).status).toBe(400)
    expect((await few.call('post', 'groupBy', { by: ['status'] })).status).toBe(200)
    expect((await few.call('post', 'count', {})).body).toEqual({ data: 90 })
  })

  it('rejects more included rows than the limit with 400', async () => {
    const few = rpcClient(db, { limits: { includedRows: 50 } })
    expect((await few.call('user', 'findMany', { include: { posts: true } })).status).toBe(400)
    expect((await few.call('user', 'findMany', { select: { posts: { select: { comments: true } } } })).status).toBe(400)
    expect((await few.call('user', 'findMany', { take: 3, include: { posts: { take: 3 } } })).status).toBe(200)
  })

  it.each<[string, string, object, number]>([
    ['a list', 'user', { include: { posts: true } }, 1],
    ['a list with a filter', 'user', { select: { posts: { where: { id: { gt: 1 } } } } }, 1],
    ['a list that Prisma would cut in memory', 'user', { include: { posts: { take: 1 } } }, 1],
    ['a list in a list', 'category', { include: { children: { include: { posts: true } } } }, 2],
    ['a list behind a to-one relation', 'comment', { include: { author: { include: { posts: true } } } }, 1],
    ['a join table', 'tag', { include: { posts: true } }, 1],
    ['both ends of a join table', 'tag', { select: { posts: { select: { tags: true } } } }, 1],
  ])('%s: counts members without take before loading them', async (_what, model, args, counts) => {
    const few = rpcClient(db, { limits: { includedRows: 10 } })
    const queries = await db.queriesOf(async () => {
      const { status, body } = await few.call(model, 'findMany', args)
      expect([status, body.message]).toEqual([400, expect.stringContaining('more than 10 rows')])
    })
    expect(queries).toHaveLength(counts)
    for (const query of queries) expect(query).toMatch(/COUNT\(\*\).*LIMIT/)
  })

  it('counts members without take only for rows that match the filter', async () => {
    const [id, count] = await authorOf(db)
    const args = { where: { id: { in: [id] } }, include: { posts: true } }
    const read = (includedRows: number) => rpcClient(db, { limits: { includedRows } }).call('user', 'findMany', args)
    expect((await read(count)).status).toBe(200)
    expect((await read(count - 1)).status).toBe(400)
    expect((await read(Infinity)).status).toBe(200)
  })

  it('limits the members of one row in the query itself', async () => {
    const few = rpcClient(db, { limits: { includedRows: 5 } })
    const [user, count] = await authorOf(db)
    const where = { id: user }
    const read = (take: number) => rpcClient(db, { limits: { includedRows: take } })
    expect((await read(count).call('user', 'findUnique', { where, include: { posts: true } })).status).toBe(200)
    expect((await read(count - 1).call('user', 'findUnique', { where, include: { posts: true } })).status).toBe(400)
    const queries = await db.queriesOf(() => few.call('user', 'findUnique', { where, select: { posts: true } }))
    expect(queries.at(-1)).toMatch(/Post.*LIMIT/)
  })

  describe('write whose response exceeds the limit', () => {
    const data = { name: 'Changed' }
    const newUser = { email: 'new@example.com', password: 'long enough' }

    it.each([
      ['update', (where: object) => ({ where, data, include: { posts: true } })],
      ['update', (where: object) => ({ where, data, select: { posts: { where: { id: { gt: 0 } } } } })],
      ['upsert', (where: object) => ({ where, create: newUser, update: data, include: { posts: { skip: 0 } } })],
      ['delete', (where: object) => ({ where, include: { posts: true, comments: true } })],
    ])('%s: rejects with 400 without writing', async (operation, args) => {
      const [id, count] = await authorOf(db)
      const few = rpcClient(db, { limits: { includedRows: count - 1 } })
      const before = await db.orm.user.findUnique({ where: { id } })
      const queries = await db.queriesOf(async () => {
        const { status, body } = await few.call('user', operation, args({ id }))
        expect([status, body.message]).toEqual([400, expect.stringContaining(`more than ${count - 1} rows`)])
      })
      for (const query of queries) expect(query).toMatch(/COUNT\(\*\).*LIMIT/)
      expect(await db.orm.user.findUnique({ where: { id } })).toEqual(before)
    })

    it('returns as many rows as the limit', async () => {
      const [id, count] = await authorOf(db)
      const exact = rpcClient(db, { limits: { includedRows: count } })
      const args = { where: { id }, data: {}, include: { posts: true } }
      expect((await exact.result('user', 'update', args)) as object).toMatchObject({
        posts: expect.toSatisfy((posts: unknown[]) => posts.length === count),
      })
      const taken = rpcClient(db, { limits: { includedRows: 2 } })
      const bounded = { ...args, include: { posts: { take: 2 } } }
      expect((await taken.call('user', 'update', bounded)).status).toBe(200)
    })

    it('requires take for relations of relations', async () => {
      const include = (posts: unknown) => ({ where: { id: 1 }, data: {}, include: { author: { include: { posts } } } })
      expect((await api.call('post', 'update', include(true))).status).toBe(400)
      expect((await api.call('post', 'update', include({ take: 3 }))).status).toBe(200)
    })

    it('suggests a take in the message', async () => {
      const include = { author: { select: { posts: true } } }
      const { body } = await api.call('post', 'update', { where: { id: 1 }, data: {}, include })
      expect(body.message).toContain('such as select: { posts: { take: 100 } }')
    })

    it('counts the rows of a create from its data, without take', async () => {
      const tags = { create: [{ name: 'own-a' }, { name: 'own-b' }] }
      const data = { ...newUser, email: 'own@example.com', posts: { create: { slug: 'own', title: 'Own', tags } } }
      const args = { data, select: { posts: { select: { tags: { select: { name: true } } } } } }
      // One post and two tags.
      const few = (includedRows: number, loadedRows = 1) => rpcClient(db, { limits: { includedRows, loadedRows } })
      expect((await few(2).call('user', 'create', args)).status).toBe(400)
      expect(await db.orm.user.count({ where: { email: data.email } })).toBe(0)
      expect(await few(3).result('user', 'create', args)).toEqual({
        posts: [{ tags: expect.arrayContaining([{ name: 'own-a' }, { name: 'own-b' }]) as unknown }],
      })
    })

    it('counts the created row again for each nested row that includes it', async () => {
      const tags = { create: [{ name: 'back-a' }, { name: 'back-b' }] }
      const args = { data: { slug: 'back', title: 'Back', tags }, include: { tags: { include: { posts: true } } } }
      const few = (includedRows: number) => rpcClient(db, { limits: { includedRows } })
      expect((await few(3).call('post', 'create', args)).status).toBe(400)
      expect(await db.orm.post.count({ where: { slug: 'back' } })).toBe(0)
      expect((await few(4).call('post', 'create', args)).status).toBe(201)
    })

    it('requires take for members of rows that a create connects', async () => {
      const [id] = await authorOf(db)
      const include = { author: { include: { posts: true } } }
      const post = { slug: 'linked', title: 'Linked' }
      for (const data of [
        { ...post, author: { connect: { id } } },
        { ...post, authorId: id },
        { ...post, author: { connectOrCreate: { where: { id }, create: newUser } } },
      ]) {
        expect((await api.call('post', 'create', { data, include })).status).toBe(400)
      }
      expect(await db.orm.post.count({ where: { slug: 'linked' } })).toBe(0)
    })

    it('does not require take for rows that an update creates', async () => {
      const author = { create: { ...newUser, email: 'made@example.com', comments: {} } }
      const include = { author: { include: { comments: true } } }
      const result = await api.result('post', 'update', { where: { id: 2 }, data: { author }, include })
      expect(result).toMatchObject({ author: { email: 'made@example.com', comments: [] } })
      const args = { where: { id: 2 }, data: { title: 'Kept' }, include }
      expect((await api.call('post', 'update', args)).status).toBe(400)
    })

    it.skipIf(db.provider === 'mysql')('updateManyAndReturn: rejects more rows than the limit with 400', async () => {
      const few = rpcClient(db, { limits: { rows: 5 } })
      const args = (maxId: number, limit?: number) => ({
        where: { id: { lte: maxId } },
        data: { content: 'many' },
        ...(limit !== undefined && { limit }),
      })
      const before = await db.orm.post.count({ where: { content: 'many' } })
      expect((await few.call('post', 'updateManyAndReturn', args(6))).status).toBe(400)
      expect((await few.call('post', 'updateManyAndReturn', args(90, 6))).status).toBe(400)
      expect(await db.orm.post.count({ where: { content: 'many' } })).toBe(before)
      expect((await few.result('post', 'updateManyAndReturn', args(5))) as unknown[]).toHaveLength(5)
      expect((await few.result('post', 'updateManyAndReturn', args(90, 5))) as unknown[]).toHaveLength(5)
      const some = rpcClient(db, { limits: { includedRows: 5 } })
      const include = { author: true }
      expect((await some.call('post', 'updateManyAndReturn', { ...args(6), include })).status).toBe(400)
      expect((await some.call('post', 'updateManyAndReturn', { ...args(5), include })).status).toBe(200)
    })

    it.skipIf(db.provider === 'mysql')('createManyAndReturn: rejects more rows than the limit with 400', async () => {
      const few = rpcClient(db, { limits: { rows: 2, includedRows: 1 } })
      const rows = (count: number) => list(count).map((index) => ({ slug: `many-${count}-${index}`, title: 'Many' }))
      expect((await few.call('post', 'createManyAndReturn', { data: rows(3) })).status).toBe(400)
      const include = { author: true }
      expect((await few.call('post', 'createManyAndReturn', { data: rows(2), include })).status).toBe(400)
      expect(await db.orm.post.count({ where: { title: 'Many' } })).toBe(0)
      expect((await few.call('post', 'createManyAndReturn', { data: rows(2) })).status).toBe(201)
      expect((await few.call('post', 'createManyAndReturn', { data: rows(1), include })).status).toBe(201)
    })
  })
})

/** Returns a user with several posts, and the number of posts. */
async function authorOf({ orm }: Database): Promise<readonly [id: number, posts: number]> {
  const users = await orm.user.findMany({ include: { _count: { select: { posts: true } } }, orderBy: { id: 'asc' } })
  const user = users.find(({ _count }) => _count.posts > 2)
  if (!user) throw new Error('Nobody has several posts.')
  return [user.id, user._count.posts]
}
