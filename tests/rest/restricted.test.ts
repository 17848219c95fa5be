import { beforeEach, expect, it } from 'vitest'

import { categoryRest } from '../../fixtures/blog/expected/category/rest.js'
import { commentRest } from '../../fixtures/blog/expected/comment/rest.js'
import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { profileRest } from '../../fixtures/blog/expected/profile/rest.js'
import { tagRest } from '../../fixtures/blog/expected/tag/rest.js'
import { userRest } from '../../fixtures/blog/expected/user/rest.js'
import type { Relation, Resource } from '../../runtime/schema/resource.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { clientOf, ENDPOINT, type RestClient, restClient } from './support/client.js'

const all = {
  User: userRest,
  Profile: profileRest,
  Post: postRest,
  Comment: commentRest,
  Category: categoryRest,
  Tag: tagRest,
}

describeDatabases(
  'REST: restricted exposure',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

    /** Serves the blog's routes with other resources. */
    function client(
      changed: { readonly [K in keyof typeof all]?: Partial<Resource> },
      options: object = {},
    ): RestClient {
      const routes = Object.fromEntries(
        Object.entries(all).map(([name, routesOf]) => {
          const change = Object.entries(changed).find(([model]) => model === name)?.[1]
          return [name, { ...routesOf, resource: { ...routesOf.resource, ...change } }]
        }),
      )
      const handler = restHandler(routes, { endpoint: ENDPOINT, ...options }, { provider: db.provider })
      const fetch = (request: Request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' })
      return clientOf(fetch, 'strict' in options)
    }

    const { fields, relations } = postRest.resource

    it('names a missing relation if its foreign key is hidden', async () => {
      const { userId, ...others } = profileRest.resource.fields
      const rest = client({ Profile: { fields: { ...others, userId: { ...userId, hidden: true } } } })
      const profile = (relationships?: object) => ({
        data: { type: 'profile', ...(relationships && { relationships }) },
      })
      for (const body of [profile(), profile({ user: { data: null } })]) {
        const response = await rest.post('/profile', body)
        expect([response.status, response.errors[0]]).toMatchObject([
          422,
          {
            code: 'missing-attribute',
            detail: 'The relationship "user" is required.',
            source: { pointer: '/data/relationships/user' },
          },
        ])
      }
      expect((await rest.post('/profile', profile({ user: { data: { type: 'user', id: '2' } } }))).status).toBe(201)
    })

    it.each<[string, Parameters<typeof client>[0]]>([
      [
        'read-only foreign key of the other side',
        { Post: { fields: { ...fields, authorId: { ...fields.authorId, readOnly: true } } } },
      ],
      [
        'read-only relation of the other side',
        { Post: { relations: { ...relations, author: { ...relations.author, readOnly: true } } } },
      ],
      ['other side without update', { Post: { operations: ['list', 'get'] } }],
    ])('%s: rejects writes of the relation with 403', async (_what, changed) => {
      const rest = client(changed)
      const four = { data: [{ type: 'post', id: '4' }] }
      for (const response of [
        await rest.post('/user/1/relationships/posts', four),
        await rest.patch('/user/1/relationships/posts', four),
        await rest.delete('/user/1/relationships/posts', four),
        await rest.patch('/user/1', { data: { type: 'user', relationships: { posts: four } } }),
      ]) {
        expect([response.status, response.errors[0]?.code]).toEqual([403, 'read-only'])
      }
      const options = await rest.fetch('/user/1/relationships/posts', { method: 'OPTIONS' })
      expect([options.status, options.headers.get('Allow')]).toEqual([204, 'GET, HEAD'])
      expect(await db.orm.post.count({ where: { authorId: 1 } })).toBe(3)
    })

    it.each(['author_', 'type', 'id'])('%s: throws in strict mode if a relation has this name', (name) => {
      const { author, ...others } = relations
      const changed = { Post: { relations: { ...others, [name]: author } } }
      expect(() => client(changed)).not.toThrow()
      expect(() => client(changed, { strict: true })).toThrow(
        `"Post.${name}" is not a valid JSON:API relationship name`,
      )
    })

    it.each([
      ['type_', 'postType'],
      ['id_', 'postId'],
    ])('%s: becomes the attribute "%s" in strict mode', async (name, wire) => {
      const { slug, ...others } = fields
      const rest = client({ Post: { fields: { ...others, [name]: slug } } }, { strict: true })
      // The column does not exist: only the name in the query matters.
      expect((await rest.get(`/post?filter[${name}]=x`)).errors[0]?.code).toBe('unknown-field')
      expect((await rest.get(`/post?filter[${wire}$gt]=x&sort=nope`)).errors[0]?.detail).toContain('"nope"')
    })

    it('throws in strict mode if the new name of a field is taken', () => {
      const taken = { Post: { fields: { ...fields, slug_: fields.slug } } }
      expect(() => client(taken, { strict: true })).toThrow(
        '"Post.slug_" would be called "slug", which is already in use',
      )
    })

    it('throws in strict mode for an invalid type name without a mapping', () => {
      const mapping = { Tag: 'tag' }
      expect(() => client({ Tag: { model: 'Tag_' } }, { strict: true })).toThrow(
        /"tag_" is not a valid JSON:API type.*modelNameMapping/,
      )
      expect(() => client({ Tag: { model: 'Tag_' } })).not.toThrow()
      expect(() => client({}, { strict: true, modelNameMapping: mapping })).not.toThrow()
    })

    it('rejects writes of a relation with a read-only foreign key with 403', async () => {
      const rest = client({ Post: { fields: { ...fields, authorId: { ...fields.authorId, readOnly: true } } } })
      expect((await rest.patch('/post/1/relationships/author', { data: null })).status).toBe(403)
      expect((await rest.patch('/post/1', { data: { type: 'post', attributes: { authorId: 2 } } })).status).toBe(403)
    })

    it('rejects writes of the foreign key of a read-only relation with 403', async () => {
      const rest = client({ Post: { relations: { ...relations, author: { ...relations.author, readOnly: true } } } })
      const update = await rest.patch('/post/1', { data: { type: 'post', attributes: { authorId: 2 } } })
      const attributes = { slug: 'new', title: 'New', authorId: 2 }
      const create = await rest.post('/post', { data: { type: 'post', attributes } })
      for (const { status, errors } of [update, create]) {
        expect([status, errors[0]?.code, errors[0]?.source]).toEqual([
          403,
          'read-only',
          { pointer: '/data/attributes/authorId' },
        ])
      }
      expect(await db.orm.post.count({ where: { authorId: 2 } })).toBe(1)
    })

    it.each([
      ['read-only relation', {}],
      [
        'read-only relation to an unserved model',
        { modelNameMapping: { User: 'user', Post: 'post', Comment: 'comment', Tag: 'tag' } },
      ],
    ])('%s: rejects writes of another relation on its foreign key with 403', async (_what, options) => {
      const category: Relation = {
        ...relations.category,
        readOnly: true,
        foreignKey: { categoryId: 'id', authorId: 'id' },
      }
      const rest = client({ Post: { relations: { ...relations, category } } }, options)
      const author = { data: { type: 'user', id: '2' } }
      for (const response of [
        await rest.patch('/post/1', { data: { type: 'post', attributes: { authorId: 2 } } }),
        await rest.patch('/post/1/relationships/author', author),
        await rest.patch('/post/1', { data: { type: 'post', relationships: { author } } }),
        await rest.post('/user/2/relationships/posts', { data: [{ type: 'post', id: '1' }] }),
      ]) {
        expect([response.status, response.errors[0]?.code]).toEqual([403, 'read-only'])
      }
      expect(await db.orm.post.count({ where: { authorId: 2 } })).toBe(1)
    })

    it.each([
      ['/user/1/posts', undefined],
      ['/user/1/relationships/posts', undefined],
      ['/user/1?include=posts', 'include'],
      ['/post/1?include=author.posts', 'include'],
      ['/post/1/relationships/author?include=posts', 'include'],
      ['/user?filter[posts][title]=One', 'filter[posts][title]'],
      ['/user?filter[posts][title][contains]=O', 'filter[posts][title][contains]'],
      ['/user?filter[posts]=1', 'filter[posts]'],
      ['/user?filter[posts][]=1', 'filter[posts][]'],
    ])('%s: rejects reading a model without `list` over a to-many relation with 403', async (path, parameter) => {
      const { status, errors } = await client({ Post: { operations: ['get', 'create', 'update'] } }).get(path)
      expect([status, errors[0]?.code, errors[0]?.source?.parameter]).toEqual([403, 'forbidden', parameter])
    })

    it.each([
      ['/post/1/author', undefined],
      ['/post/1?include=author', 'include'],
      ['/post/1/relationships/author?include=author', 'include'],
      ['/post?filter[author][name]=Ann', 'filter[author][name]'],
      ['/post?sort=author.name', 'sort'],
      ['/post?sort=-author.id', 'sort'],
    ])('%s: rejects reading a model without `get` over a to-one relation with 403', async (path, parameter) => {
      const { status, errors } = await client({ User: { operations: ['list', 'create'] } }).get(path)
      expect([status, errors[0]?.code, errors[0]?.source?.parameter]).toEqual([403, 'forbidden', parameter])
    })

    it('returns linkage from a foreign key if the target is unreadable', async () => {
      const rest = client({ User: { operations: ['create'] } })
      const { author } = (await rest.get('/post/1')).one.relationships ?? {}
      expect(author?.data).toEqual({ type: 'user', id: '1' })
      expect(author?.links).not.toHaveProperty('related')
      expect((await rest.get('/post/1/relationships/author')).body.data).toEqual({ type: 'user', id: '1' })
      expect((await rest.get('/post?filter[author]=2')).ids).toEqual(['4'])
    })

    it('omits linkage if it requires reading an unreadable model', async () => {
      const rest = client({ Profile: { operations: ['list', 'create'] } })
      expect((await rest.get('/user/1')).one.relationships).not.toHaveProperty('profile')
      expect((await rest.get('/user/1/relationships/profile')).status).toBe(403)
      expect((await rest.get('/user?filter[profile]=1')).status).toBe(403)
    })

    it('responds with 204 if the changed members are unreadable', async () => {
      const rest = client({ Tag: { operations: ['get', 'update'] } })
      const before = await db.orm.post.findUniqueOrThrow({
        where: { id: 5 },
        select: { _count: { select: { tags: true } } },
      })
      const tag = await db.orm.tag.findFirstOrThrow({ where: { posts: { none: { id: 5 } } } })
      const response = await rest.post('/post/5/relationships/tags', { data: [{ type: 'tag', id: tag.name }] })
      expect([response.status, response.text]).toEqual([204, ''])
      expect(await db.orm.tag.count({ where: { posts: { some: { id: 5 } } } })).toBe(before._count.tags + 1)
    })

    it.each([2 ** 53, 1e300, 1.5])('%s: rejects the number as an id with 422', async (id) => {
      const rest = client({})
      const author = { data: { type: 'user', id } }
      for (const [response, pointer] of [
        [await rest.patch('/post/1/relationships/author', author), '/data/id'],
        [
          await rest.patch('/post/1', { data: { type: 'post', relationships: { author } } }),
          '/data/relationships/author/data/id',
        ],
        [await rest.patch('/post/1', { data: { type: 'post', id, attributes: { title: 'x' } } }), '/data/id'],
      ] as const) {
        expect([response.status, response.errors[0]]).toMatchObject([
          422,
          { code: 'invalid-value', source: { pointer } },
        ])
      }
    })

    it('returns linkage and filters by a hidden foreign key', async () => {
      const rest = client({ Post: { fields: { ...fields, authorId: { ...fields.authorId, hidden: true } } } })
      const response = await rest.get('/post/1')
      expect(response.one.attributes).not.toHaveProperty('authorId')
      expect(response.one.relationships?.['author']?.data).toEqual({ type: 'user', id: '1' })
      expect((await rest.get('/post?filter[author]=2')).ids).toEqual(['4'])
      expect((await rest.get('/post?filter[authorId]=2')).status).toBe(400)
      const narrow = await rest.get('/post/1?fields[post]=author')
      expect(narrow.one.relationships?.['author']?.data).toEqual({ type: 'user', id: '1' })
      expect((await rest.patch('/post/1/relationships/author', { data: { type: 'user', id: '2' } })).status).toBe(200)
    })

    it('writes the foreign key of a hidden relation together with other relations', async () => {
      const rest = client({ Post: { relations: { ...relations, category: { ...relations.category, hidden: true } } } })
      const attributes = { slug: 'new', title: 'New', categoryId: 2 }
      const author = { data: { type: 'user', id: '1' } }
      const response = await rest.post('/post', { data: { type: 'post', attributes, relationships: { author } } })
      expect([response.status, response.one?.attributes]).toMatchObject([201, { categoryId: 2, authorId: 1 }])
    })

    it('rejects an upsert with 403 if it would update a model without `update`', async () => {
      const rest = client({ Post: { operations: ['list', 'get', 'create'] } })
      const body = {
        data: { type: 'post', attributes: { slug: 'one', title: 'x' } },
        meta: { operation: 'upsert', matchFields: ['slug'] },
      }
      expect((await rest.post('/post', body)).status).toBe(403)
      expect(await db.orm.post.count({ where: { title: 'x' } })).toBe(0)
    })

    it('omits fields that a client extension omits', async () => {
      const orm = db.orm.$extends({
        query: {
          post: {
            $allOperations: ({ args, query }) =>
              query({ ...args, omit: { content: true, authorId: true } } as typeof args),
          },
        },
      })
      const response = await restClient(db, {}, orm).get('/post/5')
      expect(response.one.attributes).not.toHaveProperty('content')
      expect(response.one.attributes).toHaveProperty('title')
      expect(response.one.relationships?.['author']).toHaveProperty('links')
      expect(response.one.relationships?.['author']).not.toHaveProperty('data')
    })
  },
  { only: ['SQLite'] },
)
