import { beforeEach, expect, it } from 'vitest'

import { categoryRest } from '../../fixtures/blog/expected/category/rest.js'
import { commentRest } from '../../fixtures/blog/expected/comment/rest.js'
import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { profileRest } from '../../fixtures/blog/expected/profile/rest.js'
import { tagRest } from '../../fixtures/blog/expected/tag/rest.js'
import { userRest } from '../../fixtures/blog/expected/user/rest.js'
import type { Resource } from '../../runtime/resource.js'
import { restHandler } from '../../runtime/rest/handler.js'
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
  'REST: a blog with less of it exposed',
  (db) => {
    beforeEach(async () => {
      await db.reset()
      await fillBlog(db)
    })

    /** The blog's routes, with other resources. */
    function client(changed: { readonly [K in keyof typeof all]?: Partial<Resource> }): RestClient {
      const routes = Object.fromEntries(
        Object.entries(all).map(([name, routesOf]) => {
          const change = Object.entries(changed).find(([model]) => model === name)?.[1]
          return [name, { ...routesOf, resource: { ...routesOf.resource, ...change } }]
        }),
      )
      const handler = restHandler(routes, { endpoint: ENDPOINT }, { provider: db.provider })
      return clientOf((request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' }))
    }

    const { fields, relations } = postRest.resource

    it.each<[string, Parameters<typeof client>[0]]>([
      [
        'the foreign key of the other side is read-only',
        { Post: { fields: { ...fields, authorId: { ...fields.authorId, readOnly: true } } } },
      ],
      [
        'the relation of the other side is read-only',
        { Post: { relations: { ...relations, author: { ...relations.author, readOnly: true } } } },
      ],
      ['the other side cannot be updated', { Post: { operations: ['list', 'get'] } }],
    ])('a relation cannot be written where %s', async (_what, changed) => {
      const rest = client(changed)
      const four = { data: [{ type: 'post', id: '4' }] }
      for (const answer of [
        await rest.post('/user/1/relationships/posts', four),
        await rest.patch('/user/1/relationships/posts', four),
        await rest.delete('/user/1/relationships/posts', four),
        await rest.patch('/user/1', { data: { type: 'user', relationships: { posts: four } } }),
      ]) {
        expect([answer.status, answer.errors[0]?.code]).toEqual([403, 'read-only'])
      }
      expect(await db.orm.post.count({ where: { authorId: 1 } })).toBe(3)
    })

    it('a foreign key that is read-only makes its relation read-only', async () => {
      const rest = client({ Post: { fields: { ...fields, authorId: { ...fields.authorId, readOnly: true } } } })
      expect((await rest.patch('/post/1/relationships/author', { data: null })).status).toBe(403)
      expect((await rest.patch('/post/1', { data: { type: 'post', attributes: { authorId: 2 } } })).status).toBe(403)
    })

    it('a foreign key that is hidden still gives linkage and filters by it', async () => {
      const rest = client({ Post: { fields: { ...fields, authorId: { ...fields.authorId, hidden: true } } } })
      const answer = await rest.get('/post/1')
      expect(answer.one.attributes).not.toHaveProperty('authorId')
      expect(answer.one.relationships?.['author']?.data).toEqual({ type: 'user', id: '1' })
      expect((await rest.get('/post?filter[author]=2')).ids).toEqual(['4'])
      expect((await rest.get('/post?filter[authorId]=2')).status).toBe(400)
      const narrow = await rest.get('/post/1?fields[post]=author')
      expect(narrow.one.relationships?.['author']?.data).toEqual({ type: 'user', id: '1' })
      expect((await rest.patch('/post/1/relationships/author', { data: { type: 'user', id: '2' } })).status).toBe(200)
    })

    it('a foreign key of a hidden relation is written beside other relations', async () => {
      const rest = client({ Post: { relations: { ...relations, category: { ...relations.category, hidden: true } } } })
      const attributes = { slug: 'new', title: 'New', categoryId: 2 }
      const author = { data: { type: 'user', id: '1' } }
      const answer = await rest.post('/post', { data: { type: 'post', attributes, relationships: { author } } })
      expect([answer.status, answer.one?.attributes]).toMatchObject([201, { categoryId: 2, authorId: 1 }])
    })

    it('an upsert cannot update what cannot be updated', async () => {
      const rest = client({ Post: { operations: ['list', 'get', 'create'] } })
      const body = {
        data: { type: 'post', attributes: { slug: 'one', title: 'x' } },
        meta: { operation: 'upsert', matchFields: ['slug'] },
      }
      expect((await rest.post('/post', body)).status).toBe(403)
      expect(await db.orm.post.count({ where: { title: 'x' } })).toBe(0)
    })

    it('what a client leaves out itself stays out', async () => {
      const orm = db.orm.$extends({
        query: {
          post: {
            $allOperations: ({ args, query }) =>
              query({ ...args, omit: { content: true, authorId: true } } as typeof args),
          },
        },
      })
      const answer = await restClient(db, {}, orm).get('/post/5')
      expect(answer.one.attributes).not.toHaveProperty('content')
      expect(answer.one.attributes).toHaveProperty('title')
      expect(answer.one.relationships?.['author']).toHaveProperty('links')
      expect(answer.one.relationships?.['author']).not.toHaveProperty('data')
    })
  },
  { only: ['SQLite'] },
)
