import { beforeAll, describe, expect, it } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { methodOf, type RpcClient, rpcClient } from './client.js'
import { restrictedHandler } from './restricted.js'

type Case = readonly [what: string, model: string, operation: string, args: unknown]

const user = { email: 'new@example.com', password: 'long enough' }
const one = { id: 1 }

/** Positions of a field name. Each is tried with hidden, write-only and unknown names. */
function positions(name: string): Case[] {
  return [
    ['where', 'user', 'findMany', { where: { [name]: 'a' } }],
    ['where with an operator', 'user', 'findMany', { where: { [name]: { startsWith: 'a' } } }],
    ['where in AND', 'user', 'findFirst', { where: { AND: [{ OR: [{ NOT: { [name]: 'a' } }] }] } }],
    ['where of a unique read', 'user', 'findUnique', { where: { id: 1, [name]: 'a' } }],
    ['where of count', 'user', 'count', { where: { [name]: 'a' } }],
    ['where of aggregate', 'user', 'aggregate', { where: { [name]: 'a' }, _count: true }],
    ['where of groupBy', 'user', 'groupBy', { by: ['id'], where: { [name]: 'a' } }],
    ['where of update', 'user', 'update', { where: { id: 1, [name]: 'a' }, data: {} }],
    ['where of updateMany', 'user', 'updateMany', { where: { [name]: 'a' }, data: {} }],
    ['where of delete', 'user', 'delete', { where: { id: 1, [name]: 'a' } }],
    ['where of deleteMany', 'user', 'deleteMany', { where: { [name]: 'a' } }],
    ['where of upsert', 'user', 'upsert', { where: { id: 1, [name]: 'a' }, create: user, update: {} }],
    ['where through a relation', 'post', 'findMany', { where: { author: { is: { [name]: 'a' } } } }],
    ['where through a bare relation', 'post', 'findMany', { where: { author: { [name]: 'a' } } }],
    ['where through two relations', 'comment', 'findMany', { where: { post: { author: { isNot: { [name]: 'a' } } } } }],
    ['where of some', 'post', 'findMany', { where: { comments: { some: { author: { [name]: 'a' } } } } }],
    ['orderBy', 'user', 'findMany', { orderBy: { [name]: 'asc' } }],
    ['orderBy in a list', 'user', 'findMany', { orderBy: [{ id: 'asc' }, { [name]: { sort: 'asc', nulls: 'last' } }] }],
    ['orderBy through a relation', 'post', 'findMany', { orderBy: { author: { [name]: 'asc' } } }],
    ['orderBy of groups', 'user', 'groupBy', { by: ['id'], orderBy: { [name]: 'asc' } }],
    ['orderBy of aggregates', 'user', 'groupBy', { by: ['id'], orderBy: { _count: { [name]: 'asc' } } }],
    [
      'orderBy relevance',
      'user',
      'findMany',
      { orderBy: { _relevance: { fields: [name], search: 'a', sort: 'asc' } } },
    ],
    ['cursor', 'user', 'findMany', { cursor: { [name]: 'a' } }],
    ['cursor with a unique field', 'user', 'findMany', { cursor: { id: 1, [name]: 'a' } }],
    ['distinct', 'user', 'findMany', { distinct: name }],
    ['distinct in a list', 'user', 'findMany', { distinct: ['id', name] }],
    ['select', 'user', 'findMany', { select: { [name]: true } }],
    ['select of false', 'user', 'findMany', { select: { id: true, [name]: false } }],
    ['omit', 'user', 'findMany', { omit: { [name]: true } }],
    ['omit of false', 'user', 'findMany', { omit: { [name]: false } }],
    ['select in include', 'post', 'findMany', { include: { author: { select: { [name]: true } } } }],
    ['omit in include', 'post', 'findMany', { include: { author: { omit: { [name]: false } } } }],
    ['select in select', 'post', 'findMany', { select: { author: { select: { [name]: true } } } }],
    ['where in include', 'category', 'findMany', { include: { posts: { where: { author: { [name]: 'a' } } } } }],
    [
      'where in _count',
      'category',
      'findMany',
      { select: { _count: { select: { posts: { where: { author: { [name]: 'a' } } } } } } },
    ],
    ['by', 'user', 'groupBy', { by: [name] }],
    ['by as a string', 'user', 'groupBy', { by: name }],
    ['having', 'user', 'groupBy', { by: ['id'], having: { [name]: { startsWith: 'a' } } }],
    [
      'having of an aggregate',
      'user',
      'groupBy',
      { by: ['id'], having: { AND: [{ [name]: { _min: { startsWith: 'a' } } }] } },
    ],
    ['_count of aggregate', 'user', 'aggregate', { _count: { [name]: true } }],
    ['_min', 'user', 'aggregate', { _min: { [name]: true } }],
    ['_max', 'user', 'groupBy', { by: ['id'], _max: { [name]: true } }],
    ['select of count', 'user', 'count', { select: { [name]: true } }],
    ['select of create', 'user', 'create', { data: user, select: { [name]: true } }],
    ['omit of update', 'user', 'update', { where: one, data: {}, omit: { [name]: false } }],
    ['select of delete', 'user', 'delete', { where: one, select: { [name]: true } }],
    [
      'include of upsert',
      'post',
      'upsert',
      { where: one, create: { slug: 'x', title: 'x' }, update: {}, include: { author: { select: { [name]: true } } } },
    ],
    [
      'where of a nested update',
      'post',
      'update',
      { where: one, data: { author: { update: { where: { [name]: 'a' }, data: {} } } } },
    ],
    [
      'where of a nested deleteMany',
      'category',
      'update',
      { where: one, data: {}, include: { posts: { where: { author: { [name]: 'a' } } } } },
    ],
    ['where of check', 'user', 'check', { operation: 'read', where: { [name]: 'a' } }],
  ]
}

/** Positions of written data. */
function writes(name: string): Case[] {
  const data = { [name]: 'EDITOR' }
  return [
    ['create', 'user', 'create', { data: { ...user, ...data } }],
    ['createMany', 'user', 'createMany', { data: [{ ...user, ...data }] }],
    ['createManyAndReturn', 'user', 'createManyAndReturn', { data: [{ ...user, ...data }] }],
    ['update', 'user', 'update', { where: one, data }],
    ['update with set', 'user', 'update', { where: one, data: { [name]: { set: 'EDITOR' } } }],
    ['updateMany', 'user', 'updateMany', { where: {}, data }],
    ['updateManyAndReturn', 'user', 'updateManyAndReturn', { where: {}, data }],
    ['upsert, create', 'user', 'upsert', { where: one, create: { ...user, ...data }, update: {} }],
    ['upsert, update', 'user', 'upsert', { where: one, create: user, update: data }],
    ['nested create', 'post', 'create', { data: { slug: 'x', title: 'x', author: { create: { ...user, ...data } } } }],
    [
      'nested connectOrCreate',
      'post',
      'update',
      { where: one, data: { author: { connectOrCreate: { where: one, create: { ...user, ...data } } } } },
    ],
    ['nested update', 'post', 'update', { where: one, data: { author: { update: data } } }],
    ['nested update with where', 'post', 'update', { where: one, data: { author: { update: { where: {}, data } } } }],
    [
      'nested upsert, create',
      'post',
      'update',
      { where: one, data: { author: { upsert: { create: { ...user, ...data }, update: {} } } } },
    ],
    [
      'nested upsert, update',
      'post',
      'update',
      { where: one, data: { author: { upsert: { create: user, update: data } } } },
    ],
    [
      'update two levels deep',
      'post',
      'update',
      {
        where: one,
        data: {
          comments: { update: [{ where: { postId_seq: { postId: 1, seq: 1 } }, data: { author: { update: data } } }] },
        },
      },
    ],
  ]
}

// MySQL does not support the …AndReturn operations, so they have no route.
const onMySql = ([, , operation]: Case): boolean => !operation.endsWith('AndReturn')

describeDatabases('RPC: guards', (db) => {
  let api: RpcClient
  const casesOf = (cases: Case[]): Case[] => (db.provider === 'mysql' ? cases.filter(onMySql) : cases)

  beforeAll(async () => {
    await db.fill(seedBlog)
    api = rpcClient(db, {}, db.orm, restrictedHandler<Orm>())
  })

  async function callWithoutQueries([, model, operation, args]: Case): Promise<{ status: number; message: string }> {
    let response: { status: number; message: string } | undefined
    const queries = await db.queriesOf(async () => {
      const { status, body } = await api.call(model, operation, args, methodOf(operation))
      response = { status, message: body.message ?? '' }
    })
    expect(queries).toEqual([])
    if (!response) throw new Error('There was no answer.')
    return response
  }

  describe.each([
    ['a hidden field', 'name'],
    ['a write-only field', 'password'],
    ['a hidden relation', 'profile'],
  ])('%s in a query', (_what, name) => {
    it.each(positions(name))('%s: rejects it like an unknown name, with 400 and no query', async (...testCase) => {
      const response = await callWithoutQueries(testCase)
      expect(response.status).toBe(400)
      const unknown = positions('nope').find(([what]) => what === testCase[0])
      if (!unknown) throw new Error('There is no such place.')
      const same = await callWithoutQueries(unknown)
      expect(same).toEqual({ ...response, message: response.message.replaceAll(`"${name}"`, '"nope"') })
    })
  })

  describe('a hidden field in written data', () => {
    it.each(casesOf(writes('name')))(
      '%s: rejects it like an unknown name, with 400 and no query',
      async (...testCase) => {
        const response = await callWithoutQueries(testCase)
        expect(response.status).toBe(400)
        const unknown = writes('nope').find(([what]) => what === testCase[0])
        if (!unknown) throw new Error('There is no such place.')
        expect(await callWithoutQueries(unknown)).toEqual({
          ...response,
          message: response.message.replaceAll('"name"', '"nope"'),
        })
      },
    )
  })

  it.each(casesOf([...writes('role'), ...writes('createdAt')]))(
    '%s: rejects a write of a read-only field with 403',
    async (...testCase) => {
      expect((await callWithoutQueries(testCase)).status).toBe(403)
    },
  )

  it.each<Case>([
    ['create', 'user', 'create', { data: { ...user, comments: { create: [{ postId: 1, seq: 99, body: 'x' }] } } }],
    ['update', 'user', 'update', { where: one, data: { comments: { deleteMany: {} } } }],
    ['nested', 'post', 'update', { where: one, data: { author: { update: { comments: { set: [] } } } } }],
  ])('%s: rejects a write of a read-only relation with 403', async (...testCase) => {
    expect((await callWithoutQueries(testCase)).status).toBe(403)
  })

  it.each<Case>([
    ['create in create', 'post', 'create', { data: { slug: 'x', title: 'x', category: { create: { name: 'x' } } } }],
    [
      'connectOrCreate',
      'post',
      'create',
      { data: { slug: 'x', title: 'x', category: { connectOrCreate: { where: one, create: { name: 'x' } } } } },
    ],
    ['update', 'post', 'update', { where: one, data: { category: { update: { name: 'x' } } } }],
    ['upsert', 'post', 'update', { where: one, data: { category: { upsert: { create: { name: 'x' }, update: {} } } } }],
    ['delete', 'post', 'update', { where: one, data: { category: { delete: true } } }],
    [
      'delete of many',
      'post',
      'update',
      { where: one, data: { comments: { delete: [{ postId_seq: { postId: 1, seq: 1 } }] } } },
    ],
    ['deleteMany', 'post', 'update', { where: one, data: { comments: { deleteMany: {} } } }],
    ['create of many', 'post', 'update', { where: one, data: { tags: { create: { name: 'x' } } } }],
    ['include of a target without list', 'post', 'findMany', { include: { tags: true } }],
    ['select of a target without list', 'post', 'findMany', { select: { tags: { select: { name: true } } } }],
    ['_count of a target without list', 'post', 'findMany', { select: { _count: { select: { tags: true } } } }],
    ['filter by a target without list', 'post', 'findMany', { where: { tags: { some: {} } } }],
    ['order by a target without list', 'post', 'findMany', { orderBy: { tags: { _count: 'asc' } } }],
  ])('%s: rejects an operation that the target model does not allow with 403', async (...testCase) => {
    expect((await callWithoutQueries(testCase)).status).toBe(403)
  })

  it('omits hidden relations and relations without list from _count: true', async () => {
    const { body } = await api.call('post', 'findFirst', { select: { _count: true } })
    expect(body.data).toEqual({ _count: { comments: expect.any(Number) } })
  })

  it('omits hidden and write-only fields from responses at every depth', async () => {
    const responses = [
      await api.call('user', 'findMany', {}),
      await api.call('user', 'findMany', { omit: { email: true } }),
      await api.call('user', 'findUnique', { where: one, include: { posts: { include: { author: true } } } }),
      await api.call('post', 'findMany', { include: { author: true } }),
      await api.call('post', 'findMany', { select: { author: true } }),
      await api.call('post', 'findMany', { select: { comments: { include: { author: true } } } }),
      await api.call('user', 'create', { data: { ...user, email: 'shape@example.com' } }),
      await api.call('user', 'update', { where: { email: 'shape@example.com' }, data: {} }),
      await api.call('user', 'upsert', { where: { email: 'shape@example.com' }, create: user, update: {} }),
      await api.call('post', 'update', { where: one, data: {}, include: { author: true } }),
      await api.call('user', 'delete', { where: { email: 'shape@example.com' } }),
    ]
    for (const { status, body } of responses) {
      expect(status).toBeLessThan(300)
      const text = JSON.stringify(body)
      expect(text).toContain('"id"')
      expect(text).not.toMatch(/"(password|name|profile)"/)
    }
  })

  it('responds to a hidden model like an unknown one, with 404', async () => {
    const hidden = await api.call('profile', 'findMany', {})
    const unknown = await api.call('nopes', 'findMany', {})
    expect(hidden.status).toBe(404)
    expect(hidden.body.message?.replace('profile', 'nopes')).toBe(unknown.body.message)
  })

  it.each<Case>([
    ['create', 'user', 'create', { data: { email: 'not an address', password: 'long enough' } }],
    ['a write-only field', 'user', 'create', { data: { email: 'a@example.com', password: 'short' } }],
    ['createMany', 'user', 'createMany', { data: [user, { ...user, email: 'x' }] }],
    ['update', 'user', 'update', { where: one, data: { email: 'x' } }],
    ['update with set', 'user', 'update', { where: one, data: { email: { set: 'x' } } }],
    ['updateMany', 'post', 'updateMany', { where: {}, data: { viewCount: -1 } }],
    [
      'arithmetic that cannot be checked',
      'post',
      'updateMany',
      { where: {}, data: { viewCount: { decrement: 1000 } } },
    ],
    ['upsert', 'user', 'upsert', { where: one, create: user, update: { email: 'x' } }],
    [
      'nested create',
      'post',
      'create',
      { data: { slug: 'x', title: 'x', author: { create: { ...user, email: 'x' } } } },
    ],
    [
      'nested createMany',
      'user',
      'update',
      { where: one, data: { posts: { createMany: { data: [{ slug: 'X Y', title: 'x' }] } } } },
    ],
    [
      'nested updateMany',
      'user',
      'update',
      { where: one, data: { posts: { updateMany: { where: {}, data: { title: '' } } } } },
    ],
    [
      'nested upsert',
      'user',
      'update',
      { where: one, data: { posts: { upsert: { where: one, create: { slug: 'X Y', title: 'x' }, update: {} } } } },
    ],
    [
      'connectOrCreate',
      'user',
      'update',
      { where: one, data: { posts: { connectOrCreate: { where: one, create: { slug: 'X Y', title: 'x' } } } } },
    ],
    ['a wrong type', 'post', 'update', { where: one, data: { viewCount: '1' } }],
    ['null for a required field', 'post', 'update', { where: one, data: { title: null } }],
    ['an unknown value of an enum', 'post', 'update', { where: one, data: { status: 'GONE' } }],
    ['an object for a string', 'post', 'update', { where: one, data: { title: { contains: 'x' } } }],
    ['NUL', 'post', 'update', { where: one, data: { title: 'a\u0000b' } }],
    ['half a surrogate pair', 'post', 'update', { where: one, data: { title: '\ud800' } }],
    ['a missing required field', 'post', 'create', { data: { slug: 'x' } }],
  ])('%s: rejects a value that violates the rules of its field', async (...testCase) => {
    const { status } = await callWithoutQueries(testCase)
    expect(status === 422 || (status === 400 && testCase[0].startsWith('an object'))).toBe(true)
  })

  it.each<Case>([
    ['deleteMany', 'post', 'deleteMany', {}],
    ['deleteMany with undefined', 'post', 'deleteMany', { where: undefined }],
    ['deleteMany with null', 'post', 'deleteMany', { where: null }],
    ['deleteMany with a list', 'post', 'deleteMany', { where: [] }],
    ['updateMany', 'post', 'updateMany', { data: { title: 'x' } }],
    ['deleteMany with data', 'post', 'deleteMany', { where: {}, data: {} }],
    ['groupBy with take and no order', 'post', 'groupBy', { by: ['id'], take: 1 }],
    ['groupBy with skip and no order', 'post', 'groupBy', { by: ['id'], skip: 1 }],
    ['an empty having', 'post', 'groupBy', { by: ['id'], having: {} }],
    ['an empty filter in having', 'post', 'groupBy', { by: ['id'], having: { id: {} } }],
    ['an empty aggregate in having', 'post', 'groupBy', { by: ['id'], having: { id: { _count: {} } } }],
    ['an empty list in having', 'post', 'groupBy', { by: ['id'], having: { OR: [] } }],
    ['groupBy by a number', 'post', 'groupBy', { by: [1] }],
    ['distinct of a number', 'post', 'findMany', { distinct: [1], take: 1 }],
    ['groupBy without by', 'post', 'groupBy', {}],
    ['groupBy with an empty by', 'post', 'groupBy', { by: [] }],
    ['an unknown argument', 'post', 'findMany', { wher: {} }],
    ['arguments of another operation', 'post', 'findUnique', { where: one, take: 1 }],
    ['a unique read without a unique', 'post', 'findUnique', { where: { title: 'x' } }],
    ['a unique read without where', 'post', 'findUnique', {}],
    ['a filter as the unique', 'post', 'findUnique', { where: { id: { gt: 0 } } }],
    ['a compound unique in part', 'comment', 'findUnique', { where: { postId_seq: { postId: 1 } } }],
    [
      'a compound unique with another field',
      'comment',
      'findUnique',
      { where: { postId_seq: { postId: 1, seq: 1, body: 'x' } } },
    ],
    ['select with include', 'post', 'findMany', { select: { id: true }, include: { author: true } }],
    ['select with omit', 'post', 'findMany', { select: { id: true }, omit: { title: true } }],
    ['an empty select', 'post', 'findMany', { select: {} }],
    ['a field in include', 'post', 'findMany', { include: { title: true } }],
    ['an operator of another type', 'post', 'findMany', { where: { id: { contains: '1' } } }],
    ['an unknown operator', 'post', 'findMany', { where: { title: { like: '%' } } }],
    ['in with a string', 'post', 'findMany', { where: { title: { in: 'x' } } }],
    ['a field reference', 'post', 'findMany', { where: { title: { equals: { _ref: 'slug', _container: 'Post' } } } }],
    ['some on a to-one relation', 'post', 'findMany', { where: { author: { some: {} } } }],
    ['is on a to-many relation', 'post', 'findMany', { where: { comments: { is: {} } } }],
    ['null for a required relation', 'comment', 'findMany', { where: { post: null } }],
    ['OR that is not a list', 'post', 'findMany', { where: { OR: { id: 1 } } }],
    ['an unknown direction', 'post', 'findMany', { orderBy: { id: 'up' } }],
    ['a sum of text', 'post', 'aggregate', { _sum: { title: true } }],
    [
      'a foreign key with its relation',
      'post',
      'update',
      { where: one, data: { authorId: 1, author: { connect: one } } },
    ],
    ['a relation in createMany', 'post', 'createMany', { data: [{ slug: 'x', title: 'x', author: { connect: one } }] }],
    ['an unknown nested write', 'post', 'update', { where: one, data: { author: { destroy: true } } }],
    [
      'a nested write of changes in create',
      'post',
      'create',
      { data: { slug: 'x', title: 'x', author: { update: {} } } },
    ],
    ['two operations on one field', 'post', 'update', { where: one, data: { viewCount: { set: 1, increment: 1 } } }],
    ['an unknown operation to check', 'post', 'check', { operation: 'drop' }],
  ])('%s: rejects malformed arguments with 400', async (...testCase) => {
    expect((await callWithoutQueries(testCase)).status).toBe(400)
  })

  it('connects to a read-only model if this side holds the foreign key', async () => {
    const { status, body } = await api.call('post', 'update', {
      where: one,
      data: { category: { connect: { id: 2 } } },
    })
    expect([status, body.data]).toEqual([200, expect.objectContaining({ categoryId: 2 })])
  })

  it('check: returns whether the model allows the operation', async () => {
    const responses = await Promise.all(
      ['read', 'create', 'update', 'delete'].map(async (operation) => {
        const { body } = await api.call('category', 'check', { operation, where: { id: 1 } })
        return body.data
      }),
    )
    expect(responses).toEqual([true, false, false, false])
  })

  it('preserves an omit that a client extension adds', async () => {
    const orm = clientThatOmits(db)
    const client = rpcClient(db, {}, orm)
    const { body } = await client.call('post', 'findFirst', { include: { author: true }, omit: { content: false } })
    expect(body.data).toBeTypeOf('object')
    expect(JSON.stringify(body.data)).not.toMatch(/"(content|password)"/)
  })
})

function clientThatOmits(db: Database): Orm {
  return db.orm.$extends({
    query: {
      post: {
        findFirst: ({ args, query }) => {
          expect(args).not.toHaveProperty('omit.content')
          return query({ ...args, omit: { content: true } as const })
        },
      },
    },
  }) as unknown as Orm
}
