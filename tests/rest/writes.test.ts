import { beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { MEDIA_TYPE, type RestClient, restClient } from './support/client.js'

const post = (attributes: object, relationships?: object) => ({
  data: {
    type: 'post',
    attributes: { slug: 'new', title: 'New', ...attributes },
    ...(relationships ? { relationships } : {}),
  },
})
const to = (type: string, id: string | number) => ({ data: { type, id } })

describeDatabases('REST: writes', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  async function isUnchanged(): Promise<void> {
    expect(await db.orm.post.count()).toBe(5)
    expect(await db.orm.post.findUnique({ where: { id: 1 } })).toMatchObject({
      title: 'One',
      viewCount: 10,
      authorId: 1,
    })
  }

  describe('malformed document', () => {
    it.each([
      ['array', [], 'malformed-document', undefined],
      ['string', 'x', 'malformed-document', undefined],
      ['null', null, 'malformed-document', undefined],
      ['missing data', {}, 'malformed-document', ''],
      ['null data', { data: null }, 'malformed-document', '/data'],
      ['array data', { data: [] }, 'malformed-document', '/data'],
      ['missing type', { data: { attributes: {} } }, 'malformed-document', '/data'],
      ['number as type', { data: { type: 1 } }, 'malformed-document', '/data'],
      ['array attributes', { data: { type: 'post', attributes: [] } }, 'malformed-document', '/data/attributes'],
      [
        'array relationships',
        { data: { type: 'post', relationships: [] } },
        'malformed-document',
        '/data/relationships',
      ],
      ['relationship without data', post({}, { author: {} }), 'malformed-document', '/data/relationships/author'],
      ['null relationship', post({}, { author: null }), 'malformed-document', '/data/relationships/author'],
      [
        'upsert in the resource',
        { data: { ...post({}).data, operation: 'upsert' } },
        'malformed-document',
        '/data/operation',
      ],
      [
        'upsert in the meta of the resource',
        { data: { ...post({}).data, meta: { operation: 'upsert', matchFields: ['slug'] } } },
        'malformed-document',
        '/data/meta/operation',
      ],
      ['top-level matchFields', { ...post({}), matchFields: ['slug'] }, 'malformed-document', '/matchFields'],
      ['included resources', { ...post({}), included: [{ type: 'tag', id: 'x' }] }, 'malformed-document', '/included'],
      ['misspelled operation', { ...post({}), meta: { Operation: 'upsert' } }, 'malformed-document', '/meta/Operation'],
      ['errors', { ...post({}), errors: [] }, 'malformed-document', '/errors'],
      ['number as meta', { ...post({}), meta: 5 }, 'malformed-document', '/meta'],
    ])('%s: rejects the body with 400', async (_what, body, code, pointer) => {
      const response = await rest.post('/post', body)
      expect(response.status).toBe(400)
      expect(response.errors[0]).toMatchObject({ code, ...(pointer === undefined ? {} : { source: { pointer } }) })
      await isUnchanged()
    })

    it.each(['{', '', '\ufeff\u0000', '{"data":', '"\\ud800'])('%j: rejects invalid JSON with 400', async (body) => {
      const response = await rest.fetch('/post', { method: 'POST', headers: { 'Content-Type': MEDIA_TYPE }, body })
      expect([response.status, response.errors[0]?.code]).toEqual([400, 'malformed-body'])
    })

    it('rejects invalid UTF-8 with 400', async () => {
      const body = new Uint8Array([123, 34, 0xff, 34, 58, 49, 125])
      const response = await rest.fetch('/post', { method: 'POST', headers: { 'Content-Type': MEDIA_TYPE }, body })
      expect([response.status, response.errors[0]?.code]).toEqual([400, 'malformed-body'])
    })

    it('rejects a member named __proto__ with 400', async () => {
      const body = '{"data":{"type":"post","attributes":{"slug":"new","title":"New","__proto__":{"x":1}}}}'
      const response = await rest.fetch('/post', { method: 'POST', headers: { 'Content-Type': MEDIA_TYPE }, body })
      expect(response.status).toBe(400)
      expect(Reflect.get({}, 'x')).toBeUndefined()
    })
  })

  it.each([
    ['unknown attribute', { nope: 1 }, 422, 'unknown-attribute', '/data/attributes/nope'],
    ['attribute in another case', { Title: 'x' }, 422, 'unknown-attribute', '/data/attributes/Title'],
    ['id as attribute', { id: 9 }, 422, 'unknown-attribute', '/data/attributes/id'],
    ['relationship as attribute', { author: 1 }, 422, 'unknown-attribute', '/data/attributes/author'],
    ['nested create', { tags: { create: { name: 'x' } } }, 422, 'unknown-attribute', '/data/attributes/tags'],
    ['nested delete', { comments: { deleteMany: {} } }, 422, 'unknown-attribute', '/data/attributes/comments'],
    ['increment operation', { viewCount: { increment: 9 } }, 422, 'invalid-value', '/data/attributes/viewCount'],
    ['set operation', { title: { set: 'x' } }, 422, 'invalid-value', '/data/attributes/title'],
    ['number for a string', { title: 5 }, 422, 'invalid-value', '/data/attributes/title'],
    ['string for a number', { viewCount: '5' }, 422, 'invalid-value', '/data/attributes/viewCount'],
    ['fraction for an integer', { viewCount: 1.5 }, 422, 'invalid-value', '/data/attributes/viewCount'],
    ['null for a required field', { title: null }, 422, 'invalid-value', '/data/attributes/title'],
    ['unknown enum value', { status: 'draft' }, 422, 'invalid-value', '/data/attributes/status'],
    ['nonexistent date', { publishedAt: '2024-02-30T00:00:00Z' }, 422, 'invalid-value', '/data/attributes/publishedAt'],
    ['string with U+0000', { title: 'a\0b' }, 422, 'invalid-value', '/data/attributes/title'],
    ['violated rule', { slug: 'No spaces!' }, 422, 'invalid-value', '/data/attributes/slug'],
    ['number below the minimum', { viewCount: -1 }, 422, 'invalid-value', '/data/attributes/viewCount'],
  ])('%s: rejects the attribute with 422 and writes no row', async (_what, attributes, status, code, pointer) => {
    for (const response of [
      await rest.post('/post', post(attributes)),
      await rest.patch('/post/1', { data: { type: 'post', attributes } }),
    ]) {
      expect([response.status, response.errors]).toMatchObject([status, [{ code, source: { pointer } }]])
    }
    await isUnchanged()
  })

  it('rejects a decimal out of range with 422', async () => {
    const adPrice = '1e999'
    const create = await rest.post('/category', { data: { type: 'category', attributes: { name: 'x', adPrice } } })
    expect([create.status, create.errors[0]?.source]).toEqual([422, { pointer: '/data/attributes/adPrice' }])
    expect((await rest.get('/category?filter[adPrice$lt]=1e999')).status).toBe(422)
  })

  it('reports all errors of a body in one response', async () => {
    const response = await rest.post('/post', {
      data: {
        type: 'post',
        attributes: { title: 5, viewCount: 'x', nope: 1 },
        relationships: { author: to('tag', 'x'), nope: {} },
      },
    })
    expect(response.status).toBe(400)
    expect(response.errors.map(({ code, source }) => [code, source?.pointer])).toEqual([
      ['invalid-value', '/data/attributes/title'],
      ['invalid-value', '/data/attributes/viewCount'],
      ['unknown-attribute', '/data/attributes/nope'],
      ['type-conflict', '/data/relationships/author/data/type'],
      ['unknown-relationship', '/data/relationships/nope'],
      ['missing-attribute', '/data/attributes/slug'],
    ])
  })

  it('reports the violated rule', async () => {
    const short = await rest.post('/post', { data: { type: 'post', attributes: { slug: 'a', title: '' } } })
    expect(short.errors).toMatchObject([
      {
        detail: expect.stringMatching(/^"title" is invalid: Too small/),
        source: { pointer: '/data/attributes/title' },
        meta: { rule: 'too_small', minimum: 1 },
      },
    ])
  })

  it('points to the id if an attribute is named id', async () => {
    for (const [resource, pointer] of [
      [{ type: 'post', attributes: { id: 9 } }, '/data/attributes/id'],
      [{ type: 'post', id: '1', attributes: { id: 9 } }, '/data/id'],
    ] as const) {
      const [error] = (await rest.patch('/post/1', { data: resource })).errors
      expect([error?.code, error?.source]).toEqual(['unknown-attribute', { pointer }])
      expect(error?.detail).toContain('data.id')
    }
  })

  it('ignores other members of resource identifiers', async () => {
    const tag = { type: 'tag', id: 'news', attributes: { name: 'x' }, relationships: {}, href: 'x' }
    expect((await rest.patch('/post/5/relationships/tags', { data: [tag], more: 1 })).ids).toEqual(['news'])
    expect((await rest.patch('/post/5', post({}, { tags: { data: [tag], more: 1 } }))).status).toBe(200)
    expect(await db.orm.tag.count({ where: { name: 'x' } })).toBe(0)
  })

  it('returns at most 100 errors', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`no${index}`, 1]))
    const response = await rest.post('/tag', { data: { type: 'tag', attributes } })
    expect(response.status).toBe(422)
    expect(response.body.errors).toHaveLength(100)
  })

  it('names each missing attribute and points to it', async () => {
    const response = await rest.post('/comment', { data: { type: 'comment', attributes: { seq: 9 } } })
    expect(response.status).toBe(422)
    expect(response.errors.map(({ detail, source }) => [detail, source?.pointer])).toEqual([
      ['The attribute "postId" or the relationship "post" is required.', '/data/attributes/postId'],
      ['The attribute "body" is required.', '/data/attributes/body'],
    ])
    const nothing = await rest.post('/tag', { data: { type: 'tag' } })
    expect(nothing.errors).toMatchObject([{ code: 'missing-attribute', source: { pointer: '/data/attributes/name' } }])
  })

  it('rejects read-only attributes with 403', async () => {
    for (const response of [
      await rest.patch('/user/1', { data: { type: 'user', attributes: { createdAt: '2020-01-01T00:00:00Z' } } }),
      await rest.post('/user', {
        data: {
          type: 'user',
          attributes: { email: 'd@e.org', password: 'long enough', createdAt: '2020-01-01T00:00:00Z' },
        },
      }),
    ]) {
      expect([response.status, response.errors]).toMatchObject([
        403,
        [{ code: 'read-only', source: { pointer: '/data/attributes/createdAt' } }],
      ])
    }
  })

  it('stores write-only attributes but omits them from responses', async () => {
    const created = await rest.post('/user', {
      data: { type: 'user', attributes: { email: 'd@example.org', password: 'brand new one' } },
    })
    expect(created.status).toBe(201)
    expect(created.text).not.toMatch(/password|brand new/)
    const updated = await rest.patch('/user/4', { data: { type: 'user', attributes: { password: 'another new one' } } })
    expect(updated.text).not.toMatch(/password|another new/)
    expect(await db.orm.user.findUnique({ where: { id: 4 } })).toMatchObject({ password: 'another new one' })
    for (const path of ['/user', '/user/1', '/post?include=author', '/post/1/author']) {
      expect((await rest.get(path)).text).not.toMatch(/password/)
    }
  })

  it('rejects an upsert in PATCH and relationship requests with 400', async () => {
    const meta = { operation: 'upsert', matchFields: ['slug'] }
    for (const response of [
      await rest.patch('/post/1', { data: { type: 'post', attributes: { title: 'x' } }, meta }),
      await rest.post('/post/1/relationships/tags', { data: [], meta }),
      await rest.patch('/post/1/relationships/author', { data: null, meta }),
    ]) {
      expect([response.status, response.errors[0]?.source]).toEqual([400, { pointer: '/meta/operation' }])
    }
    await isUnchanged()
  })

  it('ignores unknown members and @-members', async () => {
    const response = await rest.post('/post', {
      data: { ...post({ '@id': 'x' }).data, foo: 1 },
      bar: 2,
      jsonapi: { ext: ['http://x'] },
      meta: {},
    })
    expect(response.status).toBe(201)
  })

  describe('types and ids', () => {
    it('rejects a type or id that contradicts the URL with 409', async () => {
      expect((await rest.post('/post', { data: { type: 'user', attributes: {} } })).errors).toMatchObject([
        { code: 'type-conflict', status: 409, source: { pointer: '/data/type' } },
      ])
      expect((await rest.patch('/post/1', { data: { type: 'user', attributes: {} } })).status).toBe(409)
      for (const id of ['2', 2, 'x', true]) {
        const response = await rest.patch('/post/1', { data: { type: 'post', id, attributes: { title: 'x' } } })
        expect(response.errors).toMatchObject([{ code: 'id-conflict', status: 409, source: { pointer: '/data/id' } }])
      }
      expect((await rest.patch('/post/1', { data: { type: 'post', id: 1, attributes: { title: 'x' } } })).status).toBe(
        200,
      )
    })

    it('rejects an id that the database generates with 403', async () => {
      const response = await rest.post('/post', { data: { id: '77', ...post({}).data } })
      expect(response.errors).toMatchObject([
        { code: 'client-id-forbidden', status: 403, source: { pointer: '/data/id' } },
      ])
      await isUnchanged()
    })

    it('accepts a client-generated id if the id has no default', async () => {
      const created = await rest.post('/tag', { data: { type: 'tag', id: 'fresh' } })
      expect([created.status, created.one.id]).toEqual([201, 'fresh'])
      const again = await rest.post('/tag', { data: { type: 'tag', id: 'fresh' } })
      expect([again.status, again.errors[0]?.code]).toEqual([409, 'unique-violation'])
      const compound = await rest.post('/comment', {
        data: { type: 'comment', id: '1_9', attributes: { body: 'Ninth.' } },
      })
      expect([compound.status, compound.one]).toMatchObject([201, { id: '1_9', attributes: { postId: 1, seq: 9 } }])
    })

    it('reports one error for an empty id', async () => {
      const response = await rest.post('/tag', { data: { type: 'tag', id: '' } })
      expect([response.status, response.errors.map(({ source }) => source)]).toEqual([422, [{ pointer: '/data/id' }]])
    })

    it('rejects a number that JSON may have rounded as an id with 422', async () => {
      const response = await rest.post('/tag', { data: { type: 'tag', id: 2 ** 53 } })
      expect([response.status, response.errors[0]?.source]).toEqual([422, { pointer: '/data/id' }])
      await isUnchanged()
    })

    it('rejects an id that contradicts an attribute with 422', async () => {
      const response = await rest.post('/tag', { data: { type: 'tag', id: 'a', attributes: { name: 'b' } } })
      expect([response.status, response.errors[0]?.source?.pointer]).toEqual([422, '/data/attributes/name'])
      expect((await rest.post('/tag', { data: { type: 'tag', id: 'a', attributes: { name: 'a' } } })).status).toBe(201)
    })
  })

  describe('missing related resource', () => {
    it.each([
      ['to-one', { author: to('user', 99) }],
      [
        'to-many',
        {
          tags: {
            data: [
              { type: 'tag', id: 'news' },
              { type: 'tag', id: 'nope' },
            ],
          },
        },
      ],
      ['invalid id', { author: to('user', '1abc') }],
    ])('%s: responds with 404 and writes no row', async (_what, relationships) => {
      expect((await rest.post('/post', post({}, relationships))).status).toBe(404)
      const patched = await rest.patch('/post/1', { data: { type: 'post', attributes: { title: 'x' }, relationships } })
      expect(patched.status).toBe(404)
      await isUnchanged()
    })
  })

  it('responds with 409 if a foreign key refers to a missing row', async () => {
    const response = await rest.post('/post', post({ authorId: 99 }))
    expect([response.status, response.errors]).toMatchObject([
      409,
      [
        {
          code: 'foreign-key-violation',
          source: { pointer: '/data/attributes/authorId' },
          meta: { fields: ['authorId'] },
        },
      ],
    ])
    const both = await rest.post('/post', post({ authorId: 99, categoryId: 1 }))
    expect([both.status, both.errors[0]?.source, both.errors[0]?.meta]).toEqual([409, undefined, undefined])
    await isUnchanged()
  })

  it('responds with 409 to a duplicate unique value and names the field', async () => {
    const response = await rest.post('/post', post({ slug: 'one' }))
    expect(response.status).toBe(409)
    expect(response.errors).toMatchObject([
      { code: 'unique-violation', ormCode: 'P2002', detail: expect.stringContaining('slug') },
    ])
  })

  it('responds with 409 if other rows refer to the deleted row', async () => {
    expect((await rest.delete('/category/1')).status).toBe(409)
  })

  it.each<[string, string, unknown, number, string | undefined]>([
    ['duplicate value', '/post', post({ slug: 'one' }), 409, '/data/attributes/slug'],
    ['duplicate id', '/tag', { data: { type: 'tag', id: 'news' } }, 409, '/data/id'],
    [
      'duplicate compound id',
      '/comment',
      { data: { type: 'comment', attributes: { postId: 1, seq: 1, body: 'x' } } },
      409,
      '/data/attributes',
    ],
    [
      'duplicate compound id with a relationship',
      '/comment',
      {
        data: {
          type: 'comment',
          attributes: { seq: 1, body: 'x' },
          relationships: { post: { data: { type: 'post', id: '1' } } },
        },
      },
      409,
      '/data',
    ],
    [
      'missing to-one target',
      '/post',
      post({}, { author: { data: { type: 'user', id: '99' } } }),
      404,
      '/data/relationships/author/data',
    ],
    [
      'missing member',
      '/post',
      post({}, { tags: { data: [{ type: 'tag', id: 'nope' }] } }),
      404,
      '/data/relationships/tags/data/0',
    ],
    [
      'missing member among others',
      '/post',
      post(
        {},
        {
          tags: {
            data: [
              { type: 'tag', id: 'nope' },
              { type: 'tag', id: 'news' },
            ],
          },
        },
      ),
      404,
      '/data/relationships/tags/data',
    ],
    [
      'several missing targets',
      '/post',
      post({}, { tags: { data: [{ type: 'tag', id: 'nope' }] }, author: { data: { type: 'user', id: '99' } } }),
      404,
      '/data/relationships/author/data',
    ],
    [
      'ambiguous missing member',
      '/category',
      {
        data: {
          type: 'category',
          attributes: { name: 'x' },
          relationships: {
            posts: { data: [{ type: 'post', id: '99' }] },
            children: { data: [{ type: 'category', id: '1' }] },
          },
        },
      },
      404,
      undefined,
    ],
  ])('%s: points to the cause of the database error', async (_what, path, body, status, pointer) => {
    const response = await rest.post(path, body)
    expect([response.status, response.errors[0]?.source?.pointer]).toEqual([status, pointer])
    await isUnchanged()
  })

  it('points to the cause in updates, but not if the resource itself is missing', async () => {
    const author = { data: { type: 'user', id: '99' } }
    const tags = { data: [{ type: 'tag', id: 'nope' }] }
    const patch = (id: number, data: object) => rest.patch(`/post/${id}`, { data: { type: 'post', ...data } })
    for (const [response, status, pointer] of [
      [await patch(2, { attributes: { slug: 'one' } }), 409, '/data/attributes/slug'],
      [await patch(1, { relationships: { author } }), 404, '/data/relationships/author/data'],
      [await patch(99, { relationships: { author: { data: { type: 'user', id: '1' } } } }), 404, undefined],
      [await patch(1, { relationships: { tags } }), 404, '/data/relationships/tags/data/0'],
      [await rest.patch('/post/1/relationships/author', author), 404, '/data'],
      [await rest.post('/post/1/relationships/tags', tags), 404, '/data/0'],
      [await rest.patch('/post/1/relationships/tags', tags), 404, '/data/0'],
      [await rest.post('/post/99/relationships/tags', { data: [{ type: 'tag', id: 'news' }] }), 404, undefined],
    ] as const) {
      expect([response.status, response.errors[0]?.source?.pointer]).toEqual([status, pointer])
    }
  })

  it('rejects a foreign key together with its relation with 422', async () => {
    const response = await rest.post('/post', post({ authorId: 1 }, { author: to('user', 1) }))
    expect([response.status, response.errors]).toMatchObject([
      422,
      [{ source: { pointer: '/data/attributes/authorId' } }],
    ])
  })

  it('accepts foreign keys together with other relations', async () => {
    const created = await rest.post('/post', post({ categoryId: 2 }, { author: to('user', 1) }))
    expect([created.status, created.one.attributes]).toMatchObject([201, { categoryId: 2, authorId: 1 }])
    const updated = await rest.patch('/post/6', {
      data: { type: 'post', attributes: { categoryId: null }, relationships: { author: to('user', 2) } },
    })
    expect([updated.status, updated.one.attributes]).toMatchObject([200, { categoryId: null, authorId: 2 }])
    const comment = await rest.post('/comment', {
      data: { type: 'comment', attributes: { postId: 2, seq: 1, body: 'x' }, relationships: { author: to('user', 2) } },
    })
    expect([comment.status, comment.one.id]).toEqual([201, '2_1'])
  })

  it('creates a row with the other side of a one-to-one relation', async () => {
    const response = await rest.post('/profile', {
      data: { type: 'profile', attributes: { bio: 'x' }, relationships: { user: to('user', 2) } },
    })
    expect([response.status, response.one.attributes?.['userId']]).toEqual([201, 2])
    const missing = await rest.post('/profile', {
      data: { type: 'profile', attributes: { bio: 'x' }, relationships: { user: { data: null } } },
    })
    expect(missing.status).toBe(422)
  })

  it('stores fields of each type', async () => {
    const profile = await rest.post('/profile', {
      data: { type: 'profile', attributes: { userId: 2, avatar: 'AP8H', settings: { a: [1, { b: null }] } } },
    })
    expect(profile.one.attributes).toMatchObject({ avatar: 'AP8H', settings: { a: [1, { b: null }] } })
    const cleared = await rest.patch('/profile/1', {
      data: { type: 'profile', attributes: { settings: null, avatar: null } },
    })
    expect(cleared.one.attributes).toMatchObject({ settings: null, avatar: null })
    const category = await rest.post('/category', {
      data: { type: 'category', attributes: { name: 'x', adPrice: '123456.75', readers: '9223372036854775807' } },
    })
    expect(category.one.attributes).toMatchObject({ adPrice: '123456.75', readers: '9223372036854775807' })
  })

  it('accepts types in meta.serialization that match and rejects others with 400', async () => {
    const body = (values: object) => ({
      data: { type: 'category', attributes: { name: 'x', adPrice: '1.5', readers: '7' } },
      meta: { serialization: { values } },
    })
    const response = await rest.post(
      '/category',
      body({ 'data.attributes.adPrice': [['custom', 'Decimal']], 'data.attributes.readers': ['bigint'] }),
    )
    expect([response.status, response.one.attributes]).toMatchObject([201, { adPrice: '1.5', readers: '7' }])
    for (const values of [
      { 'data.attributes.name': ['undefined'] },
      { 'data.attributes.name': ['regexp'] },
      { 'data.attributes.nope': ['Date'] },
      { 'data.__proto__.x': ['Date'] },
      { 'data.attributes.readers': ['Date'] },
    ]) {
      expect((await rest.post('/category', body(values))).status).toBe(400)
    }
    expect(await db.orm.category.count()).toBe(4)
  })

  it('applies include and fields to the response of a write', async () => {
    const created = await rest.post(
      '/post?include=author&fields[post]=title,author',
      post({}, { author: to('user', 1) }),
    )
    expect(created.one.attributes).toEqual({ title: 'New' })
    expect(created.body.included).toMatchObject([{ type: 'user', id: '1' }])
    const updated = await rest.patch('/post/1?include=tags', { data: { type: 'post', attributes: { title: 'x' } } })
    expect(updated.body.included).toHaveLength(2)
    expect((await rest.delete('/post/1?include=tags')).status).toBe(400)
    expect((await rest.post('/post/1/relationships/tags?include=posts', { data: [] })).status).toBe(400)
    expect((await rest.post('/post?filter[id]=1', post({}))).status).toBe(400)
  })
})
