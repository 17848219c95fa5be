import { beforeEach, expect, it } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { type RpcClient, rpcClient } from './client.js'

describeDatabases('RPC: error issues', (db) => {
  let api: RpcClient
  beforeEach(async () => {
    await db.fill(fillBlog)
    api = rpcClient(db)
  })

  const issuesOf = async (operation: string, args: unknown, model = 'post') => {
    const { status, body } = await api.call(model, operation, args)
    return [status, body.issues?.map(({ path, code }) => [path.join('.'), ...(code === undefined ? [] : [code])])]
  }

  it('lists every error in the data with 422', async () => {
    const data = { title: '', viewCount: -1, nope: 1, author: { create: { email: 'x', posts: 1 } } }
    const { status, body } = await api.call('post', 'create', { data })
    expect([status, body.issues]).toEqual([
      422,
      [
        {
          path: ['data', 'title'],
          message: 'Too small: expected string to have >=1 characters',
          code: 'too_small',
          params: expect.objectContaining({ minimum: 1 }),
        },
        {
          path: ['data', 'viewCount'],
          message: expect.any(String),
          code: 'too_small',
          params: expect.objectContaining({ minimum: 0 }),
        },
        { path: ['data', 'nope'], message: 'Unknown name "nope" in data.' },
        {
          path: ['data', 'author', 'create', 'email'],
          message: 'Invalid email address',
          code: 'invalid_format',
          params: expect.objectContaining({ format: 'email' }),
        },
        { path: ['data', 'author', 'create', 'posts'], message: 'data.author.create.posts must be an object.' },
        { path: ['data', 'author', 'create', 'password'], message: 'Must have a value.' },
        { path: ['data', 'slug'], message: 'Must have a value.' },
      ],
    ])
    expect(body.message).toMatch(/^data\.title is invalid: Too small.* data\.slug is required\.$/)
  })

  it.each([
    ['update', { where: { id: 1.5 }, data: {} }, 'where.id'],
    ['findMany', { where: { OR: [{ title: 'x' }, { viewCount: { in: [1, 'y'] } }] } }, 'where.OR.1.viewCount.in.1'],
    ['findMany', { cursor: { id: 'x' } }, 'cursor.id'],
    ['groupBy', { by: ['title'], having: { viewCount: { gt: 'x' } } }, 'having.viewCount.gt'],
  ])('%s: reports the path of a condition value of the wrong type with 422', async (operation, args, path) => {
    expect(await issuesOf(operation, args)).toEqual([422, [[path]]])
  })

  it.each<[string, string, unknown, string, readonly (readonly string[])[]]>([
    [
      'many rows',
      'createMany',
      { data: [{ slug: 'a' }, { slug: 'B', title: 'x' }] },
      'post',
      [['data.0.title'], ['data.1.slug', 'invalid_format']],
    ],
    [
      'an update',
      'update',
      { where: { id: 1 }, data: { title: { set: '' }, slug: 5 } },
      'post',
      [['data.title.set', 'too_small'], ['data.slug']],
    ],
    ['a missing foreign key', 'create', { data: { seq: 9, body: 'x' } }, 'comment', [['data.postId']]],
    [
      'a missing foreign key of a nested row',
      'create',
      {
        data: {
          slug: 'a',
          title: 'x',
          author: {
            create: {
              email: 'a@example.org',
              password: '12345678',
              profile: { create: {} },
              comments: { create: { seq: 1, body: 'x' } },
            },
          },
        },
      },
      'post',
      [['data.author.create.comments.create.postId']],
    ],
    [
      'a foreign key with another relation',
      'create',
      { data: { slug: 'a', title: 'x', authorId: 1, category: { connect: { id: 1 } } } },
      'post',
      [['data.authorId']],
    ],
  ])('%s: reports the paths of invalid data', async (_what, operation, args, model, expected) => {
    const [status, issues] = await issuesOf(operation, args, model)
    expect(issues).toEqual(expected)
    expect([400, 422]).toContain(status)
  })

  it('reports all fields of a violated constraint', async () => {
    expect(await issuesOf('create', { data: { slug: 'one', title: 'x' } })).toEqual([409, [['data.slug']]])
    expect(await issuesOf('create', { data: { postId: 1, seq: 1, body: 'x' } }, 'comment')).toEqual([
      409,
      [['data.postId'], ['data.seq']],
    ])
    expect(await issuesOf('create', { data: { slug: 'new', title: 'x', authorId: 99 } })).toEqual([
      409,
      [['data.authorId']],
    ])
    expect(await issuesOf('delete', { where: { id: 99 } })).toEqual([404, undefined])
  })

  it('does not require a foreign key that a relation provides', async () => {
    const data = {
      slug: 'new',
      title: 'x',
      comments: { create: { seq: 1, body: 'x' }, createMany: { data: [{ seq: 2, body: 'y' }] } },
    }
    expect((await api.call('post', 'create', { data })).status).toBe(201)
    expect(
      (await api.call('comment', 'create', { data: { seq: 5, body: 'x', post: { connect: { id: 1 } } } })).status,
    ).toBe(201)
  })
})
