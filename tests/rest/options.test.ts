import { beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: options', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })

  describe('modelNameMapping', () => {
    it('defaults to model names in lower case', async () => {
      const response = await restClient(db).get('/post/1')
      expect([response.status, response.one.type, response.one.links?.self]).toEqual([
        200,
        'post',
        `${ENDPOINT}/post/1`,
      ])
    })

    it('serves only mapped names if any is set', async () => {
      const rest = restClient(db, { modelNameMapping: { Post: 'posts', User: 'users' } })
      const response = await rest.get('/posts/1?include=author&fields[users]=name')
      expect(response.one).toMatchObject({
        type: 'posts',
        links: { self: `${ENDPOINT}/posts/1` },
        relationships: {
          author: { data: { type: 'users', id: '1' }, links: { related: `${ENDPOINT}/posts/1/author` } },
        },
      })
      for (const name of ['post', 'Post', 'category', 'Category', 'user']) {
        const rejected = await rest.get(`/${name}`)
        expect([rejected.status, rejected.errors[0]?.code]).toEqual([404, 'unsupported-model'])
      }
      const created = await rest.post('/posts', { data: { type: 'posts', attributes: { slug: 'new', title: 'New' } } })
      expect(created.headers.get('Location')).toBe(`${ENDPOINT}/posts/6`)
      expect((await rest.post('/posts', { data: { type: 'post', attributes: {} } })).status).toBe(409)
    })

    it('hides unmapped models, also as related resources', async () => {
      const rest = restClient(db, { modelNameMapping: { Post: 'posts' } })
      const { one } = await rest.get('/posts/1')
      expect(one.relationships).toBeUndefined()
      expect(one.attributes).toMatchObject({ authorId: 1 })
      for (const path of ['/posts/1/author', '/posts/1/relationships/tags']) {
        expect((await rest.get(path)).status, path).toBe(404)
      }
      for (const query of ['include=author', 'filter[author][name]=Ann', 'sort=author.name', 'fields[user]=name']) {
        expect((await rest.get(`/posts?${query}`)).status, query).toBe(400)
      }
      const author = { data: { type: 'user', id: '1' } }
      const update = { data: { type: 'posts', id: '1', relationships: { author } } }
      expect((await rest.patch('/posts/1', update)).errors).toMatchObject([{ code: 'unknown-relationship' }])
      expect((await rest.patch('/posts/1/relationships/author', author)).status).toBe(404)
    })
  })

  describe('externalIdMapping', () => {
    let rest: RestClient
    beforeAll(() => {
      rest = restClient(db, { externalIdMapping: { Post: 'slug', User: 'email', Comment: 'postId_seq' } })
    })

    it('identifies resources by another unique field', async () => {
      const response = await rest.get('/post/one')
      expect(response.one).toMatchObject({
        id: 'one',
        links: { self: `${ENDPOINT}/post/one` },
        attributes: { slug: 'one' },
      })
      expect(response.one.attributes).not.toHaveProperty('id')
      expect((await rest.get('/post/1')).status).toBe(404)
      expect((await rest.get('/user/ann@example.org')).one.links?.self).toBe(`${ENDPOINT}/user/ann%40example.org`)
    })

    it('identifies related resources by the mapped id', async () => {
      const response = await rest.get('/post/one')
      expect(response.one.relationships?.['author']?.data).toEqual({ type: 'user', id: 'ann@example.org' })
      expect((await rest.get('/post/five')).one.relationships?.['author']?.data).toBeNull()
      expect((await rest.get('/post/one/relationships/author')).body.data).toEqual({
        type: 'user',
        id: 'ann@example.org',
      })
      expect((await rest.get('/user/ann@example.org/relationships/posts')).ids).toEqual(['one', 'three', 'two'])
      expect((await rest.get('/post/one?include=author')).body.included).toMatchObject([{ id: 'ann@example.org' }])
    })

    it('filters and sorts by the mapped id', async () => {
      expect((await rest.get('/post?filter[id]=two,four')).ids).toEqual(['four', 'two'])
      expect((await rest.get('/post?filter[author]=ben@example.org')).ids).toEqual(['four'])
      expect((await rest.get('/post?sort=-id')).ids).toEqual(['two', 'three', 'one', 'four', 'five'])
    })

    it('writes by the mapped id', async () => {
      const created = await rest.post('/post', {
        data: {
          type: 'post',
          id: 'six',
          attributes: { title: 'Six' },
          relationships: { author: { data: { type: 'user', id: 'ben@example.org' } } },
        },
      })
      expect([created.status, created.one.attributes?.['authorId']]).toEqual([201, 2])
      const updated = await rest.patch('/post/six', { data: { type: 'post', id: 'six', attributes: { title: 'VI' } } })
      expect(updated.one.attributes?.['title']).toBe('VI')
      const moved = await rest.patch('/post/six/relationships/author', {
        data: { type: 'user', id: 'cat@example.org' },
      })
      expect(moved.body.data).toEqual({ type: 'user', id: 'cat@example.org' })
      const posts = await rest.post('/user/ann@example.org/relationships/posts', {
        data: [{ type: 'post', id: 'six' }],
      })
      expect(posts.ids).toContain('six')
      expect((await rest.delete('/post/six')).status).toBe(204)
    })
  })

  describe('strict', () => {
    it('returns errors in the format of JSON:API', async () => {
      const rest = restClient(db, { strict: true })
      const body = { data: { type: 'post', attributes: { slug: 'one', title: 'x' } } }
      expect((await rest.post('/post', body)).errors).toMatchObject([{ status: '409', meta: { ormCode: 'P2002' } }])
      expect((await rest.post('/post', body)).errors[0]).not.toHaveProperty('ormCode')
      const loose = await restClient(db).post('/post', body)
      expect(loose.errors).toMatchObject([{ status: 409, ormCode: 'P2002' }])
    })
  })

  describe('endpoint', () => {
    it('starts every link, regardless of the Host header', async () => {
      const rest = restClient(db, { endpoint: 'https://other.example/base/' })
      const response = await rest.get('/post/1', { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })
      expect(response.one.links?.self).toBe('https://other.example/base/post/1')
      expect(response.text).not.toContain('evil')
    })
  })

  describe('prefix', () => {
    it.each([
      [undefined, ''],
      ['', ''],
      ['/', ''],
      ['api', '/api'],
      ['/api', '/api'],
      ['/api/', '/api'],
      ['//api//', '/api'],
      ['/v1/api', '/v1/api'],
      ['/%C3%BC', '/%C3%BC'],
      ['/post', '/post'],
    ])('%j: mounts the handler only at "%s"', async (prefix, mount) => {
      const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
      const context = { getOrm: () => db.orm, ...(prefix === undefined ? {} : { prefix }) }
      const get = async (path: string) => (await handler.fetch(new Request(`http://localhost${path}`), context)).status
      expect(await get(`${mount}/post`)).toBe(200)
      expect(await get(`${mount}/post/1/relationships/author?include=author`)).toBe(200)
      // The mount path itself lists the resources.
      expect([await get(mount), await get(`${mount}/`)]).toEqual([200, 200])
      const outside = ['/nope/post', `/x${mount}/post`, `${mount}//post`, ...(mount ? [`${mount}x/post`] : [])]
      for (const path of outside) expect([path, await get(path)]).toEqual([path, 404])
    })
  })

  describe('invalid options', () => {
    it.each<[string, object, RegExp]>([
      ['missing endpoint', { endpoint: undefined }, /endpoint/],
      ['empty endpoint', { endpoint: '' }, /endpoint/],
      ['endpoint with a query', { endpoint: 'https://x?y' }, /endpoint/],
      ['endpoint that is not a URL', { endpoint: 'blog' }, /endpoint must be an absolute .*, but is "blog"/],
      ['endpoint without a host', { endpoint: '/api' }, /endpoint must be an absolute .*, but is "\/api"/],
      ['endpoint of another scheme', { endpoint: 'ftp://blog.example' }, /absolute http/],
      ['endpoint with an invalid port', { endpoint: 'https://blog.example:x' }, /absolute http/],
      ['endpoint with credentials', { endpoint: 'https://me:secret@blog.example' }, /credentials/],
      ['page size of 0', { pageSize: 0 }, /pageSize/],
      ['page size with a fraction', { pageSize: 1.5 }, /pageSize/],
      ['maxPageSize below pageSize', { pageSize: 50, maxPageSize: 10 }, /maxPageSize/],
      ['unknown model', { modelNameMapping: { Nope: 'nope' } }, /Nope.*Category, Comment, Post/],
      ['model name with a slash', { modelNameMapping: { Post: 'blog/posts' } }, /blog\/posts/],
      ['model name that JSON:API does not allow', { modelNameMapping: { Post: '_posts' } }, /_posts/],
      ['two models with the same name', { modelNameMapping: { Post: 'x', User: 'x' } }, /Post and User/],
      ['unknown unique', { externalIdMapping: { Post: 'title' } }, /"title".*id, slug/],
      ['unknown limit', { limits: { nope: 1 } }, /nope.*bodyBytes/],
      ['limit of 0', { limits: { depth: 0 } }, /limits\.depth/],
    ])('%s: throws when the handler is created', (_what, options, message) => {
      const make = () =>
        db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options } as Parameters<typeof db.routes.RestApiHandler>[0])
      expect(make).toThrow(message)
    })
  })
})
