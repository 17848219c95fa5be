import { beforeEach, expect, it } from 'vitest'

import type { Orm } from '../../fixtures/blog/expected/index.js'
import { categoryRpc } from '../../fixtures/blog/expected/category/rpc.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import { tagRpc } from '../../fixtures/blog/expected/tag/rpc.js'
import { userRpc } from '../../fixtures/blog/expected/user/rpc.js'
import type { Relation, Resource } from '../../runtime/schema/resource.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import type { RpcRoutesByModel } from '../../runtime/rpc/rpc-routes.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: relations with a read-only inverse', (db) => {
  let api: RpcClient

  beforeEach(async () => {
    await db.fill(seedBlog)
    await db.orm.tag.create({ data: { name: 'unlinked' } })
  })

  /** Serves the blog with another `Post` resource. */
  function withPost(resource: Resource, others: RpcRoutesByModel = {}): RpcClient {
    const routers = { User: userRpc, Tag: tagRpc, Post: { ...postRpc, resource }, ...others }
    return rpcClient(db, {}, db.orm, rpcHandler<Orm>(routers, {}, { provider: db.provider }))
  }

  const { fields, relations } = postRpc.resource

  it.each([
    ['visible', {}],
    ['hidden', { hidden: true }],
  ] as const)('%s: rejects writes of a many-to-many relation with 403', async (_what, flags) => {
    api = withPost({
      ...postRpc.resource,
      relations: { ...relations, tags: { ...relations.tags, readOnly: true, ...flags } },
    })
    const where = { name: 'unlinked' }
    for (const posts of [{ connect: { id: 1 } }, { set: [{ id: 1 }] }, { create: { slug: 'new', title: 'New' } }]) {
      expect((await api.call('tag', 'update', { where, data: { posts } })).status).toBe(403)
      expect((await api.call('tag', 'create', { data: { name: 'other', posts } })).status).toBe(403)
    }
    expect(await db.orm.post.count({ where: { tags: { some: where } } })).toBe(0)
    expect(await db.orm.tag.count({ where: { name: 'other' } })).toBe(0)
  })

  it('rejects writes of a read-only foreign key through its hidden relation with 403', async () => {
    api = withPost({
      ...postRpc.resource,
      fields: { ...fields, authorId: { ...fields.authorId, readOnly: true } },
      relations: { ...relations, author: { ...relations.author, hidden: true } },
    })
    const before = await db.orm.post.findMany({ orderBy: { id: 'asc' } })
    for (const posts of [{ connect: before.map(({ id }) => ({ id })) }, { set: [] }, { disconnect: { id: 1 } }]) {
      expect((await api.call('user', 'update', { where: { id: 1 }, data: { posts } })).status).toBe(403)
    }
    expect(await db.orm.post.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })

  it.each([
    ['shared with a read-only relation', { Category: categoryRpc }],
    ['shared with a read-only relation to an unexposed model', {}],
  ])('foreign key %s: rejects writes from either end with 403', async (_what, others) => {
    const category: Relation = {
      ...relations.category,
      readOnly: true,
      foreignKey: { categoryId: 'id', authorId: 'id' },
    }
    api = withPost({ ...postRpc.resource, relations: { ...relations, category } }, others)
    const before = await db.orm.post.findMany({ orderBy: { id: 'asc' } })
    const row = { slug: 'new', title: 'New' }
    const author = { connect: { id: 2 } }
    const ofUser = [
      { connect: { id: 1 } },
      { set: [] },
      { disconnect: { id: 1 } },
      { create: row },
      { createMany: { data: [row] } },
    ]
    for (const [model, operation, args] of [
      ['post', 'create', { data: { ...row, author } }],
      ['post', 'create', { data: { ...row, authorId: 2 } }],
      ['post', 'createMany', { data: [{ ...row, authorId: 2 }] }],
      ['post', 'update', { where: { id: 1 }, data: { author } }],
      ['post', 'update', { where: { id: 1 }, data: { author: { disconnect: true } } }],
      [
        'post',
        'update',
        { where: { id: 1 }, data: { author: { create: { email: 'n@example.com', password: 'secret-n' } } } },
      ],
      ['post', 'update', { where: { id: 1 }, data: { authorId: 2 } }],
      ['post', 'updateMany', { where: {}, data: { authorId: 2 } }],
      ['post', 'upsert', { where: { id: 1 }, create: { ...row }, update: { author } }],
      ['post', 'upsert', { where: { slug: 'new' }, create: { ...row, author }, update: {} }],
      ['tag', 'update', { where: { name: 'unlinked' }, data: { posts: { create: { ...row, author } } } }],
      ...ofUser.map((posts) => ['user', 'update', { where: { id: 2 }, data: { posts } }] as const),
    ] as const) {
      const { status, body } = await api.call(model, operation, args)
      expect([status, body.message], `${operation} ${JSON.stringify(args)}`).toEqual([
        403,
        expect.stringContaining('is read-only'),
      ])
    }
    expect(await db.orm.post.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })

  it('accepts writes of a relation whose inverse is only hidden', async () => {
    api = withPost({
      ...postRpc.resource,
      relations: {
        ...relations,
        author: { ...relations.author, hidden: true },
        tags: { ...relations.tags, hidden: true },
      },
    })
    const data = { posts: { connect: { id: 1 } } }
    expect((await api.call('user', 'update', { where: { id: 2 }, data })).status).toBe(200)
    expect((await api.call('tag', 'update', { where: { name: 'unlinked' }, data })).status).toBe(200)
    expect(await db.orm.post.count({ where: { id: 1, authorId: 2, tags: { some: { name: 'unlinked' } } } })).toBe(1)
  })
})
