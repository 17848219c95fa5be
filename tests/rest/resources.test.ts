import { beforeEach, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: resources', (db) => {
  let rest: RestClient

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it('returns a page of a collection', async () => {
    const response = await rest.get('/post')
    expect(response.status).toBe(200)
    expect(response.ids).toEqual(['1', '2', '3', '4', '5'])
    expect(response.body.meta?.total).toBe(5)
    expect(response.body.links?.['self']).toBe(`${ENDPOINT}/post`)
  })

  it('returns the attributes, relationships and links of a resource', async () => {
    const { one, status, body } = await rest.get('/post/1')
    expect(status).toBe(200)
    expect(one).toEqual({
      type: 'post',
      id: '1',
      attributes: {
        slug: 'one',
        title: 'One',
        content: null,
        status: 'PUBLISHED',
        viewCount: 10,
        publishedAt: '2024-02-01T00:00:00.000Z',
        updatedAt: expect.stringMatching(/Z$/),
        authorId: 1,
        categoryId: 1,
      },
      relationships: {
        author: {
          data: { type: 'user', id: '1' },
          links: { related: `${ENDPOINT}/post/1/author`, self: `${ENDPOINT}/post/1/relationships/author` },
        },
        category: {
          data: { type: 'category', id: '1' },
          links: { related: `${ENDPOINT}/post/1/category`, self: `${ENDPOINT}/post/1/relationships/category` },
        },
        comments: {
          links: { related: `${ENDPOINT}/post/1/comments`, self: `${ENDPOINT}/post/1/relationships/comments` },
        },
        tags: { links: { related: `${ENDPOINT}/post/1/tags`, self: `${ENDPOINT}/post/1/relationships/tags` } },
      },
      links: { self: `${ENDPOINT}/post/1` },
    })
    expect(body.meta).toEqual({
      serialization: {
        values: { 'data.attributes.publishedAt': ['Date'], 'data.attributes.updatedAt': ['Date'] },
        v: 1,
      },
    })
    expect(body.links).toEqual({ self: `${ENDPOINT}/post/1` })
    expect(body.jsonapi).toEqual({ version: '1.1' })
  })

  it('returns all digits of BigInt and Decimal values and describes their types', async () => {
    const { one, body } = await rest.get('/category/1')
    expect(one.attributes).toMatchObject({ adPrice: '12.5', readers: '9007199254740993' })
    expect(body.meta?.serialization?.values).toEqual({
      'data.attributes.adPrice': [['custom', 'Decimal']],
      'data.attributes.readers': ['bigint'],
    })
  })

  it('returns bytes as Base64 and Json unchanged', async () => {
    const { one, body } = await rest.get('/profile/1')
    expect(one.attributes).toMatchObject({ avatar: 'AP8H', settings: { theme: 'dark' } })
    expect(body.meta?.serialization?.values).toEqual({ 'data.attributes.avatar': [['custom', 'Bytes']] })
  })

  it('creates a resource with relationships', async () => {
    const response = await rest.post('/post', {
      data: {
        type: 'post',
        attributes: { slug: 'new', title: 'New', publishedAt: '2024-05-01T12:00:00.000Z' },
        relationships: {
          author: { data: { type: 'user', id: 2 } },
          tags: {
            data: [
              { type: 'tag', id: 'news' },
              { type: 'tag', id: 'a/b %_ü' },
            ],
          },
        },
      },
    })
    expect(response.status).toBe(201)
    expect(response.headers.get('Location')).toBe(response.one.links?.self)
    expect(response.one).toMatchObject({ id: '6', attributes: { slug: 'new', authorId: 2, status: 'DRAFT' } })
    expect(
      await db.orm.post.findUnique({ where: { id: 6 }, include: { tags: { orderBy: { name: 'asc' } } } }),
    ).toMatchObject({
      title: 'New',
      authorId: 2,
      publishedAt: new Date('2024-05-01T12:00:00.000Z'),
      tags: [{ name: 'a/b %_ü' }, { name: 'news' }],
    })
  })

  it.each(['patch', 'put'] as const)('%s: updates only the given attributes', async (method) => {
    const response = await rest[method]('/post/1', {
      data: { type: 'post', id: '1', attributes: { title: 'Changed' } },
    })
    expect(response.status).toBe(200)
    expect(response.one.attributes).toMatchObject({ title: 'Changed', slug: 'one', viewCount: 10, authorId: 1 })
  })

  it('replaces the given relationships and keeps the related resources', async () => {
    const response = await rest.patch('/post/1', {
      data: {
        type: 'post',
        relationships: {
          author: { data: null },
          category: { data: { type: 'category', id: '3' } },
          tags: { data: [{ type: 'tag', id: 'tips' }] },
        },
      },
    })
    expect(response.status).toBe(200)
    expect(response.one.relationships?.['author']?.data).toBeNull()
    expect(response.one.relationships?.['category']?.data).toEqual({ type: 'category', id: '3' })
    expect((await rest.get('/post/1/relationships/tags')).ids).toEqual(['tips'])
    expect((await rest.get('/user/1')).status).toBe(200)
  })

  it('deletes a resource and responds with 404 afterwards', async () => {
    const response = await rest.delete('/post/5')
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await rest.delete('/post/5')).status).toBe(404)
    expect((await rest.get('/post/5')).status).toBe(404)
    expect((await rest.patch('/post/5', { data: { type: 'post', attributes: { title: 'x' } } })).status).toBe(404)
  })

  it('responds to HEAD without a body', async () => {
    const response = await rest.fetch('/post/1', { method: 'HEAD' })
    expect([response.status, response.text]).toEqual([200, ''])
  })

  it('responds with 404 to unknown paths and with 405 to unsupported methods', async () => {
    expect((await rest.get('/nope')).errors).toMatchObject([
      { code: 'unsupported-model', status: 404, title: 'Unsupported model type' },
    ])
    expect((await rest.get('/post/1/nope')).status).toBe(404)
    expect((await rest.get('/post/1/relationships/nope')).status).toBe(404)
    const response = await rest.delete('/post')
    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toBe('GET, HEAD, POST')
  })
})
